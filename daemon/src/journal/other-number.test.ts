/**
 * The back office gives an invoice another number, and perhaps does not list the money taken under
 * the old number.
 */
import { randomUUID } from 'node:crypto';
import { rupiah } from '@kiosk/contract/money';
import { beforeEach, expect, test } from 'vitest';
import { journal, journalOfEachTest, TIME } from './journal.fixture.ts';
import { NO_NUMBERS, paymentOf } from './payment.fixture.ts';
import { type Payment, paymentKey } from './records.ts';

journalOfEachTest();

const OLD = paymentOf(7, { odoo_id: 'SO7', noinvoice: 'INV/7' });
const NEW = paymentOf(7, { odoo_id: 'SO7', noinvoice: 'INV/7-REV' });

/** Records an answer of the back office that lists these amounts, rupiah. */
function answers(payment: Payment, { listed = [] as number[], confirmed = 0, is_paid = false } = {}): void {
	journal.append({
		kind: 'invoice_seen',
		seen_id: randomUUID(),
		payment,
		is_paid,
		listed: listed.map((nominal) => ({ nominal: rupiah(nominal), note_id: null, time: TIME })),
		own: { notes_confirmed: rupiah(confirmed), cards_confirmed: rupiah(0), told: rupiah(confirmed), nameless: rupiah(0) },
		source: 'look_up',
		time: TIME,
	});
}

/** @returns the id of the note */
function take(payment: Payment, nominal: number, isUploaded = true): string {
	const note_id = randomUUID();
	journal.append({ kind: 'cash_intent', note_id, payment, nominal: rupiah(nominal), code: '0x45', time: TIME });
	journal.append({ kind: 'cash_credit', note_id, late: false });
	if (isUploaded) journal.append({ kind: 'note_uploaded', note_id });
	return note_id;
}

function giveBack(payment: Payment, nominal: number): void {
	const given = {
		give_id: randomUUID(),
		payment_id: paymentKey(payment),
		amount: rupiah(nominal),
		by: 'Sari',
		why: 'returned',
		time: TIME,
	};
	journal.append({ kind: 'money_given_back', ...given });
}

function sell(payment: Payment, amount: number): void {
	const attempt_id = randomUUID();
	journal.append({ kind: 'card_sale', attempt_id, payment, amount: rupiah(amount), method: 'card', attempt: 1, time: TIME });
	const response = { ...NO_NUMBERS, type: 'sale', code: '00', amount: rupiah(amount) } as const;
	journal.append({ kind: 'card_outcome', attempt_id, outcome: 'approved', response, late: false });
}

const balanceOf = (payment: Payment) => journal.money.balanceOf(paymentKey(payment));

beforeEach(() => answers(OLD));

test.each<[string, (payment: Payment, amount: number) => unknown]>([
	['cash', take],
	['a card sale', sell],
])('after %s under the old number, an empty list under the new number is a dispute, so that the customer does not pay again', (_, pay) => {
	pay(OLD, 50_000);
	answers(NEW);
	const why = 'the back office does not list Rp 50000 that this kiosk took for the same invoice as INV/7';
	expect(balanceOf(NEW)).toMatchObject({ state: 'dispute', why });
	expect(journal.money.attention()).toContainEqual(expect.objectContaining({ payment: NEW, state: 'dispute' }));
});

test('money that the list shows under the new number counts once', () => {
	take(OLD, 50_000);
	answers(NEW, { listed: [50_000] });
	expect(balanceOf(NEW)).toMatchObject({ state: 'open', received: 50_000 });
	take(NEW, 20_000);
	answers(NEW, { listed: [50_000, 20_000], confirmed: 20_000 });
	expect(balanceOf(NEW)).toMatchObject({ state: 'partial', received: 70_000 });
	answers(NEW, { listed: [20_000], confirmed: 20_000 });
	expect(balanceOf(NEW).state).toBe('dispute');
});

test('money taken under the new number causes no dispute under the old number, even if the back office no longer answers about the old number', () => {
	take(OLD, 50_000);
	answers(OLD, { listed: [50_000], confirmed: 50_000 });
	answers(NEW, { listed: [50_000] });
	take(NEW, 20_000);
	expect([OLD, NEW].map((payment) => balanceOf(payment).state)).toEqual(['partial', 'partial']);
	answers(NEW, { listed: [50_000, 20_000], confirmed: 20_000 });
	expect(journal.money.attention().map(({ state }) => state)).toEqual(['partial', 'partial']);
});

test('a note that staff move to the new number causes no dispute under the old number', () => {
	const note_id = take(OLD, 50_000, false);
	answers(OLD);
	journal.append({ kind: 'note_parked', park_id: randomUUID(), note_id, reason: 'the back office answered 422' });
	answers(NEW);
	expect(balanceOf(NEW).state).toBe('dispute');
	const moved = {
		kind: 'note_moved',
		move_id: randomUUID(),
		note_id,
		from: paymentKey(OLD),
		payment: NEW,
		by: 'Sari',
		why: 'new number',
	} as const;
	journal.append(moved);
	expect([OLD, NEW].map((payment) => balanceOf(payment).state)).toEqual(['open', 'partial']);
});

test('money that was given back and removed from the list does not count as missing', () => {
	take(OLD, 50_000);
	answers(NEW, { listed: [50_000] });
	take(NEW, 20_000);
	answers(NEW, { listed: [50_000, 20_000], confirmed: 20_000 });
	giveBack(NEW, 20_000);
	answers(NEW, { listed: [50_000], confirmed: 20_000 });
	expect(balanceOf(NEW).state).not.toBe('dispute');
});

test('the dispute about unlisted money ends with an entry in the list, a "paid" or a review; money taken after the review causes a dispute again', () => {
	take(OLD, 50_000);
	answers(NEW);
	answers(NEW, { listed: [50_000] });
	expect(balanceOf(NEW).state).toBe('open');
	answers(NEW, { is_paid: true });
	expect(balanceOf(NEW).state).toBe('paid');
	answers(NEW);
	expect(balanceOf(NEW).state).toBe('dispute');
	journal.append({ kind: 'invoice_reviewed', review_id: randomUUID(), payment_id: paymentKey(NEW), by: 'Sari', why: 'compared' });
	expect(balanceOf(NEW)).toMatchObject({ state: 'open', due: 137_500 });
	take(OLD, 20_000);
	answers(NEW, { listed: [1_000] });
	expect(balanceOf(NEW).why).toContain('Rp 19000');
});

test('money that was given back, and money of another invoice with a reused id, cause no dispute', () => {
	take(OLD, 50_000);
	answers(paymentOf(7, { odoo_id: 'SO8', noinvoice: 'INV/8' }));
	expect(balanceOf(paymentOf(7, { noinvoice: 'INV/8' })).state).toBe('open');
	giveBack(OLD, 50_000);
	answers(NEW);
	expect(balanceOf(NEW).state).toBe('open');
});
