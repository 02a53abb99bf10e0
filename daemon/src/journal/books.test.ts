/**
 * Queries of the journal for staff: the cashbox by period, invoices that need staff, and card
 * charges.
 */
import { randomUUID } from 'node:crypto';
import { type Rupiah, rupiah } from '@kiosk/contract/money';
import { beforeEach, describe, expect, test } from 'vitest';
import { journal, journalOfEachTest } from './journal.fixture.ts';
import { ACCOUNT, keyOf } from './payment.fixture.ts';
import { type CardResponse, type JournalRecord, paymentKey } from './records.ts';

const TOTAL = rupiah(137_500);
const DAY = ['2026-11-21T14:00:00+07:00', '2026-11-22T14:00:00+07:00'] as const;
const payment = (id: number, total: Rupiah = TOTAL) => ({ account: ACCOUNT, id, odoo_id: 'SO', noinvoice: `INV/${id}`, total });

journalOfEachTest();

function begin(nominal: number, id = 7, time: string = DAY[0]): string {
	const note_id = randomUUID();
	journal.append({ kind: 'cash_intent', note_id, payment: payment(id), nominal: rupiah(nominal), code: '0x45', time });
	return note_id;
}
function take(nominal: number, id = 7, time: string = DAY[0]): string {
	const note_id = begin(nominal, id, time);
	journal.append({ kind: 'cash_credit', note_id, late: false });
	return note_id;
}
function lose(nominal: number, id = 7): string {
	const note_id = begin(nominal, id);
	journal.append({ kind: 'cash_in_doubt', note_id, why: 'silence' });
	return note_id;
}
function stray(): string {
	const note_id = randomUUID();
	journal.append({ kind: 'cash_unexplained', note_id, code: null, nominal: null, time: DAY[0] });
	return note_id;
}
function collect(time: string, counted: number | null = null): void {
	journal.append({
		kind: 'cashbox_collected',
		collection_id: randomUUID(),
		by: 'Sari',
		expected: period().expected,
		notes: period().notes,
		counted: counted === null ? null : rupiah(counted),
		time,
	});
}
const period = (number: number | null = null) => journal.cashbox.period(number) ?? expect.fail(`there is no period ${number}`);

describe('a period of the cashbox', () => {
	test('lists uploaded money, waiting money, money without an invoice, and the number of notes of each value, largest value first', () => {
		const first = take(20_000);
		take(100_000);
		take(20_000);
		const unknown = stray();
		journal.append({ kind: 'note_uploaded', note_id: first });
		journal.append({ kind: 'cash_settled', note_id: unknown, outcome: 'in_box', nominal: rupiah(5_000), by: 'Sari', why: 'looked' });
		expect(period()).toMatchObject({
			expected: 145_000,
			notes: [
				{ nominal: 100_000, count: 1 },
				{ nominal: 20_000, count: 2 },
				{ nominal: 5_000, count: 1 },
			],
			uploaded: { count: 1, total: 20_000 },
			waiting: { count: 2, total: 120_000 },
			without_invoice: { count: 1, total: 5_000 },
			settled: [{ note_id: unknown, outcome: 'in_box', nominal: 5_000, by: 'Sari', why: 'looked' }],
			collected: null,
		});
	});

	test('lists the notes in doubt of invoices separately from unexplained notes', () => {
		const doubt = lose(50_000);
		const unknown = stray();
		expect(period().in_doubt).toMatchObject([{ note_id: doubt, noinvoice: 'INV/7', nominal: 50_000, why: 'silence', earlier: false }]);
		expect(period().unexplained).toMatchObject([
			{ note_id: unknown, nominal: null, why: 'the acceptor stacked a note without being told to accept it', earlier: false },
		]);
	});

	test('begins and ends at a count; a note in doubt is listed in its own period and in the current period', () => {
		const doubt = lose(50_000);
		collect(DAY[0], 1_000);
		take(20_000);
		collect(DAY[1]);
		expect(period(1)).toMatchObject({
			since: null,
			until: DAY[0],
			in_doubt: [{ note_id: doubt }],
			collected: { expected: 0, counted: 1_000 },
		});
		expect(period(2)).toMatchObject({ since: DAY[0], until: DAY[1], in_doubt: [], collected: { expected: 20_000, counted: null } });
		expect(period(3)).toMatchObject({ number: 3, since: DAY[1], until: null, expected: 0, in_doubt: [{ note_id: doubt, earlier: true }] });
	});
});

test('a note is found by the beginning of its id; any other text finds no note', () => {
	const note_id = take(50_000);
	expect(journal.cashbox.find(note_id.slice(0, 8))).toMatchObject([{ note_id, noinvoice: 'INV/7', nominal: 50_000, state: 'credited' }]);
	expect(journal.cashbox.find('zz')).toEqual([]);
});

test('the person and reason of a settlement are added to the earlier reason', () => {
	const note_id = lose(50_000);
	journal.append({ kind: 'cash_evidence', note_id, what: 'a stacked byte' });
	journal.append({ kind: 'cash_settled', note_id, outcome: 'returned', nominal: null, by: 'Sari', why: 'the customer has it' });
	expect(journal.notesOf(keyOf(7))).toMatchObject([
		{ state: 'returned', why: 'silence; a stacked byte; settled by Sari: the customer has it' },
	]);
});

test('an invoice is listed as partly paid until its money covers the total; then it is paid', () => {
	take(100_000, 7, DAY[1]);
	take(37_000, 7);
	expect(journal.cashbox.partials()).toMatchObject([{ payment: payment(7), received: 137_000, since: DAY[0] }]);
	take(500, 7, DAY[1]);
	take(1_000, 8);
	expect(journal.cashbox.partials().map((one) => one.payment.id)).toEqual([8]);
	expect(journal.money.balanceOf(keyOf(7))).toMatchObject({ state: 'paid', received: 137_500, due: 0, excess: 0 });
});

test('a receipt or copy counts as printed as soon as it may be on paper; a failed receipt or a slip does not count', () => {
	const print = (purpose: 'receipt' | 'copy' | 'slip', state: 'done' | 'failed' | 'abandoned' | null) => {
		const print_id = randomUUID();
		journal.append({ kind: 'print_requested', print_id, payment_id: keyOf(7), purpose });
		if (state) journal.append({ kind: 'print_ended', print_id, state, reason: '' });
		return print_id;
	};
	print('receipt', 'failed');
	print('slip', 'done');
	expect([journal.timesPrinted(keyOf(7)), journal.openPrints()]).toEqual([0, []]);
	const open = print('receipt', null);
	expect([journal.timesPrinted(keyOf('7')), journal.openPrints()]).toEqual([1, [open]]);
	print('copy', 'done');
	print('copy', 'abandoned');
	expect([journal.timesPrinted(keyOf(7)), journal.timesPrinted(keyOf(8))]).toEqual([3, 0]);
});

test('the acceptor stays locked until staff unlock it', () => {
	expect(journal.acceptorLock()).toBeNull();
	for (const [locked, why] of [
		[true, 'a note was pulled back'],
		[false, 'Sari looked'],
	] as const) {
		journal.append({ kind: 'acceptor_lock', lock_id: randomUUID(), locked, why });
		expect(journal.acceptorLock()).toBe(locked ? why : null);
	}
});

describe('card charges', () => {
	const response = (fields: Partial<CardResponse> = {}): CardResponse => ({
		type: 'sale',
		code: '00',
		amount: TOTAL,
		masked_pan: '************3367',
		rrn: '000000000417',
		approval: '123456',
		date: '20261121',
		time: '143108',
		merchant_id: '000885000012345',
		terminal_id: 'ECR00417',
		invoice: '000042',
		batch: '000001',
		issuer_id: '00',
		...fields,
	});
	const sale = (attempt_id: string, id = 7): JournalRecord => ({
		kind: 'card_sale',
		attempt_id,
		payment: payment(id),
		amount: TOTAL,
		method: 'card',
		attempt: 1,
		time: DAY[0],
	});

	test('are identified by terminal, batch, invoice, RRN and approval number together; a declined response is not a known charge', () => {
		const attempt_id = randomUUID();
		journal.append(sale(attempt_id));
		expect(journal.cards.sale(attempt_id)).toMatchObject({ state: 'sent', answered: false, response: null });
		journal.append({ kind: 'card_outcome', attempt_id, outcome: 'approved', response: response(), late: false });
		expect(journal.cards.sale(attempt_id)).toMatchObject({ state: 'approved', answered: true, response: response() });
		expect(journal.cards.knows(response())).toBe(true);
		expect(journal.cards.knows(response({ code: '51' }))).toBe(false);
		for (const field of ['terminal_id', 'batch', 'invoice', 'rrn', 'approval'] as const)
			expect(journal.cards.knows(response({ [field]: '999999' }))).toBe(false);
	});

	test('invoices with an approved or unknown sale are among the invoices with the newest money', () => {
		const [approved, declined, unknown] = [randomUUID(), randomUUID(), randomUUID()];
		journal.append(sale(approved, 7));
		journal.append({ kind: 'card_outcome', attempt_id: approved, outcome: 'approved', response: response(), late: false });
		journal.append(sale(declined, 8));
		journal.append({ kind: 'card_outcome', attempt_id: declined, outcome: 'declined', response: null, late: false });
		journal.append(sale(unknown, 9));
		journal.append({ kind: 'card_unknown', attempt_id: unknown, why: 'silence', response: null });
		expect(journal.money.newestInvoices(ACCOUNT, 20).map(({ id }) => id)).toEqual([9, 7]);
	});

	test('invoices with a note in doubt or an unknown sale come before those with the newest money; an invoice with only a returned note is left out', () => {
		const unknown = randomUUID();
		journal.append(sale(unknown, 6));
		journal.append({ kind: 'card_unknown', attempt_id: unknown, why: 'silence', response: null });
		lose(50_000, 7);
		journal.append({ kind: 'cash_returned', note_id: begin(50_000, 8) });
		for (const id of [9, 10, 11]) take(50_000, id);
		expect(journal.money.newestInvoices(ACCOUNT, 4).map(({ id }) => id)).toEqual([7, 6, 11, 10]);
	});

	test('voids and settlements without a recorded outcome are listed', () => {
		const [voided, closed] = [randomUUID(), randomUUID()];
		const attempt_id = randomUUID();
		journal.append(sale(attempt_id));
		journal.append({ kind: 'card_outcome', attempt_id, outcome: 'approved', response: response(), late: false });
		journal.append({ kind: 'card_action', action_id: voided, action: 'void', attempt_id, by: 'Sari', why: 'x', time: DAY[0] });
		journal.append({ kind: 'card_action', action_id: closed, action: 'settlement', attempt_id: null, by: 'Sari', why: 'x', time: DAY[0] });
		expect(journal.cards.openActions()).toEqual(
			expect.arrayContaining([
				{ action_id: voided, action: 'void' },
				{ action_id: closed, action: 'settlement' },
			]),
		);
		journal.append({ kind: 'card_action_ended', action_id: closed, outcome: 'refused', why: '', response: null });
		expect(journal.cards.openActions()).toEqual([{ action_id: voided, action: 'void' }]);
		expect(journal.cards.sale(attempt_id)?.state).toBe('approved');
	});

	test('that staff recorded as not charged are not part of the terminal’s next settlement and are not reported to the back office', () => {
		const attempt_id = randomUUID();
		journal.append(sale(attempt_id));
		journal.append({ kind: 'card_unknown', attempt_id, why: 'silence', response: null });
		journal.append({ kind: 'card_settled', settle_id: randomUUID(), attempt_id, outcome: 'not_charged', by: 'Sari', why: 'no slip' });
		expect([journal.cards.unsettled(), journal.cards.nextApproval(ACCOUNT), journal.cards.waitingApprovals()]).toEqual([[], null, 0]);
		expect(() => journal.append({ kind: 'card_approval_sent', attempt_id })).toThrow();
		expect(journal.cards.sale(attempt_id)?.why).toBe('silence; settled by Sari: no slip');
	});
});

describe('a list of the back office that names a note taken for another invoice', () => {
	const NOTHING = { notes_confirmed: rupiah(0), cards_confirmed: rupiah(0), told: rupiah(0) };
	/** The state of this invoice when the server lists this note as its payment. */
	const listedAt = (id: number, note_id: string, is_paid = false, noinvoice = `INV/${id}`) => {
		const listed = [{ nominal: rupiah(50_000), note_id, time: '' }];
		const key = paymentKey({ ...payment(id), noinvoice });
		const { state, received, why } = journal.money.balanceOf(key, { total: rupiah(50_000), is_paid, listed, own: NOTHING });
		return { state, received, why };
	};

	test('is a dispute, even if it reports "paid": the note would pay two invoices', () => {
		const note_id = take(50_000, 7);
		const why = 'the back office lists a note of Rp 50000 that was taken for INV/7';
		for (const is_paid of [false, true]) expect(listedAt(8, note_id, is_paid)).toMatchObject({ state: 'dispute', why });
	});

	test('is accepted if it says "paid" and staff gave the note back, or the invoice only got a new number; "unpaid" under the new number is a dispute', () => {
		const note_id = take(50_000, 7);
		expect(listedAt(7, note_id, false, 'INV/7-B')).toMatchObject({ state: 'dispute', why: expect.stringContaining('says unpaid') });
		expect(listedAt(7, note_id, true, 'INV/7-B')).toMatchObject({ state: 'paid', received: 50_000 });
		const back = { give_id: randomUUID(), payment_id: keyOf(7), amount: rupiah(50_000), by: 'Sari', why: 'x', time: DAY[0] };
		journal.append({ kind: 'money_given_back', ...back });
		expect(listedAt(8, note_id, true)).toMatchObject({ state: 'paid', received: 50_000 });
	});
});

describe('a note of an earlier number of the invoice, which the back office lists under the present number', () => {
	const renumbered = { ...payment(7), noinvoice: 'INV/7-B' };
	const key = paymentKey(renumbered);
	let old = '';
	/**
	 * Records an answer of the back office that lists the old note and these notes of the new number.
	 */
	function tell(own: readonly string[], is_paid: boolean): void {
		const listed = [old, ...own].map((note_id) => ({ nominal: note_id === old ? rupiah(50_000) : rupiah(100_000), note_id, time: '' }));
		const told = rupiah(own.length * 100_000);
		const known = { notes_confirmed: told, cards_confirmed: rupiah(0), told };
		journal.append({
			kind: 'invoice_seen',
			seen_id: randomUUID(),
			payment: renumbered,
			is_paid,
			listed,
			own: known,
			source: 'look_up',
			time: DAY[0],
		});
	}
	function takeNew(): string {
		const note_id = randomUUID();
		journal.append({ kind: 'cash_intent', note_id, payment: renumbered, nominal: rupiah(100_000), code: '0x46', time: DAY[0] });
		journal.append({ kind: 'cash_credit', note_id, late: false });
		journal.append({ kind: 'note_uploaded', note_id });
		return note_id;
	}
	const give = (payment_id: string, amount: number) =>
		journal.append({
			kind: 'money_given_back',
			give_id: randomUUID(),
			payment_id,
			amount: rupiah(amount),
			by: 'Sari',
			why: 'x',
			time: DAY[0],
		});
	const states = () => journal.money.attention().map(({ payment: { noinvoice }, state, twice }) => ({ noinvoice, state, twice }));
	beforeEach(() => {
		old = take(50_000);
	});

	test('counts until staff give it back; after that, the invoice is in dispute if the server says paid', () => {
		tell([takeNew()], true);
		expect(journal.money.balanceOf(key)).toMatchObject({ state: 'paid', received: 150_000 });
		give(keyOf(7), 50_000);
		const why = 'the back office says paid and counts Rp 50000 that was given back';
		expect(journal.money.balanceOf(key)).toMatchObject({ state: 'dispute', received: 100_000, why });
		expect(states()).toMatchObject([{ noinvoice: 'INV/7-B', state: 'dispute' }]);
	});

	test('no longer counts after staff gave it back; if the server says unpaid, its amount is due again', () => {
		tell([], false);
		expect(journal.money.balanceOf(key)).toMatchObject({ due: 87_500 });
		give(keyOf(7), 50_000);
		expect(journal.money.balanceOf(key)).toMatchObject({ state: 'open', due: 137_500 });
	});

	test('has to be given back only once, although staff see the invoice under both numbers', () => {
		tell([takeNew(), takeNew()], true);
		expect(states()).toMatchObject([
			{ noinvoice: 'INV/7', state: 'partial' },
			{ noinvoice: 'INV/7-B', state: 'paid_twice', twice: 112_500 },
		]);
		give(keyOf(7), 50_000);
		expect(states()).toEqual([]);
		expect(journal.money.balanceOf(key)).toMatchObject({ state: 'paid', excess: 62_500 });
	});

	test('leads to a dispute if it is given back under both numbers', () => {
		tell([takeNew(), takeNew()], true);
		give(key, 112_500);
		expect(journal.money.balanceOf(key)).toMatchObject({ state: 'paid', received: 137_500 });
		give(keyOf(7), 50_000);
		expect(states()).toMatchObject([{ noinvoice: 'INV/7-B', state: 'dispute' }]);
	});
});
