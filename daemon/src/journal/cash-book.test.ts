import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rupiah } from '@kiosk/contract/money';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { begin, directory, journal, journalOfEachTest, openAgain, TIME, take } from './journal.fixture.ts';
import { ACCOUNT, keyOf, paymentOf, saidPaid } from './payment.fixture.ts';
import type { JournalRecord } from './records.ts';

journalOfEachTest();

function lose(nominal: number, id = 7): string {
	const note_id = begin(nominal, id);
	journal.append({ kind: 'cash_in_doubt', note_id, why: 'silence' });
	return note_id;
}
function stray(nominal: number | null): string {
	const note_id = randomUUID();
	journal.append({ kind: 'cash_unexplained', note_id, code: null, nominal: nominal === null ? null : rupiah(nominal), time: TIME });
	return note_id;
}
const settle = (note_id: string, outcome: 'in_box' | 'returned' | 'not_ours', nominal: number | null = null): JournalRecord => ({
	kind: 'cash_settled',
	note_id,
	outcome,
	nominal: nominal === null ? null : rupiah(nominal),
	by: 'Sari',
	why: 'looked',
});
function collect(): void {
	const { expected, notes } = period();
	journal.append({ kind: 'cashbox_collected', collection_id: randomUUID(), by: 'Sari', expected, notes, counted: null, time: TIME });
}
function period(number: number | null = null) {
	const found = journal.cashbox.period(number);
	if (!found) throw new Error(`there is no period ${number}`);
	return found;
}

test('a note found in the cashbox is uploaded and credited once, even if STACKED arrives later', () => {
	const note_id = lose(50_000);
	expect(journal.nextUpload(ACCOUNT)).toBeNull();
	journal.append(settle(note_id, 'in_box', 50_000));
	expect(journal.nextUpload(ACCOUNT)).toMatchObject({ note_id, nominal: 50_000, id: 7 });
	expect(() => journal.append({ kind: 'cash_credit', note_id, late: true })).toThrow();
	expect(() => journal.append(settle(note_id, 'in_box', 50_000))).toThrow();
	expect(journal.waitingUploads()).toMatchObject({ count: 1, total: 50_000 });
	expect(journal.inDoubt()).toEqual([]);
});

test.each(['returned', 'not_ours'] as const)(
	'a note settled as %s can no longer be credited and is not expected in the cashbox',
	(outcome) => {
		const note_id = lose(50_000);
		journal.append(settle(note_id, outcome));
		expect(journal.inDoubt()).toEqual([]);
		expect(() => journal.append({ kind: 'cash_credit', note_id, late: true })).toThrow();
		expect(() => journal.append(settle(note_id, 'in_box', 50_000))).toThrow();
		expect(period()).toMatchObject({ expected: 0, settled: [{ outcome, by: 'Sari' }] });
	},
);

test('a note that is credited, in flight or returned cannot be settled', () => {
	const back = begin(20_000);
	journal.append({ kind: 'cash_returned', note_id: back });
	for (const note_id of [take(50_000), back, begin(10_000)])
		for (const outcome of ['in_box', 'returned'] as const) expect(() => journal.append(settle(note_id, outcome, 50_000))).toThrow();
	expect(journal.waitingUploads().total).toBe(50_000);
});

test('a note of an invoice keeps the value read by the acceptor; a note of unknown value gets the value that staff enter', () => {
	const note_id = lose(50_000);
	expect(() => journal.append(settle(note_id, 'in_box', 100_000))).toThrow();
	const unknown = stray(null);
	expect(() => journal.append(settle(unknown, 'in_box'))).toThrow();
	journal.append(settle(unknown, 'in_box', 20_000));
	expect(journal.nextUpload(ACCOUNT)).toBeNull();
	expect(journal.waitingUploads().count).toBe(0);
	expect(period()).toMatchObject({ expected: 20_000, without_invoice: { count: 1, total: 20_000 }, in_doubt: [{ note_id }] });
});

test('a note that fell into the box before a count belongs to the counted period, even if the note is settled later', () => {
	take(100_000);
	const late = lose(50_000);
	collect();
	take(20_000);
	expect(period()).toMatchObject({ number: 2, since: TIME, expected: 20_000, in_doubt: [{ note_id: late, earlier: true }] });
	expect(period(1)).toMatchObject({
		expected: 100_000,
		in_doubt: [{ note_id: late, earlier: false }],
		collected: { by: 'Sari', expected: 100_000 },
	});
	journal.append(settle(late, 'in_box', 50_000));
	expect(period()).toMatchObject({ expected: 20_000, in_doubt: [], settled: [] });
	expect(period(1)).toMatchObject({ expected: 150_000, settled: [{ note_id: late }], collected: { expected: 100_000 } });
	expect(journal.cashbox.period(3)).toBeNull();
	expect(journal.cashbox.period(0)).toBeNull();
});

test('the sum received for all partly paid invoices may exceed the maximum for a single invoice', () => {
	const listed = [{ nominal: rupiah(99_999_000_000), note_id: null, time: TIME }];
	const own = { notes_confirmed: rupiah(0), cards_confirmed: rupiah(0), told: rupiah(0) };
	for (let id = 1; id <= 12; id += 1) {
		const payment = paymentOf(id, { total: rupiah(100_000_000_000) });
		take(50_000, id);
		journal.append({ kind: 'invoice_seen', seen_id: randomUUID(), payment, is_paid: false, listed, own, source: 'look_up', time: TIME });
	}
	expect(journal.cashbox.partialSum(null)).toEqual({ count: 12, total: 12 * 99_999_050_000 });
	expect(journal.trouble()).toBeNull();
});

test('an invoice is listed as partly paid until it is covered, reported as paid, or settled by staff', () => {
	const listed = () => journal.cashbox.partials().map((one) => [one.payment.noinvoice, Number(one.received)]);
	take(100_000, 1);
	take(50_000, 2);
	take(20_000, 3);
	lose(20_000, 4);
	expect(listed()).toEqual([
		['INV/1', 100_000],
		['INV/2', 50_000],
		['INV/3', 20_000],
	]);
	expect(journal.cashbox.partialSum(null)).toEqual({ count: 3, total: 170_000 });
	expect(journal.cashbox.partialSum(keyOf(2))).toEqual({ count: 2, total: 120_000 });
	expect(journal.cashbox.partials({ except: keyOf(1), most: 1 }).map(({ payment }) => payment.id)).toEqual([2]);
	expect(journal.money.attention(2).map(({ payment }) => payment.id)).toEqual([1, 2]);
	take(50_000, 1);
	journal.append(saidPaid(2, rupiah(137_500)));
	journal.append({ kind: 'partial_settled', settle_id: randomUUID(), payment_id: keyOf(3), by: 'Sari', why: 'paid at the cashier' });
	expect(listed()).toEqual([]);
	expect(() =>
		journal.append({ kind: 'partial_settled', settle_id: randomUUID(), payment_id: keyOf(3), by: 'Sari', why: 'again' }),
	).toThrow();
	// After a new note the invoice is listed again, with all its money.
	take(10_000, 3);
	expect(listed()).toEqual([['INV/3', 30_000]]);
});

function printSlip(state: 'done' | 'failed'): void {
	const print_id = randomUUID();
	journal.append({ kind: 'print_requested', print_id, payment_id: keyOf(7), purpose: 'slip' });
	journal.append({ kind: 'print_ended', print_id, state, reason: '' });
}

test('a slip is due if a note was taken, or may have been, since the last slip; a failed slip does not count', () => {
	expect(journal.cashbox.slipDue(keyOf(7))).toBe(false);
	take(50_000);
	expect(journal.cashbox.slipDue(keyOf(7))).toBe(true);
	printSlip('failed');
	expect(journal.cashbox.slipDue(keyOf(7))).toBe(true);
	printSlip('done');
	expect(journal.cashbox.slipDue(keyOf(7))).toBe(false);
	lose(20_000);
	expect(journal.cashbox.slipDue(keyOf(7))).toBe(true);
});

test('a printed slip does not count as a receipt', () => {
	printSlip('done');
	expect(journal.timesPrinted(keyOf(7))).toBe(0);
});

test('a journal from before the first version with cashbox periods can be opened, and its notes belong to the first period', () => {
	take(50_000);
	journal.close();
	const db = new DatabaseSync(join(directory, 'journal.sqlite'));
	db.exec('DELETE FROM balances; CREATE TABLE partial (payment_id TEXT PRIMARY KEY); PRAGMA user_version = 1');
	db.prepare('INSERT INTO partial VALUES (?)').run(keyOf(7));
	db.close();
	openAgain();
	expect(journal.trouble()).toBeNull();
	expect(period()).toMatchObject({ number: 1, expected: 50_000 });
	expect(journal.cashbox.partials()).toMatchObject([{ received: 50_000 }]);
	take(20_000);
	expect(journal.cashbox.partials()).toMatchObject([{ received: 70_000 }]);
});

test('for any notes, every rupiah in the cashbox is in exactly one period and is uploaded once or belongs to no invoice', () => {
	const nominal = fc.constantFrom(1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000);
	const step = fc.oneof(
		fc.record({ what: fc.constant('take' as const), nominal, id: fc.integer({ min: 1, max: 3 }) }),
		fc.record({ what: fc.constant('lose' as const), nominal, id: fc.integer({ min: 1, max: 3 }) }),
		fc.record({ what: fc.constant('stray' as const), nominal }),
		fc.record({ what: fc.constant('settle' as const), nominal, outcome: fc.constantFrom('in_box' as const, 'returned' as const) }),
		fc.record({ what: fc.constant('collect' as const), nominal }),
	);
	fc.assert(
		fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
			journal.close();
			rmSync(directory, { recursive: true });
			openAgain();
			let inBox = 0;
			let ofInvoices = 0;
			for (const one of steps) {
				if (one.what === 'take') {
					take(one.nominal, one.id);
					inBox += one.nominal;
					ofInvoices += one.nominal;
				} else if (one.what === 'lose') lose(one.nominal, one.id);
				else if (one.what === 'stray') stray(null);
				else if (one.what === 'collect') collect();
				else {
					const note = journal.inDoubt().at(-1);
					if (!note) continue;
					const worth = note.nominal ?? one.nominal;
					journal.append(settle(note.note_id, one.outcome, one.outcome === 'in_box' ? worth : null));
					if (one.outcome !== 'in_box') continue;
					inBox += worth;
					if (note.id !== null) ofInvoices += worth;
				}
			}
			const last = period().number;
			const periods = Array.from({ length: last }, (_, index) => period(index + 1));
			const sum = (pick: (one: ReturnType<typeof period>) => number) => periods.reduce((total, one) => total + pick(one), 0);
			expect(sum((one) => one.expected)).toBe(inBox);
			expect(sum((one) => one.notes.reduce((total, { nominal, count }) => total + nominal * count, 0))).toBe(inBox);
			expect(sum((one) => one.waiting.total)).toBe(ofInvoices);
			expect(sum((one) => one.without_invoice.total)).toBe(inBox - ofInvoices);
			expect(journal.waitingUploads().total).toBe(ofInvoices);
			for (let note = journal.nextUpload(ACCOUNT); note; note = journal.nextUpload(ACCOUNT))
				journal.append({ kind: 'note_uploaded', note_id: note.note_id });
			expect(periods.map(({ number }) => period(number).uploaded.total).reduce((total, one) => total + one, 0)).toBe(ofInvoices);
		}),
		{ numRuns: 40 },
	);
});

function remove(): string {
	const removal_id = randomUUID();
	journal.append({ kind: 'cashbox_removed', removal_id, time: TIME });
	return removal_id;
}
const putBack = (removal_id: string) => journal.append({ kind: 'cashbox_returned', removal_id, time: TIME });
function count(through: number | null = null, counted: number | null = null): void {
	const due = journal.cashbox.due(through);
	if (!due) throw new Error(`nothing is due through ${through}`);
	const { expected, notes, removed } = due;
	journal.append({
		kind: 'cashbox_collected',
		collection_id: randomUUID(),
		by: 'Sari',
		expected,
		notes,
		counted: counted === null ? null : rupiah(counted),
		time: TIME,
		...(removed ? { removal: removed.removal_id } : {}),
	});
}

test('the removal of the cashbox ends the period, whose notes staff must still count; later notes belong to the next period', () => {
	take(100_000);
	const removal = remove();
	expect(journal.cashbox.boxOut()).toBe(removal);
	putBack(removal);
	expect(journal.cashbox.boxOut()).toBeNull();
	take(50_000);
	expect(period(1)).toMatchObject({ expected: 100_000, collected: null, removed: { removal_id: removal, returned: TIME } });
	expect(period()).toMatchObject({ number: 2, expected: 50_000, removed: null });
	expect(journal.cashbox.uncounted()).toEqual([{ time: TIME, returned: TIME }]);
	expect(journal.cashbox.due(null)).toMatchObject({ first: 1, number: 1, expected: 100_000 });
	count(null, 90_000);
	expect(period(1).collected).toEqual({ by: 'Sari', expected: 100_000, counted: 90_000 });
	expect(period()).toMatchObject({ number: 2, expected: 50_000, collected: null });
	expect(journal.cashbox.uncounted()).toEqual([]);
	expect(journal.cashbox.due(1)).toBeNull();
});

test('if the cashbox is removed twice without a count, one count covers both periods', () => {
	take(100_000);
	putBack(remove());
	take(20_000);
	take(20_000);
	putBack(remove());
	take(5_000);
	expect(journal.cashbox.due(null)).toMatchObject({
		first: 1,
		number: 2,
		expected: 140_000,
		notes: [{ count: 1 }, { nominal: 20_000, count: 2 }],
	});
	count();
	expect([period(1), period(2)].map(({ collected }) => collected?.expected)).toEqual([140_000, 140_000]);
	expect(period()).toMatchObject({ number: 3, expected: 5_000 });
});

test('if staff count the current period, the count includes earlier uncounted periods', () => {
	take(100_000);
	putBack(remove());
	take(50_000);
	expect(journal.cashbox.due(2)).toMatchObject({ first: 1, number: 2, expected: 150_000 });
	expect(journal.cashbox.due(3)).toBeNull();
	count(2);
	expect(period()).toMatchObject({ number: 3, expected: 0 });
	expect(period(2).collected?.expected).toBe(150_000);
	expect(journal.cashbox.uncounted()).toEqual([]);
});

test('a note in flight when the cashbox is removed belongs to the period in which its outcome is received, even after a restart', () => {
	const note_id = begin(50_000);
	const removal = remove();
	journal.close();
	openAgain();
	expect(journal.cashbox.boxOut()).toBe(removal);
	putBack(removal);
	journal.append({ kind: 'cash_credit', note_id, late: true });
	expect([period(1).expected, period().expected]).toEqual([0, 50_000]);
});

test('each removal of the cashbox and its return are recorded only once', () => {
	const removal = remove();
	putBack(removal);
	expect(() => putBack(removal)).toThrow();
	expect(() => putBack(randomUUID())).toThrow();
	expect(() => journal.append({ kind: 'cashbox_removed', removal_id: removal, time: TIME })).toThrow();
});
