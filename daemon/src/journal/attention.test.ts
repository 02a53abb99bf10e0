/**
 * After each random record, compares the list of invoices that need staff with the balances of all
 * invoices.
 */
import { randomUUID } from 'node:crypto';
import { rupiah } from '@kiosk/contract/money';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { systemClock } from '../base/clock.ts';
import { TIME } from './journal.fixture.ts';
import { type Journal, openJournal } from './journal.ts';
import { DECLINED, paymentOf } from './payment.fixture.ts';
import { type JournalRecord, type Payment, type PaymentKey, paymentKey } from './records.ts';
import { openStore } from './store.ts';

let journal: Journal;

const BY = { by: 'Sari', why: 'x' };
/** The first two payments are one invoice: the back office changed its number but kept its id. */
const PAYMENTS = [paymentOf(7), paymentOf(7, { noinvoice: 'INV/7-B' }), paymentOf(8)];

const Act = fc.record({
	what: fc.constantFrom(
		'take',
		'take',
		'upload',
		'park',
		'move',
		'resend',
		'book',
		'give',
		'seen',
		'seen',
		'settle',
		'review',
		'sell',
		'void',
		'lose',
	),
	/** Index in `PAYMENTS`. */
	at: fc.nat(2),
	/** Index in the notes or sales so far. For `seen`: number of own notes in the list. */
	note: fc.nat(9),
	nominal: fc.constantFrom(10_000, 50_000, 100_000),
	is_paid: fc.boolean(),
	named: fc.boolean(),
	elsewhere: fc.constantFrom(0, 0, 50_000, 137_500),
});
type ActOf = typeof Act extends fc.Arbitrary<infer A> ? A : never;

/** @param notes all notes so far, oldest first @param sales all card sales so far, oldest first */
function recordsOf(act: ActOf, notes: { note_id: string; nominal: number }[], sales: string[]): JournalRecord[] {
	const payment = PAYMENTS[act.at] as Payment;
	const payment_id = paymentKey(payment);
	const { note_id } = notes[act.note % Math.max(notes.length, 1)] ?? { note_id: randomUUID() };
	switch (act.what) {
		case 'take': {
			const taken = { note_id: randomUUID(), nominal: rupiah(act.nominal) };
			notes.push(taken);
			return [
				{ kind: 'cash_intent', ...taken, payment, code: '0x45', time: TIME },
				{ kind: 'cash_credit', note_id: taken.note_id, late: false },
			];
		}
		case 'upload':
			return [{ kind: 'note_uploaded', note_id }];
		case 'park':
			return [{ kind: 'note_parked', park_id: randomUUID(), note_id, reason: 'gone' }];
		case 'resend':
			return [{ kind: 'note_resent', resend_id: randomUUID(), note_id, ...BY }];
		case 'book':
			return [{ kind: 'note_booked', note_id, ...BY }];
		case 'move':
			return PAYMENTS.filter((one) => one !== payment).map((one) => ({
				kind: 'note_moved',
				move_id: randomUUID(),
				note_id,
				from: paymentKey(one),
				payment,
				...BY,
			}));
		case 'give':
			return [{ kind: 'money_given_back', give_id: randomUUID(), payment_id, amount: rupiah(act.nominal), ...BY, time: TIME }];
		case 'settle':
			return [{ kind: 'partial_settled', settle_id: randomUUID(), payment_id, ...BY }];
		case 'review':
			return [{ kind: 'invoice_reviewed', review_id: randomUUID(), payment_id, ...BY }];
		case 'sell': {
			const attempt_id = randomUUID();
			sales.push(attempt_id);
			// The sale covers the amount due or a part of it. Another payment method can cover the rest.
			const amount = rupiah(Math.min(act.nominal, journal.money.balanceOf(payment_id).due));
			return [
				{ kind: 'card_sale', attempt_id, payment, amount, method: 'card', attempt: 1, time: TIME },
				{ kind: 'card_outcome', attempt_id, outcome: 'approved', response: null, late: false },
			];
		}
		case 'lose': {
			const attempt_id = sales[act.note % Math.max(sales.length, 1)] ?? randomUUID();
			const outcome = act.is_paid ? 'charged' : 'not_charged';
			return [
				{ kind: 'card_evidence', evidence_id: randomUUID(), attempt_id, what: 'declined', response: DECLINED, reopens: true },
				{ kind: 'card_settled', settle_id: randomUUID(), attempt_id, outcome, ...BY },
			];
		}
		case 'void': {
			const attempt_id = sales[act.note % Math.max(sales.length, 1)] ?? null;
			const action_id = randomUUID();
			return [
				{ kind: 'card_action', action_id, action: 'void', attempt_id, ...BY, time: TIME },
				{ kind: 'card_action_ended', action_id, outcome: act.is_paid ? 'done' : 'refused', why: '', response: null },
			];
		}
		default: {
			const listed = [
				...notes.slice(0, act.note).map((one) => ({ nominal: rupiah(one.nominal), note_id: act.named ? one.note_id : null, time: TIME })),
				...(act.elsewhere > 0 ? [{ nominal: rupiah(act.elsewhere), note_id: null, time: TIME }] : []),
			];
			const asked = {
				seq: journal.money.position(),
				mayBeTold: () => act.named,
				isConfirmedLately: () => false,
				isNamed: (note_id: string) => listed.some((entry) => entry.note_id === note_id),
				isPaid: act.is_paid,
			};
			const own = journal.money.ownAtAnswer(payment_id, asked);
			return [{ kind: 'invoice_seen', seen_id: randomUUID(), payment, is_paid: act.is_paid, listed, own, source: 'look_up', time: TIME }];
		}
	}
}

/** Journal position of each note and card sale, and of each payment's newest settlement. */
let moneyAt: Map<string, { key: PaymentKey; at: number }>;
let settledAt: Map<string, number>;

function write(record: JournalRecord): void {
	try {
		if (!journal.append(record).ok) return;
	} catch {
		// The ledger refuses a record of an act that is not possible in the present state.
		return;
	}
	const at = journal.money.position();
	if (record.kind === 'cash_intent') moneyAt.set(record.note_id, { key: paymentKey(record.payment), at });
	if (record.kind === 'note_moved') moneyAt.set(record.note_id, { key: paymentKey(record.payment), at });
	if (record.kind === 'card_sale') moneyAt.set(record.attempt_id, { key: paymentKey(record.payment), at });
	if (record.kind === 'partial_settled') settledAt.set(record.payment_id, at);
}

const isSettledSince = (of: PaymentKey): boolean =>
	[...moneyAt.values()].every(({ key, at }) => key !== of || at < (settledAt.get(of) ?? 0)) && settledAt.has(of);

const act = (what: ActOf['what'], at: number, more: Partial<ActOf> = {}): ActOf => ({
	what,
	at,
	note: 0,
	nominal: 10_000,
	is_paid: false,
	named: false,
	elsewhere: 0,
	...more,
});
/** Cases that random acts produce only once in thousands of runs. */
const SELDOM: ActOf[][] = [
	// Money was given back under the first number. The back office answers about the second number,
	// and only later about the first.
	[act('take', 0), act('give', 0), act('seen', 1, { is_paid: true }), act('take', 0), act('seen', 0)],
	// The list of one invoice names another invoice's note. Staff give back the other invoice's money
	// and then move the note.
	[act('take', 1), act('seen', 2, { note: 1, named: true }), act('park', 0), act('give', 1), act('move', 0)],
	// An invoice has a card sale, a give-back and a note. Another invoice's list names the note.
	// Afterwards the card sale turns out not to be charged.
	[act('seen', 0), act('sell', 0), act('give', 0), act('take', 0), act('seen', 2, { note: 1, named: true }), act('lose', 0)],
];

const holds = (numRuns: number) => () => {
	fc.assert(
		fc.property(fc.array(Act, { minLength: 3, maxLength: 14 }), (acts) => {
			journal = openJournal({ directory: temporaryFolder('attention'), minFreeBytes: 0 }, systemClock, openStore);
			[moneyAt, settledAt] = [new Map(), new Map()];
			const notes: { note_id: string; nominal: number }[] = [];
			const sales: string[] = [];
			for (const act of acts) {
				for (const record of recordsOf(act, notes, sales)) write(record);
				compare(JSON.stringify(act));
			}
			journal.close();
		}),
		{ numRuns, examples: SELDOM.map((acts) => [acts]) },
	);
};

const TITLE =
	'each invoice paid in part, paid twice or in dispute is listed with its balance, unless staff settled it after its newest money';
test(TITLE, holds(20));
test(`${TITLE}, many runs`, { tags: 'deep' }, holds(2_000));

function compare(act: string): void {
	const listed = new Map(journal.money.attention().map((one) => [paymentKey(one.payment), one]));
	for (const payment of PAYMENTS) {
		const key = paymentKey(payment);
		const { state, total, received, twice, why } = journal.money.balanceOf(key);
		const one = listed.get(key);
		if (one)
			expect({ state: one.state, total: one.total, received: one.received, twice: one.twice, why: one.why }, act).toEqual({
				state,
				total,
				received,
				twice,
				why,
			});
		else if (state !== 'open' && state !== 'paid') expect(isSettledSince(key), `${act} ${key} ${state} ${why}`).toBe(true);
	}
}
