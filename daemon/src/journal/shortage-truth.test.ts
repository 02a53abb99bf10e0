/** Compares shortages and held money with a simple model of each invoice's money flows. */
import { randomUUID } from 'node:crypto';
import { rupiah } from '@kiosk/contract/money';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { systemClock } from '../base/clock.ts';
import { TIME } from './journal.fixture.ts';
import { type Journal, openJournal } from './journal.ts';
import { DECLINED, keyOf, paymentOf, saidPaid } from './payment.fixture.ts';
import type { JournalRecord } from './records.ts';
import { openStore } from './store.ts';

const BIG = { total: rupiah(10_000_000) };
const IDS = [7, 8];
const BY = { by: 'Sari', why: 'x' };

const Act = fc.record({
	what: fc.constantFrom(
		'take',
		'take',
		'doubt',
		'find',
		'move',
		'move',
		'sell',
		'sell',
		'reopen',
		'charge',
		'lose',
		'void',
		'give',
		'give',
		'review',
	),
	at: fc.nat(1),
	/** Index in the notes or sales so far. */
	which: fc.nat(9),
	amount: fc.constantFrom(20_000, 50_000, 100_000),
	all: fc.boolean(),
});
type ActOf = typeof Act extends fc.Arbitrary<infer A> ? A : never;

interface Flow {
	id: number;
	amount: number;
	/** The sale whose outcome decides whether this flow counts. */
	sale?: string;
	isOut?: boolean;
	/** Staff reviewed the invoice at this point. */
	isReview?: boolean;
}

let journal: Journal;
/** All money flows, oldest first. */
let flows: Flow[];
let notes: { note_id: string; nominal: number; id: number; isFound: boolean }[];
let sales: Map<string, { id: number; amount: number; state: 'approved' | 'unknown' | 'lost'; lostAt: number }>;

/**
 * @param notCharged whether sales of unknown outcome count as not charged
 * @returns the held and the lost money of the invoice after the first `until` flows
 */
function account(id: number, until: number, notCharged: boolean): { held: number; lost: number } {
	let [held, lost] = [0, 0];
	for (const flow of flows.slice(0, until)) {
		if (flow.id !== id || flow.isReview) continue;
		const sale = flow.sale === undefined ? null : sales.get(flow.sale);
		if (sale?.state === 'lost' && sale.lostAt <= until) continue;
		if (sale?.state === 'unknown' && notCharged) continue;
		held += flow.isOut ? -flow.amount : flow.amount;
		if (held < 0) [held, lost] = [0, lost - held];
	}
	return { held, lost };
}

/**
 * @returns the amounts that the kiosk must report for the invoice. While a sale is unknown, the
 * held amount and the missing amount are each the smallest possible.
 */
function truth(id: number): { held: number; short: number } {
	const { held } = account(id, flows.length, true);
	const { lost } = account(id, flows.length, false);
	const review = flows.findLastIndex((flow) => flow.id === id && flow.isReview === true);
	return { held, short: Math.max(0, lost - (review < 0 ? 0 : account(id, review, false).lost)) };
}

/** @returns whether the ledger accepts all records */
const write = (...records: JournalRecord[]): boolean =>
	records.every((record) => {
		try {
			return journal.append(record).ok;
		} catch {
			return false;
		}
	});

function carryOut({ what, at, which, amount, all }: ActOf): void {
	const id = IDS[at] as number;
	const payment = paymentOf(id, BIG);
	const held = () => Number(journal.money.ownMoney(keyOf(id)));
	const sale = [...sales.keys()][which % Math.max(sales.size, 1)] ?? '';
	const note = notes[which % Math.max(notes.length, 1)];
	const known = sales.get(sale);
	if (what === 'take' || what === 'doubt') {
		const note_id = randomUUID();
		write({ kind: 'cash_intent', note_id, payment, nominal: rupiah(amount), code: '0x45', time: TIME });
		if (what === 'take') write({ kind: 'cash_credit', note_id, late: false });
		else write({ kind: 'cash_in_doubt', note_id, why: 'silence' });
		if (what === 'take') flows.push({ id, amount });
		notes.push({ note_id, nominal: amount, id, isFound: what === 'take' });
	} else if (what === 'find' && note && !note.isFound) {
		write({ kind: 'cash_settled', note_id: note.note_id, outcome: 'in_box', nominal: rupiah(note.nominal), ...BY });
		note.isFound = true;
		flows.push({ id: note.id, amount: note.nominal });
	} else if (what === 'move' && note?.isFound && note.id !== id) {
		// Staff cannot move a note whose money was given back.
		if (journal.money.ownMoney(keyOf(note.id)) < note.nominal) return;
		write({ kind: 'note_parked', park_id: randomUUID(), note_id: note.note_id, reason: 'gone' });
		write({ kind: 'note_moved', move_id: randomUUID(), note_id: note.note_id, from: keyOf(note.id), payment, ...BY });
		flows.push({ id: note.id, amount: note.nominal, isOut: true }, { id, amount: note.nominal });
		note.id = id;
	} else if (what === 'sell') {
		const attempt_id = randomUUID();
		const sold: JournalRecord = { kind: 'card_sale', attempt_id, payment, amount: rupiah(amount), method: 'card', attempt: 1, time: TIME };
		if (!write(sold, { kind: 'card_outcome', attempt_id, outcome: 'approved', response: null, late: false })) return;
		sales.set(attempt_id, { id, amount, state: 'approved', lostAt: 0 });
		flows.push({ id, amount, sale: attempt_id });
	} else if (what === 'reopen' && known && known.state !== 'unknown') {
		// If a lost sale is reopened and lost again, staff must review the loss again.
		write({ kind: 'card_evidence', evidence_id: randomUUID(), attempt_id: sale, what: 'declined', response: DECLINED, reopens: true });
		known.state = 'unknown';
	} else if ((what === 'charge' || what === 'lose') && known?.state === 'unknown') {
		const outcome = what === 'charge' ? 'charged' : 'not_charged';
		write({ kind: 'card_settled', settle_id: randomUUID(), attempt_id: sale, outcome, ...BY });
		known.state = what === 'charge' ? 'approved' : 'lost';
		known.lostAt = flows.length;
	} else if (what === 'void' && known?.state === 'approved') {
		if (journal.money.ownMoney(keyOf(known.id)) < known.amount) return;
		const action_id = randomUUID();
		write({ kind: 'card_action', action_id, action: 'void', attempt_id: sale, ...BY, time: TIME });
		write({ kind: 'card_action_ended', action_id, outcome: 'done', why: '', response: null });
		known.state = 'lost';
		known.lostAt = flows.length;
	} else if (what === 'give') {
		const given = all ? held() : Math.min(amount, held());
		if (given === 0) return;
		const record = { kind: 'money_given_back', give_id: randomUUID(), payment_id: keyOf(id), amount: rupiah(given), ...BY, time: TIME };
		expect(write(record as JournalRecord)).toBe(true);
		flows.push({ id, amount: given, isOut: true });
	} else if (what === 'review') {
		write({ kind: 'invoice_reviewed', review_id: randomUUID(), payment_id: keyOf(id), ...BY });
		flows.push({ id, amount: 0, isReview: true });
	}
}

const act = (what: ActOf['what'], more: Partial<ActOf> = {}): ActOf => ({ what, at: 0, which: 0, amount: 100_000, all: true, ...more });
const SELDOM: ActOf[][] = [
	// Cash is paid after the money of a sale was given back, and before that sale becomes unknown
	// again.
	[act('sell'), act('give'), act('take'), act('reopen'), act('charge')],
	// A note is moved away after the give-back. Then the sale, whose money covered the give-back,
	// turns out not to be charged.
	[act('take'), act('sell'), act('give', { all: false }), act('move', { at: 1 }), act('reopen'), act('lose'), act('take')],
	// A loss is reviewed. Then two more payments are given back, and the second sale is lost, too.
	[
		act('sell'),
		act('give'),
		act('reopen'),
		act('lose'),
		act('review'),
		act('take'),
		act('give'),
		act('sell'),
		act('give'),
		act('reopen', { which: 1 }),
		act('lose', { which: 1 }),
	],
];

const holds = (numRuns: number) => () => {
	fc.assert(
		fc.property(fc.array(Act, { minLength: 5, maxLength: 25 }), (acts) => {
			journal = openJournal({ directory: temporaryFolder('shortage'), minFreeBytes: 0 }, systemClock, openStore);
			[flows, notes, sales] = [[], [], new Map()];
			for (const id of IDS) write({ ...saidPaid(id), payment: paymentOf(id, BIG), is_paid: false } as JournalRecord);
			for (const one of acts) {
				carryOut(one);
				for (const id of IDS) {
					const { short, received, entries } = journal.money.balanceOf(keyOf(id));
					const held = Number(journal.money.ownMoney(keyOf(id)));
					expect({ held, short }, JSON.stringify(one)).toEqual(truth(id));
					expect(entries.reduce((sum, { nominal }) => sum + nominal, 0)).toBe(received);
				}
			}
			journal.close();
		}),
		{ numRuns, examples: SELDOM.map((acts) => [acts]) },
	);
};

const TITLE = 'held money and shortage of each invoice equal those of a simple reference calculation';
test(TITLE, holds(20));
test(`${TITLE}, many runs`, { tags: 'deep' }, holds(500));
