import { Invoice } from './back-office.ts';

/**
 * Maximum characters of one text. A longer text is a picture as `data:` address, or a field that no
 * call needs.
 */
const LONGEST_TEXT = 16_000;
/**
 * Maximum characters of the whole, each of up to three bytes: the daemon reads 512 kB of a request,
 * and many servers read 1 MB.
 */
const LONGEST_DETAIL = 128_000;

const withoutBulk = (_name: string, value: unknown): unknown => (typeof value === 'string' && value.length > LONGEST_TEXT ? '' : value);

/**
 * Shortens an invoice for the calls that send it back to the back office. The look-up may contain
 * any amount of data for display. A request with all of it would be refused, and the customer could
 * not pay.
 * @returns the invoice with '' for overlong texts, and with as many fields as fit: fields of the
 * contract before others, short before long
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
