/**
 * Over several look-ups, payments elsewhere are distinguished from this kiosk's money. Uses a real
 * journal.
 */
import { randomUUID } from 'node:crypto';
import { type Rupiah, rupiah } from '@kiosk/contract/money';
import { beforeEach, expect, test } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { fail, ok } from '../base/result.ts';
import { journal, journalOfEachTest, openAgain, TIME } from '../journal/journal.fixture.ts';
import type { InvoiceView } from '../journal/money-facts.ts';
import { keyOf, paymentOf } from '../journal/payment.fixture.ts';
import type { JournalRecord } from '../journal/records.ts';
import { openStore } from '../journal/store.ts';
import { type StatementRecords, statementRecords } from './statement-records.ts';
import { keepWaitingStatements } from './waiting-statements.ts';

const BY = { by: 'Sari', why: 'compared' };
const key = keyOf(7);

journalOfEachTest();

/** Ids of notes and sales that the back office may have received without confirming them. */
let told: Set<string>;
let total: Rupiah;
let seen: InvoiceView | undefined;
let records: StatementRecords;
/** Whether the disk refuses the back office's statements. */
let isFull: boolean;
beforeEach(() => {
	[told, total, seen, isFull] = [new Set(), rupiah(150_000), undefined, false];
	journal.close();
	openAgain(0, (at) => {
		const store = openStore(at);
		if (!store.ok) return store;
		const full = fail({ code: 'disk_full', message: 'the disk says no' } as const);
		const { append } = store.value;
		return ok({ ...store.value, append: (record, time) => (isFull && record.kind === 'invoice_seen' ? full : append(record, time)) });
	});
	records = statementRecords({
		journal,
		waiting: keepWaitingStatements({ clock: { ...systemClock, after: () => () => {} }, isUnreadable: () => false }),
		newId: randomUUID,
		now: () => TIME,
		mayBeTold: (id) => told.has(id),
		isConfirmedLately: () => false,
	});
});

const payment = () => paymentOf(7, { total });
const write = (record: JournalRecord) => expect(journal.append(record)).toEqual(ok(undefined));

function takeNote(nominal: number): string {
	const note_id = randomUUID();
	write({ kind: 'cash_intent', note_id, payment: payment(), nominal: rupiah(nominal), code: '0x45', time: TIME });
	write({ kind: 'cash_credit', note_id, late: false });
	return note_id;
}
const confirmNote = (note_id: string) => write({ kind: 'note_uploaded', note_id });

function beginSale(amount: number): string {
	const attempt_id = randomUUID();
	write({ kind: 'card_sale', attempt_id, payment: payment(), amount: rupiah(amount), method: 'card', attempt: 1, time: TIME });
	return attempt_id;
}
const approve = (attempt_id: string) => write({ kind: 'card_outcome', attempt_id, outcome: 'approved', response: null, late: false });
const report = (attempt_id: string) => write({ kind: 'card_approval_sent', attempt_id });

const entry = (nominal: number, time: string, note_id: string | null = null) => ({ nominal: rupiah(nominal), note_id, time });

/** Processes an answer of the back office to a look-up. */
function hear(listed: readonly ReturnType<typeof entry>[], is_paid = false) {
	seen = { total, is_paid, listed, own: records.ownAt(key, { seq: journal.money.position(), at: 0 }, { is_paid, listed }) };
	return records.record(payment(), seen, 'look_up');
}
/**
 * Processes an answer to a look-up, and checks that the journal stores it. @returns the balance
 * after the look-up
 */
function lookUp(...answer: Parameters<typeof hear>) {
	expect(hear(...answer)).toEqual(ok(undefined));
	const balance = journal.money.balanceOf(key, seen);
	expect(journal.money.balanceOf(key)).toEqual(balance);
	return balance;
}
const twice = () => journal.money.attention().map(({ state, twice: amount }) => [state, Number(amount)]);

/** A payment at the cashier, during a card sale. */
const cashier = (nominal: number) => entry(nominal, '2026-11-21T14:40:00+07:00');

test('if staff enter a note by hand, a double payment at the cashier is still reported to staff', () => {
	const [confirmed, parked] = [takeNote(50_000), takeNote(20_000)];
	confirmNote(confirmed);
	told.add(parked);
	write({ kind: 'note_parked', park_id: randomUUID(), note_id: parked, reason: 'refused' });
	const named = entry(50_000, TIME, confirmed);
	const sale = beginSale(80_000);
	approve(sale);
	lookUp([named, cashier(80_000)]);
	report(sale);
	lookUp([named, cashier(80_000)]);
	expect(twice()).toEqual([['paid_twice', 80_000]]);
	write({ kind: 'note_booked', note_id: parked, ...BY });
	const byHand = entry(20_000, '2026-11-21T15:00:00+07:00');
	// The back office's list may have contained the note before staff recorded its entry at the
	// kiosk.
	expect(lookUp([named, cashier(80_000), byHand])).toMatchObject({ state: 'paid_twice', elsewhere: 60_000 });
	expect(twice()).toEqual([['paid_twice', 60_000]]);
});

test('if staff enter a note in the back office before they record this at the kiosk, the note does not count as a payment elsewhere', () => {
	const [confirmed, parked] = [takeNote(50_000), takeNote(20_000)];
	confirmNote(confirmed);
	told.add(parked);
	write({ kind: 'note_parked', park_id: randomUUID(), note_id: parked, reason: 'refused' });
	const list = [entry(50_000, TIME, confirmed), entry(20_000, '2026-11-21T15:00:00+07:00')];
	lookUp(list);
	write({ kind: 'note_booked', note_id: parked, ...BY });
	expect(lookUp(list)).toMatchObject({ state: 'partial', received: 70_000, elsewhere: 0 });
	const sale = beginSale(80_000);
	approve(sale);
	report(sale);
	for (const is_paid of [false, true])
		expect(lookUp([...list, entry(80_000, '2026-11-21T15:10:00+07:00')], is_paid)).toMatchObject({ state: 'paid', received: 150_000 });
});

test('if the list names a note that staff recorded as entered by hand, a payment elsewhere still counts in full', () => {
	const [first, parked] = [takeNote(50_000), takeNote(20_000)];
	confirmNote(first);
	told.add(parked);
	write({ kind: 'note_parked', park_id: randomUUID(), note_id: parked, reason: 'refused' });
	write({ kind: 'note_booked', note_id: parked, ...BY });
	const list = [cashier(50_000), entry(50_000, TIME, first), entry(20_000, TIME, parked)];
	expect(lookUp(list)).toMatchObject({ state: 'partial', received: 120_000, elsewhere: 50_000 });
	// The list may contain the sale, because its report was begun. But the list contained the payment
	// at the cashier before the sale.
	const sale = beginSale(30_000);
	approve(sale);
	told.add(sale);
	expect(lookUp(list)).toMatchObject({ state: 'paid', received: 150_000, elsewhere: 50_000 });
});

test('a payment at the cashier that was listed before the kiosk’s second sale was reported does not count as this sale', () => {
	const first = entry(100_000, '2026-11-21T14:30:00+07:00');
	total = rupiah(100_000);
	const earlier = beginSale(100_000);
	approve(earlier);
	report(earlier);
	lookUp([first]);
	total = rupiah(150_000);
	lookUp([first]);
	const sale = beginSale(50_000);
	approve(sale);
	lookUp([first, cashier(50_000)]);
	report(sale);
	expect(lookUp([first, cashier(50_000)])).toMatchObject({ state: 'paid_twice', received: 200_000 });
	expect(twice()).toEqual([['paid_twice', 50_000]]);
});

test.each([
	['with another offset', '2026-11-21T07:40:00.000Z'],
	['without an offset', '2026-11-21 14:40:00'],
])('a double payment at the cashier is still reported to staff if the next answer writes the time of that payment %s', (_how, time) => {
	const sale = beginSale(150_000);
	approve(sale);
	lookUp([cashier(50_000)]);
	report(sale);
	lookUp([entry(50_000, time)]);
	expect(twice()).toEqual([['paid_twice', 50_000]]);
});

test('a payment at the cashier is reported as a double payment even if a full disk did not record earlier answers of the back office', () => {
	const sale = beginSale(150_000);
	approve(sale);
	lookUp([]);
	isFull = true;
	expect(hear([cashier(150_000)])).toMatchObject({ ok: false });
	report(sale);
	expect(hear([cashier(150_000)])).toMatchObject({ ok: false });
	isFull = false;
	lookUp([cashier(150_000)]);
	expect(twice()).toEqual([['paid_twice', 150_000]]);
});

test('an answer with the same content is not written again', () => {
	const isWritten = () => {
		const before = journal.money.position();
		lookUp([]);
		return journal.money.position() > before;
	};
	takeNote(50_000);
	expect([isWritten(), isWritten()]).toEqual([true, false]);
});
