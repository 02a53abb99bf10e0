import { randomUUID } from 'node:crypto';
import { rupiah } from '@kiosk/contract/money';
import { isPaidState } from './balance.ts';
import type { Journal } from './journal.ts';
import { type Account, type CardResponse, type JournalRecord, type Payment, type PaymentKey, paymentKey } from './records.ts';

/** The logged-in outlet of the unit tests. */
export const ACCOUNT: Account = { server: 'https://dealer.example', outlet: 'outlet', development: false };

/** @returns a payment of `ACCOUNT` whose invoice number is derived from the id */
export const paymentOf = (id: number | string, more: Partial<Payment> = {}): Payment => ({
	account: ACCOUNT,
	id,
	odoo_id: null,
	noinvoice: `INV/${id}`,
	total: rupiah(137_500),
	...more,
});

/** Fields of a terminal's response, all empty, as in a failure. */
export const NO_NUMBERS = {
	masked_pan: '',
	rrn: '',
	approval: '',
	date: '',
	time: '',
	merchant_id: '',
	terminal_id: '',
	invoice: '',
	batch: '',
	issuer_id: '',
};

/** The response with which a terminal declines a sale. */
export const DECLINED: CardResponse = { ...NO_NUMBERS, type: 'sale', code: '51', amount: null };

/** @returns the key of `paymentOf` with these parameters */
export const keyOf = (id: number | string, more: Partial<Payment> = {}): PaymentKey => paymentKey(paymentOf(id, more));

/** @returns which side declared the payment paid at its present total, or null */
export function paidBy(journal: Journal, id: number | string): 'back_office' | 'kiosk' | null {
	const key = keyOf(id);
	const { state } = journal.money.balanceOf(key);
	if (!isPaidState(state)) return null;
	return journal.money.viewOf(key)?.is_paid ? 'back_office' : 'kiosk';
}

/**
 * @param told confirmed notes of this kiosk that the "paid" may include, rupiah
 * @returns a record in which the back office reports "paid" without a list
 */
export const saidPaid = (id: number | string, told = rupiah(0)): JournalRecord => ({
	kind: 'invoice_seen',
	seen_id: randomUUID(),
	payment: paymentOf(id),
	is_paid: true,
	listed: [],
	own: { notes_confirmed: told, cards_confirmed: rupiah(0), told },
	source: 'message',
	time: '2026-11-21T14:31:08+07:00',
});
