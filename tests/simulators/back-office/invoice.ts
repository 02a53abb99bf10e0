import { jakartaIso } from './time.ts';

export interface ProductLine {
	produk_name: string;
	qty: number;
	harga: number;
}
export interface InvoiceBlock {
	noinvoice_odoo: string;
	nowo_odoo: string;
	total: number;
	detail: ProductLine[];
}
export interface ReceivedPayment {
	nominal: number;
	tanggal: string;
	/** Id of the kiosk's note; absent if the kiosk did not report this payment as a note. */
	note_id?: string;
	/** Id of the kiosk's card sale; the server's answers leave it out. */
	attempt_id?: string;
}

/** Data of an open QRIS code or virtual account. */
export interface PaymentData {
	expiry_time: string;
	qr_url?: string;
	no_va?: string;
	bank?: string;
	company_code?: string;
}

/** An invoice in this server's answers. Amounts are in rupiah. */
export interface Invoice {
	id: number | string;
	odoo_id: number | string;
	noinvoice: string;
	konsumen_name: string;
	nopol: string;
	hp: string;
	total: number;
	is_paid: boolean;
	json_data: PaymentData | null;
	list_pembayaran: ReceivedPayment[];
	list_invoice: InvoiceBlock[];
	transaction_type: 'service' | 'hutang_lain';
	/** 1 QRIS, 2 virtual account, 3 cash, 4 card */
	payment_type: number | null;
	payment_type_display: string;
	qr_url: string;
	no_va: string;
	bank: string;
	company_code: string;
	/** Issue date, ISO 8601. */
	tanggal: string;
	logo: string;
}

export const METHODS = {
	qris: { payment_type: 1, payment_type_display: 'QRIS' },
	va: { payment_type: 2, payment_type_display: 'Virtual Account' },
	cash: { payment_type: 3, payment_type_display: 'Tunai' },
	card: { payment_type: 4, payment_type_display: 'Kartu Debit BCA' },
} as const;
export type Method = keyof typeof METHODS;

export const AHASS_NAME = 'AHASS 01234 Bengkel Maju Motor';

const lineTotal = (line: ProductLine): number => Math.round(line.qty * line.harga);
const blockTotal = (lines: ProductLine[]): number => lines.reduce((sum, line) => sum + lineTotal(line), 0);

/** @returns an unpaid invoice whose totals are computed from its lines */
export function newInvoice(of: {
	id: number | string;
	odooId?: string;
	name: string;
	hp: string;
	nopol: string;
	noinvoice: string;
	blocks: { noinvoice: string; nowo: string; lines: ProductLine[] }[];
	at: Date;
}): Invoice {
	const blocks = of.blocks.map(({ noinvoice, nowo, lines }) => ({
		noinvoice_odoo: noinvoice,
		nowo_odoo: nowo,
		total: blockTotal(lines),
		detail: lines,
	}));
	return {
		id: of.id,
		odoo_id: of.odooId ?? 70_000 + Number(of.id),
		noinvoice: of.noinvoice,
		konsumen_name: of.name,
		nopol: of.nopol,
		hp: of.hp,
		total: blocks.reduce((sum, block) => sum + block.total, 0),
		is_paid: false,
		json_data: null,
		list_pembayaran: [],
		list_invoice: blocks,
		transaction_type: 'service',
		payment_type: null,
		payment_type_display: '',
		qr_url: '',
		no_va: '',
		bank: '',
		company_code: '',
		tanggal: jakartaIso(of.at),
		logo: '',
	};
}

/** @returns the sum of these payments or notes, rupiah */
export const sumOf = (entries: readonly { nominal: number }[]): number => entries.reduce((sum, { nominal }) => sum + nominal, 0);

export const receivedFor = (invoice: Invoice): number => sumOf(invoice.list_pembayaran);

/** Opens a QRIS code or a virtual account on the invoice. */
export function openPayment(invoice: Invoice, method: 'qris' | 'va', data: PaymentData): void {
	const { qr_url = '', no_va = '', bank = '', company_code = '' } = data;
	Object.assign(invoice, METHODS[method], { json_data: data, qr_url, no_va, bank, company_code });
}

export function closePayment(invoice: Invoice): void {
	const nothing = { json_data: null, qr_url: '', no_va: '', bank: '', company_code: '', payment_type: null, payment_type_display: '' };
	Object.assign(invoice, nothing);
}
