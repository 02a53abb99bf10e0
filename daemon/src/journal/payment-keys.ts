/** The parts of a payment's key, and the keys that share its beginning. */
import { type Account, accountKey, type PaymentKey } from './records.ts';

/** @returns the prefix shared by all keys with this account and id */
export function withoutNumber(key: PaymentKey): string {
	const parts = partsOf(key);
	return parts ? `${JSON.stringify(parts.slice(0, -1)).slice(0, -1)},`.toWellFormed() : key;
}

/** @returns id and invoice number in a key with an account; for a bare id, two empty texts */
export function idAndNumber(key: PaymentKey): [string, string] {
	const [id, noinvoice] = partsOf(key)?.slice(-2) ?? [];
	return [String(id ?? ''), String(noinvoice ?? '')];
}

/** @returns the parts of a key; null for the bare id of old records */
function partsOf(key: PaymentKey): unknown[] | null {
	try {
		const parts: unknown = JSON.parse(key);
		return Array.isArray(parts) ? parts : null;
	} catch {
		return null;
	}
}

/** @returns the bounds of all keys with this account and id, for any invoice number */
export function keysWithId(account: Account, id: string): [string, string] {
	return keysFrom(`${accountKey(account)?.slice(0, -1)},${JSON.stringify(id)},`.toWellFormed());
}

/** @returns the bounds of all keys with this beginning */
export const keysFrom = (beginning: string): [string, string] => [beginning, `${beginning}\u{10ffff}`];
