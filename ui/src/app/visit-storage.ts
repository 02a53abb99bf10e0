/** What one customer's visit leaves in session storage. Everything here is personal and goes when the visit ends. */
import * as v from 'valibot';
import { Receipt } from '../../../daemon/contract/receipt.ts';
import { CustomerDetail } from './customer-detail.ts';

const HP = 'inputHp';
const DETAIL = 'customerDetail';
const RECEIPT = 'receipt';

const read = <T>(key: string, schema: v.GenericSchema<unknown, T>): T | null => {
	try {
		const parsed = v.safeParse(schema, JSON.parse(sessionStorage.getItem(key) ?? 'null'));
		return parsed.success ? parsed.output : null;
	} catch {
		return null;
	}
};

/** @returns the phone or invoice number that was entered, '' when none */
export const readHp = (): string => sessionStorage.getItem(HP) ?? '';
export const writeHp = (hp: string): void => sessionStorage.setItem(HP, hp);

/** @returns the invoice that was chosen to be paid, or null */
export const readDetail = (): CustomerDetail | null => read(DETAIL, CustomerDetail);
export const writeDetail = (detail: CustomerDetail): void => sessionStorage.setItem(DETAIL, JSON.stringify(detail));

/** @returns the receipt for the page /cetak, or null */
export const readReceipt = (): Receipt | null => read(RECEIPT, Receipt);
export const writeReceipt = (receipt: Receipt): void => sessionStorage.setItem(RECEIPT, JSON.stringify(receipt));

/** Leaves nothing of the visit behind. */
export const clearVisit = (): void => {
	for (const key of [HP, DETAIL, RECEIPT]) sessionStorage.removeItem(key);
};
