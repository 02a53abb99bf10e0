import { ACCEPTOR_STATES } from '@kiosk/contract/live';
import { expect, test } from 'vitest';
import { acceptorStatus } from './acceptor-status.ts';
import { shownEntries } from './cash-table.tsx';

const at = (state: Parameters<typeof acceptorStatus>[0]['state'], more = {}) =>
	acceptorStatus({ state, is_ready: false, opening: false, covered: false, ...more });

test('[spec 2.6.1] "Ready" is shown exactly when the acceptor is ready', () => {
	expect(at('ready', { is_ready: true }).status).toBe('Ready');
	for (const state of ACCEPTOR_STATES) expect(at(state).status).not.toBe('Ready');
	expect(at(null).status).not.toBe('Ready');
});

test('every other state has advice; an acceptor closed because the invoice is covered is not shown as a fault', () => {
	for (const state of ACCEPTOR_STATES) expect(at(state).advice.length).toBeGreaterThan(20);
	expect(at('inhibited', { covered: true }).status).toBe('Uang sudah cukup');
	expect(at('inhibited', { opening: true }).status).toBe('Mesin uang sedang disiapkan');
	expect(at('bill_jam').tone).toBe('stop');
	expect(at('starting').tone).toBe('wait');
});

test('the newest entries are shown as far as they fit', () => {
	expect(shownEntries(9, 0, 0)).toEqual({ shown: 9, tellsEarlier: false });
	expect(shownEntries(3, 240, 60)).toEqual({ shown: 3, tellsEarlier: false });
	expect(shownEntries(9, 240, 60)).toEqual({ shown: 2, tellsEarlier: true });
	expect(shownEntries(9, 120, 60)).toEqual({ shown: 1, tellsEarlier: false });
	expect(shownEntries(9, 30, 60)).toEqual({ shown: 0, tellsEarlier: false });
});
