import type { AcceptorState } from '@kiosk/contract/live';
import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import { paymentOf } from '../journal/payment.fixture.ts';
import { cashProgress } from './cash-progress.ts';
import { type CashState, initialCashState } from './cash-state.ts';

const NOTE = { note_id: 'n', payment: paymentOf(7), nominal: rupiah(20_000), time: '2026-11-21T14:31:08+07:00' };
const progress = (change: Partial<CashState>, unwritten = 0) =>
	cashProgress({ ...initialCashState(null, null), acceptor: 'inhibited', ...change }, unwritten);

test('an idle acceptor and a disconnected acceptor with a note in doubt have nothing in progress', () => {
	expect(progress({})).toEqual([]);
	expect(progress({ acceptor: 'disconnected', doubtful: NOTE })).toEqual([]);
});

test.each<[string, Partial<CashState>]>([
	['the 20 s after a missing outcome', { suspect: 'n' }],
	['the busy state of the unit', { acceptor: 'busy' }],
	['a jam that may hold the note', { acceptor: 'bill_jam', doubtful: NOTE }],
	['a start of the unit, which may still stack a jammed note', { acceptor: 'starting', doubtful: NOTE }],
])('a doubt is in progress during %s', (_what, change) => {
	expect(progress(change)).toEqual(['doubt']);
});

test.each<AcceptorState>(['bill_jam', 'stacker_problem'])(
	'a fault (%s) is not a doubt in progress if this run has no note in doubt',
	(acceptor) => {
		expect(progress({ acceptor })).toEqual([]);
	},
);

test('a credit or an observation that waits for the journal is reported as "unwritten"', () => {
	expect(progress({}, 1)).toEqual(['unwritten']);
});
