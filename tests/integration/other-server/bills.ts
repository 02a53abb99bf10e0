import { type Habits, wallClock } from './habits.ts';

export type BankCode = 'bca' | 'mandiri' | 'bni';

/** A started payment method. */
export type Charge =
	| { kind: 'qris'; content: string; expires: Date }
	| { kind: 'va'; bank: BankCode; number: string; company: number | null; expires: Date };

/** What one customer owes. */
export interface Bill {
	id: string;
	/** The number that the customer types. */
	key: string;
	noinvoice: string;
	odooId: string;
	name: string | null;
	plate: string | null;
	lines: { product: string; count: number; price: number }[];
	type: 'hutang_lain' | null;
	paid: boolean;
	received: { nominal: number; at: Date }[];
	charge: Charge | null;
	/** Where a QRIS answer contains its code; or a picture's address instead of a text. */
	qrAt: 'top' | 'inside';
	qrPicture: string | null;
	/** Payment data in no provider's format. */
	oddData?: unknown;
}

const NAMES = ['Komang Ayu Lestari', "Siti Nur'aini", 'Yohanes Tambunan', 'Rr. Dewi Kusumaningrum', 'Ujang', 'Fransiska Manoppo'] as const;
const PARTS = ['Ban luar 90/80-14', 'Kampas rem "depan"', 'Aki GTZ5S & pasang', 'Jasa tune-up <lengkap>'] as const;

export const totalOf = (bill: Bill): number => bill.lines.reduce((sum, line) => sum + line.count * line.price, 0);
export const receivedFor = (bill: Bill): number => bill.received.reduce((sum, note) => sum + note.nominal, 0);

/**
 * @param number counts the bills
 * @param total rupiah, above 30.000
 */
export function makeBill(number: number, total: number, wanted: Partial<Bill> = {}): Bill {
	const digits = String(number).padStart(4, '0');
	const fitting = 12_500;
	return {
		id: `5d0c2f6e-91aa-4f3b-b7d1-00000000${digits}`,
		key: `08571234${digits}`,
		noinvoice: `F-2026-11-${digits}`,
		odooId: `S${digits}`,
		name: `${NAMES[number % NAMES.length]} ${digits}`,
		plate: `DK ${digits} AB`,
		lines: [
			{ product: PARTS[number % PARTS.length] ?? '', count: 1, price: total - 2 * fitting },
			{ product: 'Oli mesin 0,8 L', count: 2, price: fitting },
		],
		type: null,
		paid: false,
		received: [],
		charge: null,
		qrAt: 'top',
		qrPicture: null,
		...wanted,
	};
}

/** The answer of get-invoice-info. */
export const invoiceInfo = (bill: Bill, habits: Habits, max: string, logo: string | null): object => ({
	...habits.extra(),
	results: {
		...habits.extra(),
		id: bill.id,
		noinvoice: bill.noinvoice,
		odoo_id: bill.odooId,
		konsumen_name: bill.name,
		nopol: bill.plate,
		hp: bill.key,
		total: habits.amount(totalOf(bill)),
		is_paid: habits.flag(bill.paid),
		transaction_type: bill.type,
		...chargeFields(bill, habits),
		list_pembayaran: bill.received.length === 0 ? habits.pick([null, []]) : bill.received.map((note) => receivedNote(note, habits)),
		list_invoice: [
			{
				...habits.extra(),
				noinvoice_odoo: bill.noinvoice,
				nowo_odoo: null,
				total: habits.amount(totalOf(bill)),
				detail: bill.lines.map((line) => ({
					produk_name: line.product,
					qty: habits.pick<number | string>([line.count, `${line.count}.00`]),
					harga: habits.amount(line.price),
				})),
			},
		],
	},
	logo,
	ahass_name: habits.pick([null, 'AHASS 11827 Wira Motor']),
	max_to_va: max,
});

const receivedNote = (note: Bill['received'][number], habits: Habits): object => ({
	nominal: habits.amount(note.nominal),
	tanggal: habits.moment(note.at),
	kasir: null,
});

function chargeFields(bill: Bill, habits: Habits): object {
	const { charge, oddData } = bill;
	if (oddData !== undefined) return { json_data: oddData, payment_type: 1 };
	if (charge === null) return { payment_type: null, json_data: habits.pick([null, '']), qr_url: null, no_va: null, bank: null };
	const expiry = { expiry_time: habits.moment(charge.expires), ...habits.extra() };
	if (charge.kind === 'qris') {
		const inside = bill.qrAt === 'inside';
		return {
			payment_type: 1,
			json_data: habits.column(inside ? { ...expiry, qr_url: charge.content } : expiry),
			...(inside ? {} : { qr_url: charge.content }),
			no_va: null,
			bank: null,
		};
	}
	return {
		payment_type: 2,
		json_data: habits.column(expiry),
		qr_url: null,
		no_va: charge.number,
		bank: charge.bank,
		company_code: charge.company,
	};
}

/** One line of the staff list. */
export const groupRow = (bill: Bill, habits: Habits): object => ({
	...habits.extra(),
	id: bill.id,
	hp: bill.key,
	nopol: bill.plate,
	konsumen_name: bill.name,
	noinvoice: bill.noinvoice,
	tanggal_display: wallClock(new Date('2026-11-20T03:00:00Z')).slice(0, 16),
	is_paid: habits.flag(bill.paid),
	total: habits.amount(totalOf(bill)),
	payment_type_display: habits.pick([null, 'Tunai']),
	ahass_name: null,
	logo: null,
	list_invoice: [
		{
			noinvoice_odoo: bill.noinvoice,
			nowo_odoo: null,
			total: habits.amount(totalOf(bill)),
			detail: bill.lines.map((line) => ({ produk_name: line.product, qty: line.count, harga: habits.amount(line.price) })),
		},
	],
});
