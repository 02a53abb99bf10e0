/** Invoices settled by staff are listed again only when more money arrives. */
import { randomUUID } from 'node:crypto';
import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import { journal, journalOfEachTest } from './journal.fixture.ts';
import { ACCOUNT, keyOf, paymentOf } from './payment.fixture.ts';
import type { JournalRecord } from './records.ts';

const TIME = '2026-11-21T14:31:08+07:00';
const BY = { by: 'Sari', why: 'compared' };

journalOfEachTest();

const write = (record: JournalRecord) => expect(journal.append(record)).toMatchObject({ ok: true });
function credit(account: typeof ACCOUNT | null = ACCOUNT): string {
	const note_id = randomUUID();
	write({ kind: 'cash_intent', note_id, payment: paymentOf(7, { account }), nominal: rupiah(50_000), code: '0x45', time: TIME });
	write({ kind: 'cash_credit', note_id, late: false });
	return note_id;
}
/** The back office lists these payments, none of them from this kiosk. */
const list = (...nominals: number[]) =>
	write({
		kind: 'invoice_seen',
		seen_id: randomUUID(),
		payment: paymentOf(7),
		is_paid: false,
		listed: nominals.map((nominal) => ({ nominal: rupiah(nominal), note_id: null, time: TIME })),
		own: { notes_confirmed: rupiah(0), cards_confirmed: rupiah(0), told: rupiah(0) },
		source: 'look_up',
		time: TIME,
	});
const settle = () => write({ kind: 'partial_settled', settle_id: randomUUID(), payment_id: keyOf(7), ...BY });
const states = () => journal.money.attention().map(({ state, twice }) => [state, Number(twice)]);

test('an invoice settled by staff as paid elsewhere stays off the list until it is paid twice', () => {
	credit();
	expect(states()).toEqual([['partial', 0]]);
	settle();
	list(20_000);
	expect(states()).toEqual([]);
	list(137_500);
	expect(states()).toEqual([['paid_twice', 50_000]]);
});

test('a settled invoice is listed again when staff move a note to it, even if the note was taken before the settlement', () => {
	const note_id = randomUUID();
	const other = paymentOf(8);
	write({ kind: 'cash_intent', note_id, payment: other, nominal: rupiah(50_000), code: '0x45', time: TIME });
	write({ kind: 'cash_credit', note_id, late: false });
	write({ kind: 'note_parked', park_id: randomUUID(), note_id, reason: 'gone' });
	credit();
	settle();
	expect(journal.money.attention().map(({ payment: { id } }) => id)).toEqual([8]);
	write({ kind: 'note_moved', move_id: randomUUID(), note_id, from: keyOf(8), payment: paymentOf(7), ...BY });
	expect(journal.money.attention()).toMatchObject([{ payment: { id: 7 }, state: 'partial', received: 100_000 }]);
	settle();
	expect(states()).toEqual([]);
});

test('after staff confirm that an invoice is not paid, it stays listed because of this kiosk’s money', () => {
	credit();
	const own = { notes_confirmed: rupiah(50_000), cards_confirmed: rupiah(0), told: rupiah(50_000) };
	const seen_id = randomUUID();
	write({ kind: 'invoice_seen', seen_id, payment: paymentOf(7), is_paid: true, listed: [], own, source: 'message', time: TIME });
	list(50_000);
	expect(states()).toEqual([['dispute', 0]]);
	write({ kind: 'invoice_reviewed', review_id: randomUUID(), payment_id: keyOf(7), ...BY });
	expect(states()).toEqual([['partial', 0]]);
	settle();
	expect(states()).toEqual([]);
});

test('a double payment settled by staff stays off the list until more money arrives', () => {
	credit();
	list(137_500);
	settle();
	list(137_500);
	expect(states()).toEqual([]);
	list(137_500, 137_500);
	expect(states()).toEqual([['paid_twice', 187_500]]);
	settle();
	credit();
	expect(states()).toEqual([['paid_twice', 237_500]]);
});

test('money given back is due again at the next visit; giving back more than the kiosk holds is refused', () => {
	credit();
	const give = (amount: number) =>
		journal.append({ kind: 'money_given_back', give_id: randomUUID(), payment_id: keyOf(7), amount: rupiah(amount), ...BY, time: TIME });
	expect(() => give(50_001)).toThrow('refuses money_given_back');
	expect(give(50_000)).toMatchObject({ ok: true });
	expect(journal.money.balanceOf(keyOf(7))).toMatchObject({ state: 'open', received: 0, due: 137_500, entries: [] });
	expect(states()).toEqual([]);
});

test('a note that staff entered by hand counts as known to the back office but not as confirmed, and as listed without a note id', () => {
	const note_id = credit();
	write({ kind: 'note_parked', park_id: randomUUID(), note_id, reason: 'refused' });
	write({ kind: 'note_booked', note_id, ...BY });
	const asked = {
		seq: journal.money.position(),
		mayBeTold: () => false,
		isConfirmedLately: () => false,
		isNamed: () => false,
		isPaid: false,
	};
	expect(journal.money.ownAtAnswer(keyOf(7), asked)).toEqual({ notes_confirmed: 0, cards_confirmed: 0, told: 50_000, nameless: 50_000 });
});

test('a note without an account is not sent; when it is parked, staff can move it to an invoice', () => {
	const note_id = credit(null);
	expect(journal.waitingUploads().count).toBe(0);
	expect(journal.parked()).toMatchObject([{ note_id, unassigned: true, parked: expect.stringContaining('earlier version') }]);
	write({ kind: 'note_parked', park_id: randomUUID(), note_id, reason: 'no account' });
	write({ kind: 'note_moved', move_id: randomUUID(), note_id, from: '7', payment: paymentOf(8), ...BY });
	expect(journal.parked()).toEqual([]);
	expect(journal.nextUpload(ACCOUNT)).toMatchObject({ note_id, noinvoice: 'INV/8' });
});

test('notes of other accounts are counted, with the names of these accounts, and listed one by one', () => {
	const other = { ...ACCOUNT, outlet: 'bengkel' };
	const note_id = credit(other);
	credit();
	expect(journal.waitingForOthers(ACCOUNT)).toEqual({ count: 1, total: 50_000, accounts: [other] });
	expect(journal.notesForOthers(ACCOUNT, 10)).toMatchObject([{ note_id }]);
	expect(journal.waitingForOthers(null)).toMatchObject({ count: 2, total: 100_000 });
});

test('a search by invoice number finds payments of all accounts; a search by id finds only those of the logged-in account and those without an account', () => {
	credit();
	credit({ ...ACCOUNT, outlet: 'bengkel' });
	credit(null);
	expect(journal.money.paymentsNamed('INV/7', ACCOUNT)).toHaveLength(3);
	expect(journal.money.paymentsNamed('7', ACCOUNT).map(({ account }) => account?.outlet ?? null)).toEqual(['outlet', null]);
	expect(journal.money.paymentsNamed('INV/8', ACCOUNT)).toEqual([]);
});
