/** A customer's data in session storage. All of it is personal and cleared when the visit ends. */

import { Receipt } from '@kiosk/contract/receipt';
import * as v from 'valibot';
import { CustomerDetail } from './customer-detail.ts';

const HP = 'inputHp';
const DETAIL = 'customerDetail';
const RECEIPT = 'receipt';
const LANGUAGE = 'language';

const read = <T>(key: string, schema: v.GenericSchema<unknown, T>): T | null => {
	try {
		const parsed = v.safeParse(schema, JSON.parse(sessionStorage.getItem(key) ?? 'null'));
		return parsed.success ? parsed.output : null;
	} catch {
		return null;
	}
};

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

/** @returns the invoice chosen for payment, or null */
export const readDetail = (): CustomerDetail | null => read(DETAIL, CustomerDetail);
export const writeDetail = (detail: CustomerDetail): void => sessionStorage.setItem(DETAIL, JSON.stringify(detail));

/** @returns the language that the customer chose, or null */
export const readLanguage = (): string | null => sessionStorage.getItem(LANGUAGE);
export const writeLanguage = (language: string): void => sessionStorage.setItem(LANGUAGE, language);
export const forgetLanguage = (): void => sessionStorage.removeItem(LANGUAGE);

/** @returns the receipt for the page /cetak, or null */
export const readReceipt = (): Receipt | null => read(RECEIPT, Receipt);
export const writeReceipt = (receipt: Receipt): void => sessionStorage.setItem(RECEIPT, JSON.stringify(receipt));

export const clearVisit = (): void => {
	for (const key of [HP, DETAIL, RECEIPT]) sessionStorage.removeItem(key);
};
