import * as v from 'valibot';
import type { Invoice } from './back-office.ts';
import { type Rupiah, RupiahSchema, remaining, rupiah } from './money.ts';

/** What stands on the paper, whichever way it is drawn: the page /cetak, ESC/POS bytes or PDF. */
export const Receipt = v.object({
	logo: v.string(),
	ahass: v.string(),
	/** DD-MM-YYYY HH:mm in the site's time zone. */
	tanggal: v.string(),
	nomor: v.string(),
	nama: v.string(),
	nopol: v.string(),
	is_paid: v.boolean(),
	metode: v.string(),
	lines: v.array(v.object({ name: v.string(), qty: v.number(), price: RupiahSchema, subtotal: RupiahSchema })),
	untaxed: RupiahSchema,
	taxed: RupiahSchema,
	total: RupiahSchema,
	/** Cash only: what the machine took, so that the cashier can pay out the change against this paper. */
	received: v.nullable(RupiahSchema),
});
export type Receipt = v.InferOutput<typeof Receipt>;

/**
 * VAT is 11 % and contained in the total: untaxed = total × 100/111, rounded to the rupiah; the two parts always add up.
 * @param total rupiah
 */
export function splitVat(total: Rupiah): { untaxed: Rupiah; taxed: Rupiah } {
	const untaxed = rupiah(Math.round((total * 100) / 111));
	return { untaxed, taxed: rupiah(total - untaxed) };
}

/** @returns what the cashier owes back, rupiah; 0 when nothing */
export const overpaid = (receipt: Receipt): Rupiah => (receipt.received === null ? rupiah(0) : remaining(receipt.received, receipt.total));

/**
 * @param of.invoice the invoice as looked up
 * @param of.tanggal already formatted, DD-MM-YYYY HH:mm
 * @param of.metode the method in the customer's words
 * @param of.received rupiah taken in cash, or null for other methods
 */
export function receiptOf(of: {
	invoice: Pick<Invoice, 'noinvoice' | 'konsumen_name' | 'nopol' | 'is_paid' | 'total' | 'list_invoice'>;
	logo: string;
	ahass: string;
	tanggal: string;
	metode: string;
	received: Rupiah | null;
}): Receipt {
	const { invoice } = of;
	return {
		logo: of.logo,
		ahass: of.ahass,
		tanggal: of.tanggal,
		nomor: invoice.noinvoice,
		nama: invoice.konsumen_name,
		nopol: invoice.nopol,
		is_paid: invoice.is_paid,
		metode: of.metode,
		lines: (invoice.list_invoice ?? []).flatMap((block) =>
			(block.detail ?? []).map((line) => ({
				name: line.produk_name,
				qty: line.qty,
				price: line.harga,
				subtotal: rupiah(Math.round(line.qty * line.harga)),
			})),
		),
		...splitVat(invoice.total),
		total: invoice.total,
		received: of.received,
	};
}
