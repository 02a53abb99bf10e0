import { expect, test } from 'vitest';
import { shownEntries } from './cash-table.tsx';

test('as many of the newest entries are shown as fit; if there is room for two rows, a line tells how many are hidden', () => {
	expect(shownEntries(9, 0, 0)).toEqual({ shown: 9, tellsEarlier: false });
	expect(shownEntries(3, 240, 60)).toEqual({ shown: 3, tellsEarlier: false });
	expect(shownEntries(9, 240, 60)).toEqual({ shown: 2, tellsEarlier: true });
	expect(shownEntries(9, 120, 60)).toEqual({ shown: 1, tellsEarlier: false });
	expect(shownEntries(9, 30, 60)).toEqual({ shown: 0, tellsEarlier: false });
});
