import type { Fields } from '../http.ts';
import { isFields } from '../http.ts';
import type { Books, ReportedNote } from './books.ts';
import { AHASS_NAME, type Invoice, openPayment, receivedFor } from './invoice.ts';
import { qrisPayload } from './qris.ts';
import { jakartaDisplay, jakartaIso } from './time.ts';

export interface Account {
	username: string;
	password: string;
	pin: string;
}

/** The promo film that this server offers. */
export interface Film {
	name: string;
	bytes: Buffer;
}

export interface CallContext {
	books: Books;
	account: Account;
	/** Total from which the server offers a virtual account instead of QRIS, rupiah. */
	maxToVa: number;
	film?: Film | null;
	/** The flag `development` in the answer to a login. */
	development?: boolean;
	now: Date;
	fields: Fields;
	query: URLSearchParams;
	/** The id in the path of the call. */
	id: string;
}
export interface Answer {
	status: number;
	body: unknown;
}
type Handler = (context: CallContext) => Answer;

const ok = (body: unknown): Answer => ({ status: 200, body });
const refuse = (status: number, message: string): Answer => ({ status, body: { message } });

const QRIS_LIFE_MS = 30 * 60_000;
const VA_LIFE_MS = 24 * 3_600_000;

const bankLogo = (name: string, colour: string): string =>
	`data:image/svg+xml,${encodeURIComponent(
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 60"><text x="80" y="42" font-family="sans-serif" font-size="36" font-weight="800" text-anchor="middle" fill="${colour}">${name}</text></svg>`,
	)}`;

const BANKS = [
	{ id: 1, nama: 'BCA', script_kode: 'bca', logo: bankLogo('BCA', '#0060af'), prefix: '39107', company_code: '' },
	{ id: 2, nama: 'Mandiri', script_kode: 'mandiri', logo: bankLogo('mandiri', '#003d79'), prefix: '88608', company_code: '88608' },
	{ id: 3, nama: 'BNI', script_kode: 'bni', logo: bankLogo('BNI', '#e55300'), prefix: '98800', company_code: '' },
] as const;

/** POST /auth/login-outlet/ */
const login: Handler = ({ books, account, fields, development = true }) =>
	fields.username === account.username && fields.password === account.password
		? ok({ token: books.issueToken(), development })
		: refuse(400, 'Username atau password salah');

/** POST login-pin-screen/ */
const pin: Handler = ({ account, fields }) => (fields.pin === account.pin ? ok({ success: true }) : refuse(400, 'PIN salah'));

/** GET payment-group/ with offset, limit and q */
const paymentGroup: Handler = ({ books, query }) => {
	const offset = Math.max(0, Number(query.get('offset') ?? 0) || 0);
	const limit = Math.max(0, Number(query.get('limit') ?? 10) || 0);
	const wanted = (query.get('q') ?? '').trim().toLowerCase();
	const found = books.invoices
		.filter((invoice) => [invoice.hp, invoice.nopol, invoice.konsumen_name, invoice.noinvoice].join(' ').toLowerCase().includes(wanted))
		.sort((a, b) => b.tanggal.localeCompare(a.tanggal));
	return ok({ results: found.slice(offset, offset + limit).map(listed), count: found.length });
};

const listed = (invoice: Invoice) => ({
	...invoice,
	tanggal_display: jakartaDisplay(new Date(invoice.tanggal)),
	ahass_name: AHASS_NAME,
});

/** POST resend-callback/{id} */
const resendCallback: Handler = ({ books, id }) => {
	const invoice = books.byId(id);
	if (invoice === undefined) return refuse(404, 'Transaksi tidak ditemukan');
	return ok(invoice.is_paid ? { success: true, message: 'Callback dikirim' } : { success: false, message: 'Transaksi belum dibayar' });
};

/** POST get-invoice-info/ */
const invoiceInfo: Handler = ({ books, fields, maxToVa, now }) => {
	const invoice = books.find(String(fields.noinvoice ?? ''));
	if (invoice === undefined) return refuse(400, 'Invoice tidak ditemukan');
	return ok({ results: books.told(invoice, now), logo: invoice.logo, ahass_name: AHASS_NAME, max_to_va: maxToVa });
};

/** The merchant's reference in a QRIS code, at most 25 characters. */
export const referenceOf = ({ id }: Invoice): string => `KIOS-${String(id).slice(-12)}`;

/**
 * POST payment/: opens a QRIS code. If the total is `maxToVa` or more, the call opens nothing,
 * because the customer must choose a bank first.
 */
const createPayment: Handler = ({ books, fields, now, maxToVa }) => {
	const invoice = books.byId(fields.payment_id);
	if (invoice === undefined) return refuse(400, 'Invoice tidak ditemukan');
	if (invoice.is_paid) return refuse(400, 'Invoice sudah dibayar');
	if (invoice.total >= maxToVa) return ok({ success: true, results: books.told(invoice, now) });
	const expiry_time = jakartaIso(new Date(now.getTime() + QRIS_LIFE_MS));
	openPayment(invoice, 'qris', { expiry_time, qr_url: qrisPayload(invoice.total - receivedFor(invoice), referenceOf(invoice)) });
	books.touch(invoice);
	return ok({ success: true, results: books.told(invoice, now) });
};

/** GET master-va/ */
const masterVa: Handler = () =>
	ok({ results: BANKS.map(({ id, nama, logo, script_kode }) => ({ id, nama, logo, script_kode, is_active: true })), count: BANKS.length });

/** POST create-va-kiosbank/ and create-va-xendit/ */
const createVa: Handler = ({ books, fields, now }) => {
	const bank = BANKS.find(({ id, script_kode }) => String(id) === String(fields.bank_id) || script_kode === fields.bank);
	const invoice = isFields(fields.results) ? books.byId(fields.results.id) : undefined;
	if (bank === undefined) return refuse(400, 'Bank tidak dikenal');
	if (invoice === undefined) return refuse(400, 'Invoice tidak ditemukan');
	if (invoice.is_paid) return refuse(400, 'Invoice sudah dibayar');
	const record = {
		no_va: bank.prefix + String(invoice.id).padStart(11, '0').slice(-11),
		company_code: bank.company_code,
		bank: bank.script_kode,
		expiry_time: jakartaIso(new Date(now.getTime() + VA_LIFE_MS)),
	};
	openPayment(invoice, 'va', record);
	books.touch(invoice);
	return ok({ success: true, result_record: { ...record, total: invoice.total } });
};

/** POST cancel-payment/ */
const cancelPayment: Handler = ({ books, fields }) => {
	const invoice = books.byId(fields.id);
	if (invoice === undefined) return refuse(400, 'Invoice tidak ditemukan');
	return books.cancelPayment(invoice) ? ok({ success: true }) : refuse(400, 'Pembayaran sudah diterima, tidak dapat dibatalkan');
};

/** POST payment-cash/: idempotent by note_id */
const cashNotification: Handler = ({ books, fields, now }) => {
	const note = reportedNote(fields);
	if (note === null) return refuse(400, 'note_id, id, odoo_id, noinvoice, nominal and time are required');
	const booking = books.bookNote(note, now.toISOString());
	if (booking === 'different') return refuse(409, 'note_id is already booked with another invoice or nominal');
	return ok({ success: true, repeated: booking === 'repeated', is_paid: books.meantBy(note)?.is_paid ?? false });
};

function reportedNote(fields: Fields): ReportedNote | null {
	const { note_id, id, odoo_id = null, noinvoice = '', nominal, time } = fields;
	const idOk = typeof id === 'string' || typeof id === 'number';
	const odooOk = odoo_id === null || typeof odoo_id === 'string' || typeof odoo_id === 'number';
	if (typeof note_id !== 'string' || note_id === '' || !idOk || !odooOk) return null;
	if (typeof nominal !== 'number' || !Number.isInteger(nominal) || nominal <= 0) return null;
	if (typeof noinvoice !== 'string' || typeof time !== 'string' || Number.isNaN(Date.parse(time))) return null;
	return { note_id, id, odoo_id, noinvoice, nominal, time };
}

/** The server always agrees, because the kiosk opens its own acceptor. */
const openMachine: Handler = () => ok({ machine_ready: true, message: '' });
const video: Handler = ({ film }) => ok({ results: film ? [{ id: 1, video: filmPath(film) }] : [] });
const astraPay: Handler = () => refuse(400, 'AstraPay belum tersedia');

const API = '/payment/api/v1';
/** Path of the film on this server. */
export const filmPath = (film: Film): string => `/media/${film.name}`;

export const LOGIN_PATH = '/auth/login-outlet/';

interface Route {
	method: 'GET' | 'POST';
	path: string;
	run: Handler;
}

const get = (path: string, run: Handler): Route => ({ method: 'GET', path, run });
const post = (path: string, run: Handler): Route => ({ method: 'POST', path, run });

/** All calls of the server; `{id}` in a path stands for the id. */
const ROUTES = {
	login: post(LOGIN_PATH, login),
	pin: post(`${API}/login-pin-screen/`, pin),
	payment_group: get(`${API}/payment-group/`, paymentGroup),
	resend_callback: post(`${API}/resend-callback/{id}`, resendCallback),
	invoice_info: post(`${API}/get-invoice-info/`, invoiceInfo),
	payment: post(`${API}/payment/`, createPayment),
	open_machine: post(`${API}/open-machine/`, openMachine),
	master_va: get(`${API}/master-va/`, masterVa),
	create_va: post(`${API}/create-va-kiosbank/`, createVa),
	create_va_hutang_lain: post(`${API}/create-va-xendit/`, createVa),
	cancel_payment: post(`${API}/cancel-payment/`, cancelPayment),
	video: get(`${API}/video/`, video),
	payment_astra_pay: post(`${API}/payment-astra-pay/`, astraPay),
	cash_notification: post(`${API}/payment-cash/`, cashNotification),
	anchor: post(`${API}/journal-anchor/`, () => ok({})),
} satisfies Record<string, Route>;
export type Call = keyof typeof ROUTES;

/**
 * @returns the id in the path, '' for a path without one, or null if the path belongs to another
 * call
 */
function idIn(path: string, pattern: string): string | null {
	const [start = '', rest] = pattern.split('{id}');
	if (rest === undefined) return path === pattern ? '' : null;
	return path.startsWith(start) ? (/^([^/]+)\/?$/.exec(path.slice(start.length))?.[1] ?? null) : null;
}

/**
 * @param paths other paths for some calls
 * @returns the call for a method and path, with the id in the path, or the HTTP status for an
 * unknown path or method
 */
export function findCall(
	method: string,
	path: string,
	paths: Partial<Record<Call, string>> = {},
): { name: Call; call: Handler; id: string } | 404 | 405 {
	let status: 404 | 405 = 404;
	for (const [name, route] of Object.entries(ROUTES) as [Call, Route][]) {
		const id = idIn(path, paths[name] ?? route.path);
		if (id === null) continue;
		if (route.method === method) return { name, call: route.run, id: decodeURIComponent(id) };
		status = 405;
	}
	return status;
}
