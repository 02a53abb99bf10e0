import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import type { CashNote } from '../journal/cash-book.ts';
import { unsettleable } from './cash-calls.ts';

const unread = { state: 'in_doubt', nominal: null } as CashNote;
const found = (nominal: number | null) => unsettleable(unread, { outcome: 'in_box', nominal: nominal === null ? null : rupiah(nominal) });

test('if the acceptor did not read the value of a note, the note can be settled as “in the box” only with the value of a rupiah note', () => {
	for (const nominal of [1_000, 100_000]) expect(found(nominal)).toBeNull();
	for (const nominal of [0, 1, 75_000, 200_000, 999_999_999_999]) expect(found(nominal)).toContain('1000, 2000, 5000');
	expect(found(null)).toContain('Give the value');
});
