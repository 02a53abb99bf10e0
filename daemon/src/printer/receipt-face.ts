import type { Settings } from '../settings/settings.ts';
import { escpos } from './escpos.ts';
import type { Document } from './ipp-client.ts';
import { qrRaster } from './qr-raster.ts';
import type { LogoRaster } from './raster.ts';
import { receiptLines } from './receipt-lines.ts';
import type { PaperRow } from './receipt-rows.ts';

/** Converts the rows of a printout to printer data, with the logo above them. */
export type ReceiptFace = (rows: readonly PaperRow[], logo: LogoRaster | null) => Promise<Document>;

/** @returns the converter for the format in the settings */
export async function receiptFace({ format, columns }: Pick<NonNullable<Settings['printer']>, 'format' | 'columns'>): Promise<ReceiptFace> {
	switch (format) {
		case 'escpos':
			return async (rows, logo) => {
				const code = rows.find((row) => row.kind === 'qr');
				const drawn = code ? await qrRaster(code.text) : null;
				return { format: 'application/octet-stream', data: escpos(receiptLines(rows, columns), logo, drawn) };
			};
		case 'pdf': {
			const { receiptPdf } = await import('./pdf.ts');
			return receiptPdf;
		}
	}
}
