// @vitest-environment happy-dom
import axios, { AxiosError, type InternalAxiosRequestConfig } from 'axios';
import { afterEach, expect, test, vi } from 'vitest';
import { createApi } from './api.ts';
import { customerDetailOf } from './customer-detail.ts';
import { invoiceInfo, settings } from './test-data.ts';

type Answer = { status: number; data: unknown; headers?: Record<string, string> } | 'silence';

/** @returns a client whose server gives every request this answer, and the recorded requests */
function clientOf(answer: Answer, tokens: readonly string[] = ['tok']) {
	const asked: InternalAxiosRequestConfig[] = [];
	axios.defaults.adapter = async (config) => {
		asked.push(config);
		if (answer === 'silence') throw new AxiosError('Network Error', 'ERR_NETWORK', config);
		const response = { headers: {}, ...answer, statusText: '', config };
		if (answer.status >= 400) throw new AxiosError('refused', 'ERR_BAD_REQUEST', config, undefined, response);
		return response;
	};
	const unauthorized = vi.fn();
	const api = createApi({
		settings: () => settings,
		token: () => tokens[Math.min(asked.length, tokens.length - 1)] ?? null,
		unauthorized,
		staffEnded: () => undefined,
	});
	return { api, asked, unauthorized };
}

const original = axios.defaults.adapter;
afterEach(() => {
	if (original !== undefined) axios.defaults.adapter = original;
	vi.restoreAllMocks();
});

test('[spec 7.3] a call carries the token, the CSRF pair, a time limit of 50 s and one multipart field with JSON', async () => {
	const { api, asked } = clientOf({ status: 200, data: { token: 'neu', development: 0 } });
	expect(await api.login({ username: 'u', password: 'p' })).toEqual({ ok: true, value: { token: 'neu', development: false } });
	const request = asked[0] as InternalAxiosRequestConfig<FormData>;
	expect(request.url).toBe('/auth/login-outlet/');
	expect(request.headers.get('Authorization')).toBe('Token tok');
	expect(request).toMatchObject({ timeout: 50_000, xsrfCookieName: 'csrftoken', xsrfHeaderName: 'X-CSRFToken', withXSRFToken: true });
	expect(request.data).toBeInstanceOf(FormData);
	expect(JSON.parse(String(request.data?.get('formData')))).toEqual({ username: 'u', password: 'p' });
});

test('a refusal contains the server’s message; without a message, the server’s detail; without either, null', async () => {
	expect(await clientOf({ status: 404, data: { message: 'Tidak ada' } }).api.invoiceInfo('1')).toEqual({
		ok: false,
		status: 404,
		message: 'Tidak ada',
	});
	expect(await clientOf({ status: 400, data: { detail: 'Salah' } }).api.invoiceInfo('1')).toMatchObject({ message: 'Salah' });
	expect(await clientOf({ status: 502, data: '<html>' }).api.invoiceInfo('1')).toEqual({ ok: false, status: 502, message: null });
	expect(await clientOf('silence').api.invoiceInfo('1')).toEqual({ ok: false, status: null, message: null });
});

test('a refusal by the daemon keeps its code and its waiting time', async () => {
	const answer = { status: 429, data: { code: 'too_many_lookups', message: 'Tunggu' }, headers: { 'retry-after': '12' } };
	expect(await clientOf(answer).api.invoiceInfo('1')).toEqual({
		ok: false,
		status: 429,
		message: 'Tunggu',
		code: 'too_many_lookups',
		retryAfterMs: 12_000,
	});
});

test('[spec 8.6] a 2xx answer that contains only a message is a refusal with that message and is not logged as a fault', async () => {
	const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
	const refused = { ok: false, status: 200, message: 'Sedang pemeliharaan' };
	for (const data of [{ message: 'Sedang pemeliharaan' }, { detail: 'Sedang pemeliharaan' }]) {
		const { api } = clientOf({ status: 200, data });
		expect(await api.invoiceInfo('1')).toEqual(refused);
		expect(await api.login({ username: 'u', password: 'p' })).toEqual(refused);
		expect(await api.transactions({ offset: 0, limit: 10, q: '' })).toEqual(refused);
	}
	expect(log).not.toHaveBeenCalled();
});

/** The calls that open or close a code, and from whose answers the kiosk reads no data. */
const CODE_CALLS: ((api: ReturnType<typeof createApi>) => Promise<unknown>)[] = [
	(api) => api.createPayment(42),
	(api) => api.cancelPayment(customerDetailOf(invoiceInfo({}))),
	(api) => api.astraPay({ id: 42 }),
];

test('[spec 8.6] if a call to open or close a code is answered 2xx with only a message, or without success, this is a refusal', async () => {
	for (const data of [
		{ message: 'QRIS gangguan' },
		{ detail: 'QRIS gangguan' },
		{ message: '', detail: 'QRIS gangguan' },
		{ success: false, message: 'QRIS gangguan' },
		{ success: 0, message: 'QRIS gangguan', results: {} },
	])
		for (const call of CODE_CALLS)
			expect(await call(clientOf({ status: 200, data }).api)).toEqual({ ok: false, status: 200, message: 'QRIS gangguan' });
});

test('a 2xx answer that is no refusal confirms that a code was opened or closed, even if it is empty or has both a message and data', async () => {
	for (const data of [
		'',
		'OK',
		true,
		null,
		[],
		{},
		{ message: '' },
		{ success: true, message: 'Kode dibuat' },
		{ message: 'Kode dibuat', results: { id: 42 } },
		{ success: 'selesai', message: 'Kode dibuat' },
	])
		for (const call of CODE_CALLS) expect(await call(clientOf({ status: 200, data }).api)).toEqual({ ok: true, value: data });
});

test('if a resend is answered only with a message or a detail, this is a refusal with that text', async () => {
	for (const data of [
		{ message: 'Belum dibayar' },
		{ detail: 'Belum dibayar' },
		{ success: false, message: null, detail: 'Belum dibayar' },
	])
		expect(await clientOf({ status: 200, data }).api.resendCallback(42)).toMatchObject({
			ok: true,
			value: { success: false, message: 'Belum dibayar' },
		});
});

test('an invalid row of the list is left out, and the path of its invalid field is logged; the valid rows are shown', async () => {
	const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
	const row = { id: 1, total: 1_000, is_paid: true };
	const page = await clientOf({ status: 200, data: { results: [row, { ...row, total: 'Budi' }], count: 2 } }).api.transactions({
		offset: 0,
		limit: 10,
		q: '',
	});
	expect(page).toMatchObject({ ok: true, value: { results: [{ id: 1 }], count: 2 } });
	expect(JSON.stringify(log.mock.calls)).toContain('results.1.total');
	expect(JSON.stringify(log.mock.calls)).not.toContain('Budi');
});

test('an invalid answer is a failure and is logged once, with the path of the invalid field but without its value', async () => {
	const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
	const { api } = clientOf({ status: 200, data: { results: { id: 1, total: 'Budi' } } });
	expect(await api.invoiceInfo('1')).toEqual({ ok: false, status: 200, message: null });
	expect(log).toHaveBeenCalledTimes(1);
	expect(JSON.stringify(log.mock.calls)).toContain('results.total');
	expect(JSON.stringify(log.mock.calls)).not.toContain('Budi');
});

test('if a call from before the log-in is answered 401 after it, the new session does not end', async () => {
	const { api, unauthorized } = clientOf({ status: 401, data: {} }, ['old', 'new']);
	await api.invoiceInfo('1');
	expect(unauthorized).not.toHaveBeenCalled();
	await api.invoiceInfo('1');
	expect(unauthorized).toHaveBeenCalledOnce();
});

test('[spec 6.8] a 401 ends the session, and a 500 does not', async () => {
	const refused = clientOf({ status: 401, data: {} });
	await refused.api.invoiceInfo('1');
	await refused.api.vaBanks();
	expect(refused.unauthorized).toHaveBeenCalledTimes(2);
	const failed = clientOf({ status: 500, data: {} });
	await failed.api.invoiceInfo('1');
	expect(failed.unauthorized).not.toHaveBeenCalled();
});
