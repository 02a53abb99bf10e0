import { rupiah } from '@kiosk/contract/money';
import { receiptOf } from '@kiosk/contract/receipt';
import { codeRows, type PaperRow, receiptRows } from './receipt-rows.ts';

/** A QR code about as large as that of a receipt. No kiosk accepts it. */
const SAMPLE_CODE = { code: 'CONTOH', text: 'CONTOH STRUK BUKAN BUKTI BAYAR. '.repeat(5) };

/**
 * @param ahass name of the site
 * @param today ISO 8601
 * @returns a sample that cannot be mistaken for a receipt
 */
export function sampleRows(ahass: string, today: string): PaperRow[] {
	const line = { produk_name: 'Contoh', qty: 1, harga: rupiah(1_000) };
	const invoice = {
		noinvoice: 'CONTOH',
		konsumen_name: 'Contoh struk, bukan bukti bayar',
		nopol: '-',
		total: rupiah(1_000),
		is_paid: false,
		list_invoice: [{ noinvoice_odoo: '', nowo_odoo: '', total: rupiah(1_000), detail: [line] }],
	};
	const receipt = receiptOf({ invoice, logo: '', ahass, tanggal: today, metode: '-', received: null });
	return [...receiptRows(receipt, false), ...codeRows(SAMPLE_CODE)];
}
