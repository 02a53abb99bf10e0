import { rupiah } from '@kiosk/contract/money';
import { receiptOf } from '@kiosk/contract/receipt';
import type { Result } from '../base/result.ts';
import { ippQueue } from '../printer/ipp-client.ts';
import { receiptFace } from '../printer/receipt-face.ts';
import { codeRows, receiptRows } from '../printer/receipt-rows.ts';
import type { Settings } from '../settings/settings.ts';

/** A code as long as a receipt's, but valid at no kiosk. */
const SAMPLE_CODE = { code: 'CONTOH', text: 'CONTOH STRUK BUKAN BUKTI BAYAR. '.repeat(5) };

/**
 * Prints a sample that cannot be mistaken for a receipt. @param today ISO 8601 @returns a sentence
 * about the job
 */
export async function printSample(
	{ printer, site }: Pick<Settings, 'site'> & { printer: NonNullable<Settings['printer']> },
	today: string,
): Promise<Result<string, { code: string; message: string }>> {
	const line = { produk_name: 'Contoh', qty: 1, harga: rupiah(1_000) };
	const invoice = {
		noinvoice: 'CONTOH',
		konsumen_name: 'Contoh struk, bukan bukti bayar',
		nopol: '-',
		total: rupiah(1_000),
		is_paid: false,
		list_invoice: [{ noinvoice_odoo: '', nowo_odoo: '', total: rupiah(1_000), detail: [line] }],
	};
	const receipt = receiptOf({ invoice, logo: '', ahass: site.name, tanggal: today, metode: '-', received: null });
	const rows = [...receiptRows(receipt, false), ...codeRows(SAMPLE_CODE)];
	const sample = await (await receiptFace(printer))(rows, null);
	const sent = await ippQueue(printer.uri).print('kiosk sample', sample);
	if (!sent.ok) return sent;
	return {
		ok: true,
		value: `Job ${sent.value.id} is in the queue ${printer.uri}. Look at the paper: width, edges, cut; scan its QR code.`,
	};
}
