import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { temporaryFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';
import { crc16, qrisPayload } from './qris.ts';
import { type BackOffice, startBackOffice } from './start.ts';

const API = '/payment/api/v1';
let office: BackOffice;
let token: string;

beforeEach(async () => {
	office = await startBackOffice({ port: 0 });
	token = (await post('/auth/login-outlet/', { username: 'outlet', password: 'rahasia' })).body.token;
});
afterEach(() => office.stop());

// biome-ignore lint/suspicious/noExplicitAny: matchers inspect the server's answers
type Answer = { status: number; body: any; cookie: string | null };

async function send(path: string, init: RequestInit): Promise<Answer> {
	const headers = { ...(token ? { Authorization: `Token ${token}` } : {}), ...(init.headers as Record<string, string>) };
	const response = await fetch(office.url + path, { ...init, headers, signal: AbortSignal.timeout(2_000) });
	return { status: response.status, body: await response.json(), cookie: response.headers.get('set-cookie') };
}
function post(path: string, fields: object, headers: Record<string, string> = {}): Promise<Answer> {
	const form = new FormData();
	form.append('formData', JSON.stringify(fields));
	return send(path, { method: 'POST', body: form, headers });
}
const lookUp = async (noinvoice: string) => (await post(`${API}/get-invoice-info/`, { noinvoice })).body;
const note = (note_id: string, nominal: number, id = 1) => ({
	note_id,
	id,
	odoo_id: 70_001,
	noinvoice: 'INV/2026/11/0042',
	nominal,
	time: '2026-11-20T10:00:00+07:00',
});
const reportNote = (note_id: string, nominal: number, id = 1) => post(`${API}/payment-cash/`, note(note_id, nominal, id));

async function kiosk(): Promise<{ socket: WebSocket; heard: { text: Record<string, unknown> }[] }> {
	const socket = new WebSocket(`${office.url.replace('http', 'ws')}/ws/${token}/`, 'echo-protocol');
	const heard: { text: Record<string, unknown> }[] = [];
	socket.on('message', (data) => heard.push(JSON.parse(String(data))));
	socket.on('error', () => {});
	await until(() => expect(socket.readyState).toBe(WebSocket.OPEN));
	return { socket, heard };
}

describe('login', () => {
	test('a login accepts a URL-encoded form and sets a CSRF cookie', async () => {
		const body = new URLSearchParams({ formData: JSON.stringify({ username: 'outlet', password: 'rahasia' }) });
		const answer = await send('/auth/login-outlet/', { method: 'POST', body });
		expect(answer).toMatchObject({ status: 200, body: { development: true } });
		expect(answer.cookie).toContain('csrftoken=');
	});

	test('the server refuses a wrong password, a wrong PIN, a missing token and an unknown token', async () => {
		expect((await post('/auth/login-outlet/', { username: 'outlet', password: 'x' })).status).toBe(400);
		expect((await post(`${API}/login-pin-screen/`, { pin: '0' })).body.message).toBe('PIN salah');
		expect((await post(`${API}/login-pin-screen/`, { pin: '123456' })).body).toBeTruthy();
		token = 'nobody';
		expect(await send(`${API}/master-va/`, {})).toMatchObject({ status: 401, body: { detail: 'Invalid token.' } });
		token = '';
		expect(await send(`${API}/master-va/`, {})).toMatchObject({ status: 401, body: { detail: expect.any(String) } });
	});

	test('a call with the CSRF cookie but without the CSRF header is refused', async () => {
		const Cookie = 'csrftoken=abc';
		expect((await post(`${API}/login-pin-screen/`, { pin: '123456' }, { Cookie })).status).toBe(403);
		expect((await post(`${API}/login-pin-screen/`, { pin: '123456' }, { Cookie, 'X-CSRFToken': 'abc' })).status).toBe(200);
	});
});

describe('invoices', () => {
	test('invoices are found by phone, invoice or work order number, and an unknown number is refused', async () => {
		const { results, max_to_va } = await lookUp('081234567890');
		expect(results).toMatchObject({ id: 1, konsumen_name: 'Budi Santoso', total: 137_500, is_paid: false, list_pembayaran: [] });
		expect(results.list_invoice[0].detail).toHaveLength(3);
		expect(max_to_va).toBeGreaterThan(137_500);
		expect((await lookUp('INV/2026/11/0042')).results.id).toBe(1);
		expect((await lookUp('WO/2026/11/0417')).results.id).toBe(1);
		expect(await post(`${API}/get-invoice-info/`, { noinvoice: '0800' })).toMatchObject({
			status: 400,
			body: { message: 'Invoice tidak ditemukan' },
		});
	});

	test('the list can be read in pages and searched', async () => {
		const page = (await send(`${API}/payment-group/?offset=10&limit=10`, {})).body;
		expect(page.count).toBeGreaterThan(40);
		expect(page.results).toHaveLength(10);
		expect(page.results[0].tanggal_display).toMatch(/^\d\d-\d\d-\d{4} \d\d:\d\d$/);
		const found = (await send(`${API}/payment-group/?offset=0&limit=10&q=budi`, {})).body;
		expect(found).toMatchObject({ count: 1, results: [{ konsumen_name: 'Budi Santoso' }] });
	});

	test('a QRIS code and a virtual account are opened on the invoice, and a cancellation removes the code', async () => {
		await post(`${API}/payment/`, { payment_id: 1 });
		expect((await lookUp('081234567890')).results).toMatchObject({ payment_type: 1, json_data: { expiry_time: expect.any(String) } });
		await post(`${API}/cancel-payment/`, { id: 1 });
		expect((await lookUp('081234567890')).results.json_data).toBeNull();
		const va = await post(`${API}/create-va-kiosbank/`, { bank_id: 2, bank: 'mandiri', results: { id: 5 } });
		expect(va.body.result_record).toMatchObject({ company_code: '88608', no_va: '8860800000000005' });
	});

	test('the text of a QRIS code has a valid checksum', () => {
		expect(crc16('123456789')).toBe('29B1');
		const payload = qrisPayload(137_500, 'KIOS-1');
		expect(crc16(payload.slice(0, -4))).toBe(payload.slice(-4));
		expect(payload).toContain('5406137500');
	});
});

describe('cash notes', () => {
	test('cash notes are booked once despite repeats, and pay the invoice when they cover the total', async () => {
		const { heard } = await kiosk();
		expect((await reportNote('a', 100_000)).body).toMatchObject({ repeated: false, is_paid: false });
		expect((await reportNote('a', 100_000)).body).toMatchObject({ repeated: true, is_paid: false });
		expect((await reportNote('b', 50_000)).body).toMatchObject({ is_paid: true });
		await reportNote('b', 50_000);
		expect(office.books.notes.map(({ note_id, repeats }) => [note_id, repeats])).toEqual([
			['a', 1],
			['b', 1],
		]);
		expect((await lookUp('081234567890')).results.list_pembayaran.map((payment: { nominal: number }) => payment.nominal)).toEqual([
			100_000, 50_000,
		]);
		await until(() => expect(heard).toMatchObject([{ text: { type: 'payment_notification', id: 1, is_paid: true } }]));
	});

	test('a note with a repeated id but another amount is refused, and so is an amount as text; a note for an unknown invoice is kept apart', async () => {
		await reportNote('a', 100_000);
		expect((await reportNote('a', 50_000)).status).toBe(409);
		expect((await reportNote('c', 20_000, 9_999)).status).toBe(200);
		expect(office.books.notes.at(-1)).toMatchObject({ nominal: 20_000, assigned: false });
		expect((await post(`${API}/payment-cash/`, { ...note('d', 1), nominal: '1000' })).status).toBe(400);
	});

	test('logins, notes and paid invoices survive a restart of the server', async () => {
		const folder = temporaryFolder('back-office');
		await office.stop();
		office = await startBackOffice({ port: 0, file: join(folder, 'books.json') });
		token = office.books.issueToken();
		await reportNote('a', 150_000);
		await office.stop();
		office = await startBackOffice({ port: 0, file: join(folder, 'books.json') });
		expect((await lookUp('081234567890')).results.is_paid).toBe(true);
		expect((await reportNote('a', 150_000)).body.repeated).toBe(true);
	});
});

describe('the live socket', () => {
	test('an unknown token is refused with 403', async () => {
		const socket = new WebSocket(`${office.url.replace('http', 'ws')}/ws/nobody/`);
		const refusal = await new Promise<Error>((resolve) => socket.on('error', resolve));
		expect(refusal.message).toContain('403');
	});

	test('a card approval sent twice is booked once, and its access token is not stored', async () => {
		const { socket, heard } = await kiosk();
		expect(socket.protocol).toBe('echo-protocol');
		const data = { no_invoice: 'INV/2026/11/0042', access_token: token, json_success_payment: { respCode: '00' } };
		const message = { type: 'payment_edc_bca_notification', event: 'transaction_approve', data };
		socket.send(JSON.stringify({ message }));
		socket.send(JSON.stringify({ message }));
		await until(() => expect(office.books.approvals).toMatchObject([{ repeats: 1 }]));
		await until(() => expect(heard).toHaveLength(1));
		expect(JSON.stringify(office.live.received)).not.toContain(token);
	});
});

describe('the network', () => {
	test('while the server is down, sockets are closed and calls refused, and later the same port answers again', async () => {
		const { socket } = await kiosk();
		await office.setNetwork({ up: false });
		await until(() => expect(socket.readyState).toBe(WebSocket.CLOSED));
		await expect(reportNote('a', 1_000)).rejects.toThrow();
		await office.setNetwork({ up: true });
		expect((await reportNote('a', 1_000)).status).toBe(200);
	});

	test('in mode lost_answer a note is booked although the caller gets no answer', async () => {
		await office.setNetwork({ mode: 'lost_answer', path: 'payment-cash' });
		await expect(reportNote('a', 1_000)).rejects.toThrow();
		await office.setNetwork({ mode: 'normal' });
		expect((await reportNote('a', 1_000)).body.repeated).toBe(true);
	});

	test('the server answers 500 as HTML in mode error, truncated JSON in mode garbage, and late in mode slow', async () => {
		await office.setNetwork({ mode: 'error' });
		const response = await fetch(`${office.url}${API}/master-va/`);
		expect([response.status, response.headers.get('content-type')]).toEqual([500, 'text/html']);
		await office.setNetwork({ mode: 'garbage' });
		await expect(lookUp('081234567890')).rejects.toThrow(SyntaxError);
		await office.setNetwork({ mode: 'slow', slowMs: 60 });
		const started = performance.now();
		await lookUp('081234567890');
		expect(performance.now() - started).toBeGreaterThan(50);
	});

	test('in mode silent an open socket gets no messages and calls get no answer', async () => {
		const { socket, heard } = await kiosk();
		await office.setNetwork({ mode: 'silent' });
		const paid = office.books.byId(1);
		if (paid !== undefined) office.books.pay(paid, 'qris');
		await expect(fetch(office.url, { signal: AbortSignal.timeout(100) })).rejects.toThrow();
		expect([socket.readyState, heard]).toEqual([WebSocket.OPEN, []]);
	});
});
