import type { Invoice } from './back-office.ts';
import { parseBoundedJson } from './bounded-json.ts';

/** A looked-up invoice, including fields that the schema does not name. */
type Looked = Pick<Invoice, 'json_data' | 'payment_type'>;

export type QrisPayment = { kind: 'qris'; qr_url: string; expiry: string };
export type VaPayment = { kind: 'va'; no_va: string; bank: string; company_code: string; expiry: string };
/**
 * An open QRIS code or virtual account. Texts are '' if the server does not send them; `expiry` is
 * as the server wrote it.
 */
export type OpenPayment = QrisPayment | VaPayment;

/** Names that providers use for each field; the first name is that of the specification. */
const FIELDS = {
	qr_url: ['qr_url', 'qr_string', 'qris'],
	no_va: ['no_va', 'va_number', 'account_number'],
	bank: ['bank'],
	company_code: ['company_code'],
	expiry: ['expiry_time', 'expired_at'],
} as const;

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** @returns the provider's data, parsed if it is a text with JSON */
function unwrapped(data: unknown): unknown {
	if (typeof data !== 'string') return data;
	try {
		return parseBoundedJson(data);
	} catch {
		return data;
	}
}

/**
 * @returns the objects that may contain a field, most reliable first: the invoice, its payment
 * data, and objects nested in the payment data
 */
function placesOf(detail: Looked): Fields[] {
	const data = unwrapped(detail.json_data);
	return isFields(data) ? [{ ...detail }, data, ...Object.values(data).map(unwrapped).filter(isFields)] : [{ ...detail }];
}

function textIn(places: readonly Fields[], names: readonly string[]): string {
	for (const place of places) {
		for (const name of names) {
			const value = place[name];
			const written = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
			if (written !== '') return written;
		}
	}
	return '';
}

/** @returns the open QRIS code or virtual account of this invoice; null if none can be displayed */
export function openPaymentOf(detail: Looked): OpenPayment | null {
	const places = placesOf(detail);
	const text = (field: keyof typeof FIELDS) => textIn(places, FIELDS[field]);
	const expiry = text('expiry');
	const qris: QrisPayment = { kind: 'qris', qr_url: text('qr_url'), expiry };
	const va: VaPayment = { kind: 'va', no_va: text('no_va'), bank: text('bank').toLowerCase(), company_code: text('company_code'), expiry };
	// Payment type 1 means QRIS, even if the server still sends the number of an earlier virtual
	// account.
	const [first, second] = String(detail.payment_type) === '1' ? [qris, va] : [va, qris];
	const known = (payment: OpenPayment) => (payment.kind === 'qris' ? payment.qr_url : payment.no_va) !== '';
	return known(first) ? first : known(second) ? second : null;
}

/**
 * @returns whether the invoice has an open QRIS code or virtual account, even if the kiosk cannot
 * display it
 */
export function paymentInUse(detail: Looked): boolean {
	if (openPaymentOf(detail) !== null) return true;
	const data = unwrapped(detail.json_data);
	return typeof data === 'string' ? data.trim() !== '' : isFields(data) && Object.keys(data).length > 0;
}
