/**
 * Reads and writes invoice and receipt in session storage. These functions need schemas, and
 * visit-storage.ts must not: the first screen loads it before the schemas.
 */
import { Invoice, InvoiceInfo } from '@kiosk/contract/back-office';
import { Receipt } from '@kiosk/contract/receipt';
import * as v from 'valibot';
import type { CustomerDetail } from './customer-detail.ts';
import { DETAIL, RECEIPT, readStored, writeStored } from './visit-storage.ts';

const StoredDetail = v.looseObject({
	...Invoice.entries,
	logo: InvoiceInfo.entries.logo,
	ahass_name: InvoiceInfo.entries.ahass_name,
	max_to_va: InvoiceInfo.entries.max_to_va,
});

const read = <T>(key: string, schema: v.GenericSchema<unknown, T>): T | null => {
	const parsed = v.safeParse(schema, readStored(key));
	return parsed.success ? parsed.output : null;
};

/** @returns the invoice that the customer has chosen to pay, or null */
export const readDetail = (): CustomerDetail | null => read(DETAIL, StoredDetail);
export const writeDetail = (detail: CustomerDetail): void => writeStored(DETAIL, detail);

/** @returns the receipt for the page /cetak, or null */
export const readReceipt = (): Receipt | null => read(RECEIPT, Receipt);
export const writeReceipt = (receipt: Receipt): void => writeStored(RECEIPT, receipt);
