import type { Receipt } from '../../contract/receipt.ts';
import type { Settings } from '../settings.ts';
import { escpos } from './escpos.ts';
import type { Document } from './ipp-client.ts';
import { receiptLines } from './receipt-lines.ts';
import { receiptRows } from './receipt-rows.ts';

/** Makes of a receipt what the queue is given. `copy` marks it as a copy. */
export type ReceiptFace = (receipt: Receipt, copy: boolean) => Promise<Document>;

/** @returns the face that the settings ask for; what only PDF needs is loaded only for it */
export async function receiptFace({ format, columns }: Pick<NonNullable<Settings['printer']>, 'format' | 'columns'>): Promise<ReceiptFace> {
	switch (format) {
		case 'escpos':
			return async (receipt, copy) => {
				const data = escpos(receiptLines(receiptRows(receipt, copy), columns), receipt.logo_raster ?? null);
				return { format: 'application/octet-stream', data };
			};
		case 'pdf': {
			const { receiptPdf } = await import('./pdf.ts');
			return (receipt, copy) => receiptPdf(receiptRows(receipt, copy), receipt.logo_raster ?? null);
		}
	}
}
