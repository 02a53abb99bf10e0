import { randomUUID } from 'node:crypto';
import { type Fields, isFields } from '../http.ts';
import type { Call } from './calls.ts';
import type { Dialect, WrittenAnswer } from './dialect.ts';
import { Habits } from './habits.ts';
import { type Invoice, newInvoice } from './invoice.ts';

export const OTHER_ACCOUNT = { username: 'wira-denpasar', password: 'pantai & laut', pin: '741852' };
/** Total from which a virtual account replaces QRIS, rupiah. */
export const OTHER_MAX_TO_VA = 250_000;

/** Paths of this server; the specification fixes only the first five. */
export const PATHS = {
	login: '/auth/login-outlet/',
	pin: '/payment/api/v1/login-pin-screen/',
	payment_group: '/payment/api/v1/payment-group/',
	resend_callback: '/payment/api/v1/resend-callback/{id}',
	invoice_info: '/payment/api/v1/get-invoice-info/',
	payment: '/bayar/mulai',
	open_machine: '/mesin/buka',
	master_va: '/bank/daftar',
	create_va: '/bank/va-baru',
	create_va_hutang_lain: '/bank/va-hutang-lain',
	cancel_payment: '/bayar/batal',
	cash_notification: '/kas/uang-masuk',
} as const satisfies Partial<Record<Call, string>>;

/**
 * Banks with database key, name and logo. The first has no logo, the second a picture, and the
 * third the address of a missing file.
 */
const BANKS: Record<string, { id: string; name: string; logo: (picture: string) => string | null }> = {
	bca: { id: '1f7e0a52-0000-4000-8000-0000000000b1', name: 'Bank Central Asia', logo: () => null },
	mandiri: { id: '1f7e0a52-0000-4000-8000-0000000000b2', name: 'Bank Mandiri', logo: (picture) => picture },
	bni: { id: '1f7e0a52-0000-4000-8000-0000000000b3', name: 'Bank Negara Indonesia', logo: (picture) => picture.replace('.png', '.gone') },
};

/** Content types that servers use for JSON. */
const JSON_TYPES = ['application/json', 'application/json; charset=utf-8', 'text/html; charset=utf-8', 'text/json'];
const TRANSACTIONS = 127;
const NAMES = ['Komang Ayu Lestari', "Siti Nur'aini", 'Yohanes Tambunan', 'Rr. Dewi Kusumaningrum', 'Ujang', 'Fransiska Manoppo'] as const;
const PARTS = ['Ban luar 90/80-14', 'Kampas rem "depan"', 'Aki GTZ5S & pasang', 'Jasa tune-up <lengkap>'] as const;
const OIL_PRICE = 12_500;

/** @returns a JSON answer whose content type depends on the length of its text */
export const json = (status: number, value: unknown): WrittenAnswer => {
	const body = JSON.stringify(value);
	return { status, body, type: JSON_TYPES[body.length % JSON_TYPES.length] ?? '' };
};

/** Deviations of this server for one invoice. */
export interface Oddity {
	/** Puts the QRIS code only inside `json_data`. */
	codeInside?: boolean;
	/** Sends the address of a picture instead of the code's text. */
	qrPicture?: string;
	/** Sends payment data in a format that no provider uses. */
	oddData?: unknown;
}

/**
 * Another dealer's server, with UUIDs as keys, other paths, and values in many allowed notations.
 */
export interface OtherDealer extends Dialect {
	habits: Habits;
	/** Deviations for some invoices, by invoice number. */
	odd: Map<string, Oddity>;
}

/**
 * @param number consecutive number of the invoice
 * @param total rupiah, more than twice `OIL_PRICE`
 */
export function otherInvoice(number: number, total: number, wanted: Partial<Invoice> = {}): Invoice {
	const digits = String(number).padStart(4, '0');
	const noinvoice = `F-2026-11-${digits}`;
	const lines = [
		{ produk_name: PARTS[number % PARTS.length] ?? '', qty: 1, harga: total - 2 * OIL_PRICE },
		{ produk_name: 'Oli mesin 0,8 L', qty: 2, harga: OIL_PRICE },
	];
	const invoice = newInvoice({
		id: `5d0c2f6e-91aa-4f3b-b7d1-00000000${digits}`,
		odooId: `S${digits}`,
		name: `${NAMES[number % NAMES.length]} ${digits}`,
		hp: `08571234${digits}`,
		nopol: `DK ${digits} AB`,
		noinvoice,
		blocks: [{ noinvoice, nowo: '', lines }],
		at: new Date(Date.UTC(2026, 10, 20, 3) - number * 60_000),
	});
	return Object.assign(invoice, wanted);
}

/** @param seed decides habits and delays @param picture address of a bank's logo */
export function otherDealer(seed: number, picture: string): OtherDealer {
	const habits = new Habits(seed);
	const odd = new Map<string, Oddity>();
	return {
		habits,
		odd,
		paths: PATHS,
		invoices: Array.from({ length: TRANSACTIONS }, (_, index) =>
			otherInvoice(5_000 + index, 40_000 + 500 * index, { is_paid: index % 3 !== 0, ...(index % 4 === 0 && { nopol: '' }) }),
		),
		// The token contains characters of base 64 that must be encoded in an address or a cookie.
		newToken: () => `${randomUUID()}+/=`,
		socket: { path: '/siaran', parameter: 'kunci' },
		greeting: JSON.stringify({ text: { type: 'selamat_datang', data: [null, 1], id: null } }),
		delayMs: () => habits.delayMs(),
		announcements: () => habits.pick([0, 1, 3]),
		reads(fields) {
			const [code] = Object.entries(BANKS).find(([, { id }]) => id === fields.bank_id) ?? [];
			return code === undefined ? fields : { ...fields, bank: code };
		},
		writes: (call, answer, about) => written({ habits, odd, picture }, call, answer, about),
		says(text) {
			const told = text.type === 'payment_notification' && text.is_paid === true ? paid(habits, text) : text;
			return JSON.stringify({ ...habits.extra(), text: habits.pick<unknown>([told, JSON.stringify(told)]) });
		},
	};
}

const paid = (habits: Habits, { id }: Fields): Fields => ({
	...habits.extra(),
	type: 'payment_notification',
	id,
	is_paid: habits.flag(true),
	odoo_id: null,
});

interface Pen {
	habits: Habits;
	odd: Map<string, Oddity>;
	picture: string;
}

/**
 * @returns the refusal or answer in this server's notation; the kiosk ignores some parts of the
 * answer
 */
function written(pen: Pen, call: Call, { status, body }: { status: number; body: unknown }, about: Invoice | undefined): WrittenAnswer {
	const { habits } = pen;
	const fields = isFields(body) ? body : {};
	if (status === 401) return json(401, { detail: 'Token tidak berlaku lagi.' });
	if (status >= 400)
		return json(call === 'pin' ? 403 : about === undefined && call !== 'login' ? 404 : status, habits.refusal(String(fields.message)));
	const text = (answerStatus: number, content: string): WrittenAnswer => ({ status: answerStatus, body: content, type: 'text/plain' });
	switch (call) {
		case 'login':
			return json(200, { ...habits.extra(), token: fields.token, ...(fields.development === true ? { development: 1 } : {}) });
		case 'pin':
			return json(200, true);
		case 'payment_group': {
			const rows = (fields.results as (Invoice & { tanggal_display: string })[]).map((invoice) => groupRow(invoice, habits));
			return json(200, { ...habits.extra(), count: String(fields.count), results: rows });
		}
		case 'resend_callback':
			return json(200, { success: 1, message: null });
		case 'invoice_info':
			return json(200, invoiceInfo(fields.results as Invoice, pen));
		// The kiosk expects no content in this answer, so it need not be JSON.
		case 'payment':
			return text(201, 'OK');
		case 'open_machine':
			return about === undefined ? json(404, habits.refusal('Invoice tidak ditemukan')) : json(200, { machine_ready: 1, message: null });
		case 'master_va':
			return json(200, { ...habits.extra(), results: (fields.results as Fields[]).map((bank) => bankRow(bank, pen)) });
		case 'create_va':
		case 'create_va_hutang_lain': {
			if ((call === 'create_va_hutang_lain') !== (about?.transaction_type === 'hutang_lain'))
				return json(400, habits.refusal('Jalur VA keliru'));
			const { no_va, company_code } = fields.result_record as Fields;
			return json(201, {
				...habits.extra(),
				result_record: { ...habits.extra(), no_va, company_code: Number(company_code) || null },
			});
		}
		case 'cancel_payment':
			return text(200, '');
		case 'cash_notification':
			return habits.pick([json(200, { is_paid: fields.is_paid === true ? 1 : 0 }), json(201, null), text(200, '')]);
		default:
			return json(status, body);
	}
}

/** The answer of get-invoice-info. */
const invoiceInfo = (told: Invoice, { habits, odd }: Pen): object => ({
	...habits.extra(),
	results: {
		...habits.extra(),
		id: told.id,
		noinvoice: told.noinvoice,
		odoo_id: told.odoo_id,
		konsumen_name: told.konsumen_name || null,
		nopol: told.nopol || null,
		hp: told.hp,
		total: habits.amount(told.total),
		is_paid: habits.flag(told.is_paid),
		transaction_type: told.transaction_type === 'hutang_lain' ? 'hutang_lain' : null,
		...chargeFields(told, habits, odd.get(told.noinvoice) ?? {}),
		list_pembayaran:
			told.list_pembayaran.length === 0
				? habits.pick([null, []])
				: told.list_pembayaran.map(({ nominal, tanggal }) => ({
						nominal: habits.amount(nominal),
						tanggal: habits.moment(new Date(tanggal)),
						kasir: null,
					})),
		list_invoice: invoiceLines(told, habits, (qty) => habits.pick<number | string>([qty, `${qty}.00`])).map((block) => ({
			...habits.extra(),
			...block,
		})),
	},
	logo: null,
	ahass_name: habits.pick([null, 'AHASS 11827 Wira Motor']),
	max_to_va: `${OTHER_MAX_TO_VA}.00`,
});

const invoiceLines = (told: Invoice, habits: Habits, count: (qty: number) => number | string) =>
	told.list_invoice.map((block) => ({
		noinvoice_odoo: block.noinvoice_odoo,
		nowo_odoo: null,
		total: habits.amount(block.total),
		detail: block.detail.map(({ produk_name, qty, harga }) => ({ produk_name, qty: count(qty), harga: habits.amount(harga) })),
	}));

function chargeFields(told: Invoice, habits: Habits, { codeInside, qrPicture, oddData }: Oddity): object {
	const { json_data, no_va, bank, company_code } = told;
	if (oddData !== undefined) return { json_data: oddData, payment_type: 1 };
	if (json_data === null) return { payment_type: null, json_data: habits.pick([null, '']), qr_url: null, no_va: null, bank: null };
	const expiry = { expiry_time: habits.moment(new Date(json_data.expiry_time)), ...habits.extra() };
	if (no_va !== '') {
		return { payment_type: 2, json_data: habits.column(expiry), qr_url: null, no_va, bank, company_code: Number(company_code) || null };
	}
	const qr_url = qrPicture ?? json_data.qr_url;
	return {
		payment_type: 1,
		json_data: habits.column(codeInside ? { ...expiry, qr_url } : expiry),
		...(codeInside ? {} : { qr_url }),
		no_va: null,
		bank: null,
	};
}

const bankRow = ({ script_kode }: Fields, { habits, picture }: Pen): object => {
	const bank = BANKS[String(script_kode)];
	return {
		...habits.extra(),
		id: bank?.id,
		nama: bank?.name,
		logo: bank?.logo(picture),
		script_kode,
		is_active: habits.flag(true),
	};
};

/** One line of the staff list. */
const groupRow = (invoice: Invoice & { tanggal_display: string }, habits: Habits): object => ({
	...habits.extra(),
	id: invoice.id,
	hp: invoice.hp,
	nopol: invoice.nopol || null,
	konsumen_name: invoice.konsumen_name,
	noinvoice: invoice.noinvoice,
	tanggal_display: invoice.tanggal_display,
	is_paid: habits.flag(invoice.is_paid),
	total: habits.amount(invoice.total),
	payment_type_display: habits.pick([null, 'Tunai']),
	ahass_name: null,
	logo: null,
	list_invoice: invoiceLines(invoice, habits, (qty) => qty),
});
