import { Invoice } from './back-office.ts';

/** Maximum characters of one text. Longer texts are pictures, or fields that no call needs. */
const LONGEST_TEXT = 16_000;
/**
 * Maximum characters of the invoice's JSON. A character has up to three bytes; the daemon accepts
 * requests of up to 512 kB, and many servers of up to 1 MB.
 */
const LONGEST_DETAIL = 128_000;

const withoutBulk = (_name: string, value: unknown): unknown => (typeof value === 'string' && value.length > LONGEST_TEXT ? '' : value);

/**
 * Shortens an invoice for the calls that send it back to the back office. If the looked-up invoice
 * is very large, a server would refuse the request and the customer could not pay.
 * @returns the invoice with '' for overlong texts and with as many fields as fit. Fields of the
 * contract come first; among the others, short fields come first
 */
export function shortenDetail<T extends object>(detail: T): Partial<T> {
	const fields = Object.entries(detail)
		.map(([name, value]) => ({ isKnown: Object.hasOwn(Invoice.entries, name), json: JSON.stringify({ [name]: value }, withoutBulk) }))
		.sort((a, b) => Number(b.isKnown) - Number(a.isKnown) || a.json.length - b.json.length);
	const sent: Partial<T> = {};
	let left = LONGEST_DETAIL;
	for (const { json } of fields) {
		if (json.length > left) continue;
		left -= json.length;
		Object.assign(sent, JSON.parse(json));
	}
	return sent;
}
