/** Reads an answer to a look-up. */
import { Invoice, InvoiceInfo } from '@kiosk/contract/back-office';
import { type OpenPayment, openPaymentOf } from '@kiosk/contract/open-payment';
import * as v from 'valibot';
import type { InvoiceView } from '../journal/money-facts.ts';
import type { Payment } from '../journal/records.ts';

/**
 * @returns the invoice without `json_data`, the QR picture and fields outside the contract. Only
 * the page needs them, and they may be very large
 */
export const keptOf = (invoice: Invoice): Invoice => v.parse(v.object(Invoice.entries), { ...invoice, json_data: null, qr_url: '' });

/** Maximum length of a text about a virtual account, characters. */
const LONGEST_TEXT = 200;

/**
 * @returns the invoice's open QRIS code or virtual account for printouts: without the QR picture,
 * and with its texts cut, because the printer's renderer takes minutes for a very long word
 */
export function keptOpenOf(invoice: Invoice): OpenPayment | null {
	const open = openPaymentOf(invoice);
	if (open === null) return null;
	const expiry = open.expiry.slice(0, LONGEST_TEXT);
	if (open.kind === 'qris') return { kind: 'qris', qr_url: '', expiry };
	const [no_va, bank, company_code] = [open.no_va, open.bank, open.company_code].map((text) => text.slice(0, LONGEST_TEXT));
	return { kind: 'va', no_va: no_va ?? '', bank: bank ?? '', company_code: company_code ?? '', expiry };
}

export const paymentOf = (account: NonNullable<Payment['account']>, { id, odoo_id, noinvoice, total }: Invoice): Payment => ({
	account,
	id,
	odoo_id: odoo_id ?? null,
	noinvoice,
	total,
});

/**
 * @returns the payments that the invoice lists. A payment with a `note_id` is the kiosk's note with
 * this id
 */
export const listedOf = (invoice: Invoice): InvoiceView['listed'] =>
	(invoice.list_pembayaran ?? []).map(({ nominal, tanggal, note_id }) => ({ nominal, note_id: noteIdOf(note_id), time: tanggal }));

const UUID = /^[\s{]*([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})[\s}]*$/i;

/**
 * Converts a UUID to lower case with hyphens, as the kiosk writes it. Databases may return it in
 * capitals, in braces or without hyphens. If the kiosk did not recognise the id, the note would
 * count twice. Other texts stay unchanged; an empty text becomes null.
 */
function noteIdOf(written: string | null | undefined): string | null {
	const parts = UUID.exec(written ?? '')?.slice(1);
	return parts ? parts.join('-').toLowerCase() : written || null;
}

/**
 * @returns whether two answers have the same content. If so, the newer answer need not be written
 */
export const isSameView = (one: InvoiceView, other: InvoiceView): boolean =>
	JSON.stringify(orderedView(one)) === JSON.stringify(orderedView(other));

const orderedView = ({ total, is_paid, listed, own, ownAtList }: InvoiceView) => [
	total,
	is_paid,
	listed.map(({ nominal, note_id, time }) => [nominal, note_id, time]),
	...[own, ownAtList ?? own].map((known) => [known.notes_confirmed, known.cards_confirmed, known.told, known.nameless]),
];

/** @returns the parsed answer to a look-up; null if the body contains no valid invoice */
export function parseInfo(body: Buffer): InvoiceInfo | null {
	try {
		return v.parse(InvoiceInfo, JSON.parse(body.toString('utf8')));
	} catch {
		return null;
	}
}
