/**
 * Reads and writes a customer's data in session storage. Number, invoice and receipt are personal
 * and are cleared when the visit ends.
 */

const HP = 'inputHp';
export const DETAIL = 'customerDetail';
export const RECEIPT = 'receipt';
const LANGUAGE = 'language';

/**
 * Values for which session storage had no room. After a reload they are lost, and the page looks
 * the invoice up again.
 */
const unstored = new Map<string, string>();

const readText = (key: string): string | null => unstored.get(key) ?? sessionStorage.getItem(key);

function forget(key: string): void {
	unstored.delete(key);
	sessionStorage.removeItem(key);
}

function writeText(key: string, text: string): void {
	// If there is no room for the new value, the previous value must not stay stored.
	forget(key);
	try {
		sessionStorage.setItem(key, text);
	} catch {
		unstored.set(key, text);
	}
}

/** @returns the phone or invoice number that the customer entered; '' if there is none */
export const readHp = (): string => readText(HP) ?? '';
export const writeHp = (hp: string): void => writeText(HP, hp);

/**
 * The number that the customer wants to correct on the home screen. It is kept only in memory,
 * until the home screen shows it.
 */
let draft = '';

export const keepDraft = (number: string): void => {
	draft = number;
};
/** @returns the number that the customer wants to correct; '' if there is none */
export const readDraft = (): string => draft;

/** @returns the language that the customer chose, or null */
export const readLanguage = (): string | null => readText(LANGUAGE);
export const writeLanguage = (language: string): void => writeText(LANGUAGE, language);
export const forgetLanguage = (): void => forget(LANGUAGE);

/** @param value any JSON value */
export const writeStored = (key: string, value: unknown): void => writeText(key, JSON.stringify(value));

/**
 * @param key its key in session storage
 * @returns the value, not checked; null if it is missing or not JSON
 */
export function readStored(key: string): unknown {
	try {
		return JSON.parse(readText(key) ?? 'null');
	} catch {
		return null;
	}
}

/**
 * @returns the number of the chosen invoice; '' if there is none. The function needs no schema, so
 * that even the crash screen can call it.
 */
export function readInvoiceNumber(): string {
	const stored = readStored(DETAIL) as { noinvoice?: unknown } | null;
	return typeof stored?.noinvoice === 'string' ? stored.noinvoice : '';
}

export const clearVisit = (): void => {
	for (const key of [HP, DETAIL, RECEIPT]) forget(key);
};
