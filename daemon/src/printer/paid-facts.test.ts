import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import { type BalanceState, balanceOf } from '../journal/balance.ts';
import { paidFacts } from './paid-facts.ts';

const note = (note_id: string, minute: number) => ({ note_id, nominal: rupiah(50_000), time: `2026-11-21T14:${minute}:00+07:00` });

test.each<[string, BalanceState, number | null, number]>([
	['before this kiosk, the receipt of this kiosk shows the change', 'paid', 100_000, 30],
	['after this kiosk, the receipt of this kiosk shows no change, because the other receipt may show it', 'paid_twice', null, 50],
])('if another kiosk took a note %s', (_when, state, cash, minute) => {
	const listed = [note('ours', 40), note('other', minute)];
	const own = { notes_confirmed: rupiah(50_000), cards_confirmed: rupiah(0), told: rupiah(50_000) };
	const total = rupiah(95_000);
	const balance = balanceOf({
		view: { total, is_paid: true, listed, own },
		claim: null,
		total,
		notes: [{ ...note('ours', 40), beforeGiveBack: false }],
		cards: [],
		givenBack: rupiah(0),
	});
	expect(balance.state).toBe(state);
	expect(paidFacts(balance, listed, [])).toMatchObject({ paid: true, cash });
});
