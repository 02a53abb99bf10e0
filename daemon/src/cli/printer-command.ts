import type { Result } from '../base/result.ts';
import { ippQueue } from '../printer/ipp-client.ts';
import { receiptFace } from '../printer/receipt-face.ts';
import { sampleRows } from '../printer/sample.ts';
import type { Settings } from '../settings/settings.ts';

/** Prints a sample receipt. @param today ISO 8601 @returns a sentence about the print job */
export async function printSample(
	{ printer, site }: Pick<Settings, 'site'> & { printer: NonNullable<Settings['printer']> },
	today: string,
): Promise<Result<string, { code: string; message: string }>> {
	const sample = await (await receiptFace(printer))(sampleRows(site.name, today), null);
	const sent = await ippQueue(printer.uri).print('kiosk sample', sample);
	if (!sent.ok) return sent;
	return {
		ok: true,
		value: `Job ${sent.value.id} is in the queue ${printer.uri}. Check width, edges and cut of the paper, and scan its QR code.`,
	};
}
