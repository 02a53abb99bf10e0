import * as v from 'valibot';
import type { Invoice } from './back-office.ts';
import { type Rupiah, remaining, rupiah } from './money.ts';
import { RupiahSchema } from './money-schema.ts';
import { receiptLine } from './receipt-line.ts';

/**
 * Maximum number of product lines on a receipt, so that one receipt cannot use up the roll.
 * Workshop invoices are shorter.
 */
export const MOST_LINES = 200;
/** Maximum characters of a name or number; so many characters fill three lines of paper. */
const LONGEST_TEXT = 120;

/**
 * One product. Quantities and prices are as the server sends them: a discount is negative, an
 * unreadable value is null. The receipt's sums come only from the invoice's total.
 */
const ReceiptLine = v.object({
	name: v.string(),
	qty: v.nullable(v.number()),
	price: v.nullable(v.number()),
	subtotal: v.nullable(v.number()),
});

/** The contents of a receipt, for the page /cetak, ESC/POS and PDF. */
export const Receipt = v.object({
	/** The logo's address. */
	logo: v.string(),
	ahass: v.string(),
	/** DD-MM-YYYY HH:mm in the site's time zone. */
	tanggal: v.string(),
	nomor: v.string(),
	nama: v.string(),
	nopol: v.string(),
	is_paid: v.boolean(),
	metode: v.string(),
	lines: v.array(ReceiptLine),
	/** Number of invoice lines beyond `MOST_LINES`. */
	lines_left_out: v.optional(v.number()),
	untaxed: RupiahSchema,
	taxed: RupiahSchema,
	total: RupiahSchema,
	/**
	 * Cash received, for which the cashier gives change; null if there was none, or if staff must
	 * first decide about a double payment.
	 */
	received: v.nullable(RupiahSchema),
	/**
	 * For the page only: whether the kiosk's clock may be wrong. The print desk checks the clock
	 * itself.
	 */
	clock_in_doubt: v.optional(v.boolean()),
	/**
	 * For the page only: true for every receipt of a payment after the first. The page marks copies,
	 * so that change is not given twice.
	 */
	copy: v.optional(v.boolean()),
	/** For the page only: the code at the foot, to type on a keypad, and the text of the QR code. */
	proof: v.optional(v.object({ code: v.string(), text: v.string() })),
});
export type Receipt = v.InferOutput<typeof Receipt>;

/** The text on the paper and on the page if the kiosk's clock may be wrong. */
export const CLOCK_DOUBT = 'Jam kiosk belum dipastikan saat struk ini dicetak. Tanggal dan jam di atas mungkin keliru.';

/**
 * Splits a total into the untaxed amount and the tax. VAT is 11 % and included in the total:
 * untaxed = total × 100/111, rounded to the rupiah. The two parts always add up to the total.
 * @param total rupiah
 */
export function splitVat(total: Rupiah): { untaxed: Rupiah; taxed: Rupiah } {
	const untaxed = rupiah(Math.round((total * 100) / 111));
	return { untaxed, taxed: rupiah(total - untaxed) };
}

/** @returns the change due to the customer, rupiah; 0 if none */
export const overpaid = (receipt: Receipt): Rupiah => (receipt.received === null ? rupiah(0) : remaining(receipt.received, receipt.total));

const cut = (text: string): string => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text);

/** @returns the line below the products if the receipt has no room for all of them, or null */
export const linesLeftOut = ({ lines_left_out: count = 0 }: Receipt): string | null => (count > 0 ? `… ${count} baris lagi` : null);

/** Label of the code at the foot. Staff use the code to check a receipt or slip. */
export const CODE = 'Kode';
/** Mark of every receipt of a payment after the first. */
export const COPY = 'SALINAN';
/**
 * Texts below "Lebih Bayar" on the first receipt and on a copy. The cashier gives change for the
 * first receipt only.
 */
export const EXCHANGE = {
	original: 'Tukarkan Lebih Bayar di kasir dengan struk ini.',
	copy: 'Salinan: Lebih Bayar hanya ditukar satu kali.',
};

/**
 * @param of.invoice the invoice from its last look-up
 * @param of.tanggal formatted as DD-MM-YYYY HH:mm
 * @param of.metode the method as customers know it
 * @param of.received rupiah received in cash; null for other methods
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
	const lines = (invoice.list_invoice ?? []).flatMap((block) => block.detail ?? []);
	return {
		logo: of.logo,
		ahass: cut(of.ahass),
		tanggal: cut(of.tanggal),
		nomor: cut(invoice.noinvoice),
		nama: cut(invoice.konsumen_name),
		nopol: cut(invoice.nopol),
		is_paid: invoice.is_paid,
		metode: cut(of.metode),
		lines: lines.slice(0, MOST_LINES).map((line) => ({ ...receiptLine(line), name: cut(line.produk_name) })),
		lines_left_out: Math.max(0, lines.length - MOST_LINES),
		...splitVat(invoice.total),
		total: invoice.total,
		received: of.received,
	};
}
