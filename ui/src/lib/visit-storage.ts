/** A customer's data in session storage. All of it is personal and cleared when the visit ends. */

const HP = 'inputHp';
export const DETAIL = 'customerDetail';
export const RECEIPT = 'receipt';
const LANGUAGE = 'language';

/** @returns the entered phone or invoice number, '' when none */
export const readHp = (): string => sessionStorage.getItem(HP) ?? '';
export const writeHp = (hp: string): void => sessionStorage.setItem(HP, hp);

/** A number to be corrected on the home screen: in memory only, and only until it is shown. */
let draft = '';

export const keepDraft = (number: string): void => {
	draft = number;
};
/** @returns the number that the customer wants to correct, '' when none */
export const readDraft = (): string => draft;

/** @returns the language that the customer chose, or null */
export const readLanguage = (): string | null => sessionStorage.getItem(LANGUAGE);
export const writeLanguage = (language: string): void => sessionStorage.setItem(LANGUAGE, language);
export const forgetLanguage = (): void => sessionStorage.removeItem(LANGUAGE);

/**
 * @param key in session storage
 * @returns the value, unchecked; null when it is missing or not JSON
 */
export function readStored(key: string): unknown {
	try {
		return JSON.parse(sessionStorage.getItem(key) ?? 'null');
	} catch {
		return null;
	}
}

/**
 * @returns the number of the chosen invoice, '' when none; needs no schema, so that the crash
 * screen can call it
 */
export function readInvoiceNumber(): string {
	const stored = readStored(DETAIL) as { noinvoice?: unknown } | null;
	return typeof stored?.noinvoice === 'string' ? stored.noinvoice : '';
}

export const clearVisit = (): void => {
	for (const key of [HP, DETAIL, RECEIPT]) sessionStorage.removeItem(key);
};
