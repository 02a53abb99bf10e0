import { randomUUID } from 'node:crypto';
import { type BankCode, type Bill, groupRow, invoiceInfo, receivedFor, totalOf } from './bills.ts';
import type { OtherServer } from './server.ts';

export const ACCOUNT = { username: 'wira-denpasar', password: 'pantai & laut' };
export const PIN = '741852';
/** From this total on, rupiah, a virtual account replaces QRIS. */
export const MAX_TO_VA = 250_000;

/** This server's paths; only the first five are fixed by the specification. */
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
} as const;
export type Call = keyof typeof PATHS;

/** An HTTP answer. */
export interface Answer {
	status: number;
	body: string;
	type: string;
	/** Target of a redirect. */
	location?: string;
}
/**
 * A fault of the network: the call is lost, its answer is lost after the work was done, or no
 * answer comes.
 */
export type Mishap = 'call lost' | 'answer lost' | 'silence';

/** A redirect to another address. */
export const REDIRECT: Answer = { status: 302, body: '', type: 'text/html', location: '/masuk/' };

/** A proxy's answer while the server behind it restarts. */
export const BAD_GATEWAY: Answer = { status: 502, body: '<html><h1>502 Bad Gateway</h1></html>', type: 'text/html' };

/** Content types that servers use for JSON. */
const JSON_TYPES = ['application/json', 'application/json; charset=utf-8', 'text/html; charset=utf-8', 'text/json'];

/** A JSON answer; its length decides its content type. */
export const json = (status: number, value: unknown): Answer => {
	const body = JSON.stringify(value);
	return { status, body, type: JSON_TYPES[body.length % JSON_TYPES.length] ?? '' };
};

/** A note as reported by the kiosk. */
export interface BookedNote {
	note_id: string;
	nominal: number;
	noinvoice: string;
}

type Handler = (server: OtherServer, fields: Record<string, unknown>, query: URLSearchParams, tail: string) => Answer;

/** Database keys of the banks. */
const BANKS: Record<BankCode, { id: string; name: string; company: number | null }> = {
	bca: { id: '1f7e0a52-0000-4000-8000-0000000000b1', name: 'Bank Central Asia', company: null },
	mandiri: { id: '1f7e0a52-0000-4000-8000-0000000000b2', name: 'Bank Mandiri', company: 70_012 },
	bni: { id: '1f7e0a52-0000-4000-8000-0000000000b3', name: 'Bank Negara Indonesia', company: null },
};
const HOLDS_MS = 26 * 3_600_000;
const PAGE = 10;

const unknown = (server: OtherServer): Answer => json(404, server.habits.refusal('Tagihan tidak ada di bengkel kami'));
const billOf = (server: OtherServer, id: unknown): Bill | undefined => server.billBy((bill) => bill.id === id);

export const CALLS: Record<Call, Handler> = {
	login(server, { username, password }) {
		if (username !== ACCOUNT.username || password !== ACCOUNT.password)
			return json(400, server.habits.refusal('Nama atau sandi bengkel keliru'));
		// Base 64, whose characters must be encoded in an address or a cookie.
		const token = `${randomUUID()}+/=`;
		server.tokens.add(token);
		return json(200, { ...server.habits.extra(), token, ...(server.development ? { development: 1 } : {}) });
	},
	pin: (server, { pin }) => (pin === PIN ? json(200, true) : json(403, server.habits.refusal('PIN keliru'))),
	payment_group(server, _, query) {
		const words = query.get('q')?.toLowerCase() ?? '';
		const found = server.transactions.filter(({ name, key, plate }) => `${name} ${key} ${plate}`.toLowerCase().includes(words));
		const offset = Number(query.get('offset'));
		const rows = found.slice(offset, offset + Number(query.get('limit') ?? PAGE));
		return json(200, { ...server.habits.extra(), count: String(found.length), results: rows.map((bill) => groupRow(bill, server.habits)) });
	},
	resend_callback(server, _, __, tail) {
		const bill = server.transactions.find(({ id }) => tail.startsWith(id));
		return bill ? json(200, { success: 1, message: null }) : json(404, server.habits.refusal('Transaksi tidak ada'));
	},
	invoice_info(server, { noinvoice }) {
		const bill = server.billBy(({ key }) => key === noinvoice);
		return bill ? json(200, invoiceInfo(bill, server.habits, `${MAX_TO_VA}.00`, null)) : unknown(server);
	},
	/** The kiosk only logs it, so the answer is no JSON at all. */
	payment(server, { payment_id }) {
		const bill = billOf(server, payment_id);
		if (!bill) return unknown(server);
		const expires = new Date(Date.now() + HOLDS_MS);
		const open = bill.charge !== null && bill.charge.expires > new Date();
		if (totalOf(bill) < MAX_TO_VA && !open) bill.charge = { kind: 'qris', content: bill.qrPicture ?? qrText(bill), expires };
		return { status: 201, body: 'OK', type: 'text/plain' };
	},
	open_machine: (server, { id }) => (billOf(server, id) ? json(200, { machine_ready: 1, message: null }) : unknown(server)),
	master_va: (server) =>
		json(200, {
			...server.habits.extra(),
			results: Object.entries(BANKS).map(([code, { id, name }]) => ({
				...server.habits.extra(),
				id,
				nama: name,
				logo: LOGOS[code as BankCode](server),
				script_kode: code,
				is_active: server.habits.flag(true),
			})),
		}),
	create_va: (server, fields) => createVa(server, fields, false),
	create_va_hutang_lain: (server, fields) => createVa(server, fields, true),
	cancel_payment(server, { id }) {
		const bill = billOf(server, id);
		if (!bill) return unknown(server);
		if (bill.paid) return json(400, server.habits.refusal('Sudah dibayar'));
		bill.charge = null;
		return { status: 200, body: '', type: 'text/plain' };
	},
	cash_notification(server, fields) {
		const bill = billOf(server, fields.id);
		server.complaints.push(...complaintsAboutNote(fields, bill));
		if (!bill) return unknown(server);
		const nominal = Number(fields.nominal);
		const paid = book(server, bill, { note_id: String(fields.note_id), nominal, noinvoice: bill.noinvoice });
		if (paid) server.pay(bill, server.habits.pick([0, 1, 3]));
		return server.habits.pick<Answer>([
			json(200, { is_paid: paid ? 1 : 0 }),
			json(201, null),
			{ status: 200, body: '', type: 'text/plain' },
		]);
	},
};

/** Missing, on another host, and gone. */
const LOGOS: Record<BankCode, (server: OtherServer) => string | null> = {
	bca: () => null,
	mandiri: (server) => server.picture,
	bni: (server) => server.picture.replace('.png', '.gone'),
};

/** The QRIS code's text, as a banking app reads it. */
export const qrText = (bill: Bill): string => `00020101021226570011ID.WIRA.WWW0118${bill.id.replaceAll('-', '').slice(0, 18)}5303360`;

function createVa(server: OtherServer, { bank_id, results }: Record<string, unknown>, other: boolean): Answer {
	const entry = Object.entries(BANKS).find(([, { id }]) => id === bank_id);
	const bill = billOf(server, (results as { id?: unknown } | undefined)?.id);
	if (!entry || !bill) return unknown(server);
	if (other !== (bill.type === 'hutang_lain')) return json(400, server.habits.refusal('Jalur VA keliru'));
	const [code, { company }] = entry;
	const number = `0${8_800_000_000_000 + Number(bill.key)}`;
	bill.charge = { kind: 'va', bank: code as BankCode, number, company, expires: new Date(Date.now() + HOLDS_MS) };
	return json(201, { ...server.habits.extra(), result_record: { ...server.habits.extra(), no_va: number, company_code: company } });
}

/** Adds a note to the books if it is new. @returns whether the bill is covered */
function book(server: OtherServer, bill: Bill, note: BookedNote): boolean {
	if (!server.notes.has(note.note_id)) {
		server.notes.set(note.note_id, note);
		bill.received.push({ nominal: note.nominal, at: new Date() });
	}
	bill.paid ||= receivedFor(bill) >= totalOf(bill);
	return bill.paid;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function complaintsAboutNote(note: Record<string, unknown>, bill: Bill | undefined): string[] {
	const fits =
		UUID.test(String(note.note_id)) &&
		bill !== undefined &&
		note.odoo_id === bill.odooId &&
		note.noinvoice === bill.noinvoice &&
		Number.isSafeInteger(note.nominal) &&
		TIME.test(String(note.time));
	return fits ? [] : [`a note does not fit: ${JSON.stringify(note)}`];
}
