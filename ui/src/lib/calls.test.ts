// @vitest-environment happy-dom
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { VaBank } from '@kiosk/contract/back-office';
import * as v from 'valibot';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Client, createApi } from './api.ts';
import { customerDetailOf } from './customer-detail.ts';
import { invoiceInfo, settings } from './test-data.ts';

/**
 * One call as the server received it. `form` contains its fields, parsed from JSON; null if it had
 * no body.
 */
interface Heard {
	line: string;
	headers: IncomingMessage['headers'];
	form: Record<string, unknown> | null;
}

async function formOf(request: IncomingMessage): Promise<Heard['form']> {
	const body = await buffer(request);
	if (body.length === 0) return null;
	const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': request.headers['content-type'] ?? '' } }).formData();
	return Object.fromEntries([...form].map(([name, value]) => [name, JSON.parse(String(value))]));
}

/** An answer that fits every call. */
const ANSWER = {
	token: 't',
	count: 0,
	result_record: { no_va: '988' },
	machine_ready: true,
	message: '',
	entries: [],
	is_paid: false,
};

const heard: Heard[] = [];
const server = createServer(async (request, response) => {
	const { headers } = request;
	heard.push({ line: `${request.method} ${request.url}`, headers, form: await formOf(request) });
	const results = request.url?.includes('get-invoice-info') ? { id: 42, total: 137_500 } : [];
	response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ ...ANSWER, results }));
});

beforeEach(async () => {
	heard.length = 0;
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	const { port } = server.address() as AddressInfo;
	(window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(`http://127.0.0.1:${port}/`);
	// biome-ignore lint/suspicious/noDocumentCookie: as the server's own Set-Cookie
	document.cookie = 'csrftoken=c5rf; path=/';
});
afterEach(() => new Promise((done) => server.close(done)));

const api = createApi({
	settings: () => settings,
	token: () => 'outlet-token',
	unauthorized: () => undefined,
	staffEnded: () => undefined,
});

/** @returns the one request that a call caused */
async function callOf(call: (api: Client) => Promise<unknown>): Promise<Heard> {
	await call(api);
	const [one, ...more] = heard.splice(0);
	if (one === undefined || more.length > 0) throw new Error(`${more.length + (one ? 1 : 0)} calls`);
	return one;
}

const detail = customerDetailOf(invoiceInfo({ odoo_id: 'SO7', payment_type: 1 }));
const debt = customerDetailOf(invoiceInfo({ transaction_type: 'hutang_lain' }));
const bank = v.parse(VaBank, { id: 3, nama: 'Bank Mandiri', script_kode: 'mandiri' });
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Section 7 of the specification, row by row. A form of `null` means a call without a body. */
const TABLE: readonly [line: string, form: unknown, call: (api: Client) => Promise<unknown>][] = [
	[
		'POST /auth/login-outlet/',
		{ username: 'outlet', password: 'rahasia' },
		(api) => api.login({ username: 'outlet', password: 'rahasia' }),
	],
	['POST /payment/api/v1/login-pin-screen/', { pin: '123456' }, (api) => api.pin('123456')],
	['GET /payment/api/v1/payment-group/?offset=20&limit=10', null, (api) => api.transactions({ offset: 20, limit: 10, q: '' })],
	['GET /payment/api/v1/payment-group/?offset=0&limit=10&q=budi+s', null, (api) => api.transactions({ offset: 0, limit: 10, q: 'budi s' })],
	['POST /payment/api/v1/resend-callback/42', null, (api) => api.resendCallback(42)],
	['POST /payment/api/v1/get-invoice-info/', { noinvoice: '081234567890' }, (api) => api.invoiceInfo('081234567890')],
	['POST /payment/api/v1/payment/', { payment_id: 42 }, (api) => api.createPayment(42)],
	['POST /payment/api/v1/open-machine/', { ...detail, hp: '0812' }, (api) => api.openMachine(detail, '0812')],
	['GET /payment/api/v1/master-va/?is_active=true', null, (api) => api.vaBanks()],
	['POST /payment/api/v1/create-va-kiosbank/', { bank_id: 3, bank: 'mandiri', results: detail }, (api) => api.createVa(bank, detail)],
	['POST /payment/api/v1/create-va-xendit/', { bank_id: 3, bank: 'mandiri', results: debt }, (api) => api.createVa(bank, debt)],
	['POST /payment/api/v1/cancel-payment/', detail, (api) => api.cancelPayment(detail)],
	['POST /payment/api/v1/payment-astra-pay/', { id: 42 }, (api) => api.astraPay({ id: 42 })],
	['GET /payment/api/v1/video/', null, (api) => api.video()],
];

test.each(TABLE)('[spec 6.5, 7.1] %s has the method, path, form and headers that the specification requires', async (line, form, call) => {
	const one = await callOf(call);
	expect(one.line).toBe(line);
	expect(one.form).toEqual(form === null ? null : { formData: asJson(form) });
	expect(one.headers).toMatchObject({ authorization: 'Token outlet-token', accept: 'application/json', 'x-csrftoken': 'c5rf' });
	if (form !== null) expect(one.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
});

test('[spec 7.4] every path that the screen may call has a row in the table of calls', () => {
	const lines = TABLE.map(([line]) => line.replace('/42', '/{id}'));
	// The screen may not make this call; only the daemon reports notes.
	const { cash_notification, ...paths } = settings.paths;
	expect(cash_notification).toBe('/payment/api/v1/payment-cash/');
	for (const path of Object.values(paths)) expect(lines.filter((line) => line.includes(` ${path}`))).not.toEqual([]);
});

test('when the screen sends an invoice back, it leaves out pictures and oversized lists, to stay below the daemon’s limit', async () => {
	const picture = `data:image/png;base64,${'A'.repeat(600_000)}`;
	const large = { ...detail, logo: picture, qr_url: picture, promo: Array.from({ length: 8_000 }, () => 'Ganti oli dan servis ringan') };
	const sent = { ...detail, logo: '', qr_url: '' };
	for (const [form, call] of [
		[{ ...sent, hp: '0812' }, (api) => api.openMachine(large, '0812')],
		[{ bank_id: 3, bank: 'mandiri', results: sent }, (api) => api.createVa(bank, large)],
		[sent, (api) => api.cancelPayment(large)],
	] satisfies [object, (api: Client) => Promise<unknown>][])
		expect((await callOf(call)).form).toEqual({ formData: asJson(form) });
});
