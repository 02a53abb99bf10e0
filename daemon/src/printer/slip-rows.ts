import type { SaleMethod } from '@kiosk/contract/live';
import { formatRupiah, type Rupiah, remaining, rupiah } from '@kiosk/contract/money';
import { ascii } from '../base/ascii.ts';
import type { Anchor } from '../journal/anchors.ts';
import type { PaperRow } from './receipt-rows.ts';

const text = (text: string): PaperRow => ({ kind: 'text', text: ascii(text) });
const pair = (left: string, right: string, bold = false): PaperRow => ({ kind: 'pair', left: ascii(left), right: ascii(right), bold });
/**
 * Number of characters of a hash that a slip shows: enough to detect a difference, few enough to
 * compare by eye.
 */
const SHOWN_HASH = 16;
/** A dotted line for a name or signature. */
const SIGNATURE = '. . . . . . . . . . . . . . . .';
const RULE: PaperRow = { kind: 'rule' };

/**
 * The slip of a visit that ends before the invoice is paid. It is not a voucher: the money is
 * credited to the invoice.
 */
export function partialSlipRows(slip: {
	ahass: string;
	/** DD-MM-YYYY HH:mm in the site's time zone, as on a receipt. */
	tanggal: string;
	noinvoice: string;
	/** Reference by which staff find the payment. */
	reference: string;
	total: Rupiah;
	received: Rupiah;
	/** Rupiah of notes in doubt. */
	inDoubt: Rupiah;
}): PaperRow[] {
	return [
		{ kind: 'title', text: ascii(slip.ahass) || 'Bukti Uang Diterima' },
		{ kind: 'title', text: 'BELUM LUNAS' },
		RULE,
		pair('Tanggal', slip.tanggal),
		pair('Nomor', slip.noinvoice),
		pair('Referensi', slip.reference),
		RULE,
		pair('Total', formatRupiah(slip.total)),
		pair('Sudah diterima', formatRupiah(slip.received), true),
		...(slip.inDoubt > 0 ? [pair('Sedang diperiksa petugas', formatRupiah(slip.inDoubt))] : []),
		pair('Sisa', formatRupiah(remaining(slip.total, slip.received)), true),
		RULE,
		text('Uang ini tercatat untuk nomor di atas. Lanjutkan dengan nomor yang sama atau bayar sisanya di kasir.'),
		...(slip.inDoubt > 0 ? [text('Tunjukkan struk ini kepada petugas untuk uang yang sedang diperiksa.')] : []),
	];
}

/**
 * The slip of a card sale whose outcome is unknown. The customer needs this slip: the card may have
 * been charged, and no other printout has the reference.
 */
export function unknownSaleRows(slip: {
	ahass: string;
	tanggal: string;
	noinvoice: string;
	reference: string;
	method: SaleMethod;
	/** Rupiah requested from the terminal. */
	amount: Rupiah;
	/** Rupiah certainly received for the invoice. */
	received: Rupiah;
}): PaperRow[] {
	return [
		{ kind: 'title', text: ascii(slip.ahass) || 'Kiosk' },
		{ kind: 'title', text: 'BELUM PASTI' },
		RULE,
		pair('Tanggal', slip.tanggal),
		pair('Nomor', slip.noinvoice),
		pair('Referensi', slip.reference, true),
		pair('Cara bayar', slip.method === 'qris' ? 'QRIS di mesin EDC' : 'Kartu di mesin EDC'),
		RULE,
		pair('Sudah diterima', formatRupiah(slip.received)),
		pair('Sedang diperiksa petugas', formatRupiah(slip.amount), true),
		RULE,
		text('Jangan bayar lagi sebelum petugas memeriksanya. Tunjukkan struk ini dan struk mesin EDC, bila ada, kepada petugas.'),
	];
}

/** The slip with the number of a virtual account, to take home. It is not a proof of payment. */
export function accountSlipRows(slip: {
	ahass: string;
	tanggal: string;
	noinvoice: string;
	/** e.g. "Virtual Account BCA". */
	bank: string;
	/** '' for a bank without company codes. */
	company: string;
	number: string;
	total: Rupiah;
	/** Expiry of the account, DD-MM-YYYY HH:mm or as the back office wrote it; '' if unknown. */
	before: string;
}): PaperRow[] {
	return [
		{ kind: 'title', text: ascii(slip.ahass) || 'Kiosk' },
		{ kind: 'title', text: 'BELUM DIBAYAR' },
		RULE,
		pair('Tanggal', slip.tanggal),
		pair('Nomor', slip.noinvoice),
		RULE,
		text(slip.bank),
		...(slip.company === '' ? [] : [pair('Kode Perusahaan', slip.company)]),
		{ kind: 'title', text: ascii(slip.number.match(/.{1,4}/g)?.join(' ') ?? '') },
		pair('Total', formatRupiah(slip.total), true),
		...(slip.before === '' ? [] : [pair('Bayar Sebelum', slip.before)]),
		RULE,
		text('Bayar tepat sebesar Total. Kertas ini bukan bukti pembayaran.'),
	];
}

/** The slip that the customer signs for money given back; it stays with the cashier. */
export function givenSlipRows(slip: {
	ahass: string;
	tanggal: string;
	noinvoice: string;
	amount: Rupiah;
	/** Names of staff; one or two. */
	names: readonly string[];
}): PaperRow[] {
	return [
		{ kind: 'title', text: ascii(slip.ahass) || 'Kiosk' },
		{ kind: 'title', text: 'UANG DIBERIKAN' },
		RULE,
		pair('Tanggal', slip.tanggal),
		pair('Nomor', slip.noinvoice),
		...slip.names.map((name) => pair('Oleh', name)),
		pair('Diberikan', formatRupiah(slip.amount), true),
		RULE,
		text('Diterima oleh pelanggan (nama dan tanda tangan):'),
		text(SIGNATURE),
		text(SIGNATURE),
	];
}

/** The slip that stays with the money of an emptied cashbox. */
export function collectionSlipRows(slip: {
	ahass: string;
	tanggal: string;
	period: number;
	by: string;
	notes: readonly { nominal: Rupiah; count: number }[];
	expected: Rupiah;
	counted: Rupiah | null;
	/** Number of notes in doubt; they may be in the box in addition to the expected amount. */
	inDoubt: number;
	/** The journal's newest record. If the journal is rewritten later, it contradicts the slip. */
	anchor: Anchor;
}): PaperRow[] {
	const { expected, counted } = slip;
	return [
		{ kind: 'title', text: ascii(slip.ahass) || 'Kiosk' },
		{ kind: 'title', text: 'PENGAMBILAN KOTAK UANG' },
		RULE,
		pair('Tanggal', slip.tanggal),
		pair('Periode', String(slip.period)),
		pair('Oleh', slip.by),
		RULE,
		...slip.notes.map(({ nominal, count }) => pair(`${count} x ${formatRupiah(nominal)}`, formatRupiah(rupiah(nominal * count)))),
		...(slip.notes.length > 0 ? [RULE] : []),
		pair('Seharusnya', formatRupiah(expected), true),
		...(counted === null ? [] : [pair('Dihitung', formatRupiah(counted), true), pair(...differenceOf(expected, counted))]),
		...(slip.inDoubt > 0 ? [text(`${slip.inDoubt} lembar uang belum jelas; periksa sebelum kotak dihitung.`)] : []),
		RULE,
		text(
			`Jurnal ${slip.anchor.record}: ${
				slip.anchor.hash
					.slice(0, SHOWN_HASH)
					.match(/.{1,4}/g)
					?.join(' ') ?? ''
			}`,
		),
	];
}

function differenceOf(expected: Rupiah, counted: Rupiah): [string, string] {
	if (counted === expected) return ['Selisih', formatRupiah(rupiah(0))];
	return [counted > expected ? 'Selisih lebih' : 'Selisih kurang', formatRupiah(rupiah(Math.abs(counted - expected)))];
}
