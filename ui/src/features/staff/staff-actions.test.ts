// @vitest-environment happy-dom

import { PinAnswer, Transaction } from '@kiosk/contract/back-office';
import * as v from 'valibot';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Api, ApiFailure } from '../../lib/api.ts';
import { answered } from '../../lib/test-data.ts';
import { filtered, pageChosen } from '../../state/list.ts';
import { printFate } from '../../state/paid.ts';
import { storeWith } from '../../state/test-store.tsx';
import { visitEnded } from '../../state/visit.ts';
import { callForStaff, confirmSettings, loadTransactions, printTransaction, resendCallback, unlockList } from './staff-actions.ts';

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
	sessionStorage.clear();
});

const staying = new AbortController().signal;
const refused = (status: number | null, message: string | null = null): ApiFailure => ({ ok: false, status, message });
const transaction = (more: Record<string, unknown> = {}) =>
	v.parse(Transaction, {
		id: 42,
		noinvoice: 'INV/42',
		konsumen_name: 'Budi',
		nopol: 'B 1 X',
		total: 137_500,
		is_paid: true,
		tanggal_display: '21-11-2026 09:05',
		payment_type_display: 'QRIS',
		ahass_name: 'AHASS 01234',
		list_invoice: [{ noinvoice_odoo: 'INV/42', total: 137_500, detail: [{ produk_name: 'Servis', qty: 2, harga: 68_750 }] }],
		...more,
	});

test('[spec 4.6] any truthy answer to a PIN unlocks the list, except one whose field `success` is neither true nor 1', () => {
	const opens = (answer: unknown) => v.parse(PinAnswer, answer).opens;
	for (const answer of [true, 1, 'ok', {}, { success: true }, { success: 1, message: null }, { token: 'x' }])
		expect(opens(answer)).toBe(true);
	for (const answer of [false, 0, '', null, { success: false }, { success: null }, { success: 'no' }, { success: 0, message: {} }])
		expect(opens(answer)).toBe(false);
});

test('if the answer to a PIN contains only a message, the list stays locked and the message is shown', () => {
	expect(v.parse(PinAnswer, { message: 'Coba lagi nanti' })).toEqual({ opens: false, message: 'Coba lagi nanti' });
	expect(v.parse(PinAnswer, { detail: 'Not found' })).toEqual({ opens: false, message: 'Not found' });
	expect(v.parse(PinAnswer, { success: true, message: 'OK' }).opens).toBe(true);
});

test('[spec 8.3] after a refused PIN, the server’s message is shown or, if there is none, "Kami sedang alami gangguan"', async () => {
	const shown = async (pin: Api['pin']) => {
		const { store } = storeWith({ pin });
		await store.dispatch(unlockList('1', staying));
		expect(store.getState().pinLock.open).toBe(false);
		return store.getState().alert;
	};
	expect(await shown(async () => refused(400, 'PIN salah'))).toMatchObject({ show: true, text: 'PIN salah', color: 'danger' });
	expect((await shown(async () => answered({ opens: false, message: 'PIN keliru' }))).text).toBe('PIN keliru');
	expect((await shown(async () => refused(null))).text).toBe('Kami sedang alami gangguan');
	expect((await shown(async () => answered({ opens: false, message: '' }))).text).toBe('Kami sedang alami gangguan');
});

test('the right PIN closes the alert about a wrong PIN', async () => {
	const answers = [refused(400, 'PIN salah'), answered({ opens: true, message: '' })];
	const { store } = storeWith({ pin: async () => answers.shift() ?? refused(null) });
	await store.dispatch(unlockList('1', staying));
	expect(store.getState().alert.show).toBe(true);
	await store.dispatch(unlockList('2', staying));
	expect([store.getState().pinLock.open, store.getState().alert.show]).toEqual([true, false]);
});

test('if a PIN is refused because of too many attempts, the countdown starts and no alert is shown', async () => {
	const { store } = storeWith({
		pin: async () => ({ ...refused(429, 'PIN dapat dicoba lagi dalam 29 detik.'), code: 'too_many_pins' }),
		staff: async () => answered({ open: false, wait_ms: 29_000 }),
	});
	await store.dispatch(unlockList('1', staying));
	expect([store.getState().alert.show, store.getState().pinLock.until > 0]).toEqual([false, true]);
});

test('while the daemon accepts no PIN, the screen sends none and shows no alert', async () => {
	const { store, calls } = storeWith({
		pin: async () => refused(429, 'Terlalu banyak'),
		staff: async () => answered({ open: false, wait_ms: 30_000 }),
	});
	const attempt = () => store.dispatch(unlockList('1', staying));
	for (let more = 0; more < 5; more += 1) await attempt();
	expect(calls).toEqual(['pin', 'staff']);
	expect(store.getState().alert.show).toBe(false);
	vi.advanceTimersByTime(30_000);
	await attempt();
	expect(calls).toHaveLength(4);
});

test('if a PIN is accepted only after staff have left the screen, the list stays locked, and the screen ends the daemon’s staff mode', async () => {
	const { store, calls } = storeWith();
	const leaving = new AbortController();
	const asking = store.dispatch(unlockList('1', leaving.signal));
	leaving.abort();
	await asking;
	expect(store.getState().pinLock.open).toBe(false);
	expect(calls).toEqual(['pin', 'staffLeave']);
});

test('if staff tap Submit twice, one PIN is sent; if it is refused after they have left, no alert is shown', async () => {
	const { store, calls } = storeWith({ pin: async () => refused(400, 'PIN salah') });
	const leaving = new AbortController();
	const asking = [store.dispatch(unlockList('1', leaving.signal)), store.dispatch(unlockList('1', leaving.signal))];
	leaving.abort();
	await Promise.all(asking);
	expect(calls).toEqual(['pin', 'staff']);
	expect(store.getState().alert.show).toBe(false);
});

test('a page is requested with offset, limit and search text', async () => {
	const asked: object[] = [];
	const { store } = storeWith({
		transactions: async (of) => {
			asked.push(of);
			return answered({ results: [transaction()], count: 31 });
		},
	});
	store.dispatch(filtered({ search: 'budi' }));
	store.dispatch(pageChosen(3));
	expect(await store.dispatch(loadTransactions(staying))).toBe(true);
	expect(asked).toEqual([{ offset: 20, limit: 10, q: 'budi' }]);
	expect(store.getState().list).toMatchObject({ lastPage: 4, obj: [{ id: 42 }] });
});

test('[spec 8.4] if a page of the list fails to load, "Kami sedang alami gangguan" is shown; after staff have left, an answer changes nothing', async () => {
	const late = new AbortController();
	late.abort();
	const { store } = storeWith({ transactions: async () => answered({ results: [transaction()], count: 1 }) });
	await store.dispatch(loadTransactions(late.signal));
	expect(store.getState().list.obj).toEqual([]);
	const failing = storeWith({ transactions: async () => refused(null) }).store;
	await failing.dispatch(loadTransactions(late.signal));
	expect(failing.getState().alert.show).toBe(false);
	await failing.dispatch(loadTransactions(staying));
	expect(failing.getState().alert.text).toBe('Kami sedang alami gangguan');
});

test('[spec 3.8, 7.5, 8.5] after a resend, the specification’s message for success, refusal or failure is shown', async () => {
	const words = async (resend: Api['resendCallback']) =>
		(await storeWith({ resendCallback: resend }).store.dispatch(resendCallback(transaction())))?.words;
	expect(await words(async () => answered({ success: true, message: 'Callback dikirim' }))).toBe('Resend berhasil!');
	expect(await words(async () => answered({ success: false, message: 'belum dibayar' }))).toBe('Gagal: belum dibayar');
	expect(await words(async () => answered({ success: false, message: '' }))).toBe('Gagal: Kami sedang alami gangguan');
	expect(await words(async () => refused(404, 'Transaksi tidak ada'))).toBe('Gagal: Transaksi tidak ada');
	const exception = 'Terjadi kesalahan saat mencoba mengirim permintaan.';
	expect(await words(async () => refused(null))).toBe(exception);
	expect(await words(async () => refused(500))).toBe(exception);
});

test('if staff tap Resend twice, one request is sent', async () => {
	const { store, calls } = storeWith();
	await Promise.all([store.dispatch(resendCallback(transaction())), store.dispatch(resendCallback(transaction()))]);
	expect(calls).toEqual(['resendCallback']);
});

test('to print a row, only its id is sent, and only once; when staff leave the screen, the state of the print is cleared', async () => {
	const print = vi.fn<Api['print']>(async () => answered({ print_id: 'p1', copy: true }));
	const { store } = storeWith({ print });
	await Promise.all([store.dispatch(printTransaction(transaction())), store.dispatch(printTransaction(transaction()))]);
	expect(print.mock.calls).toEqual([[{ id: 42, noinvoice: expect.any(String), of: 'list' }]]);
	expect(printFate(store.getState().paid)).toMatchObject({ state: 'printing' });
	const printing = store.dispatch(printTransaction(transaction()));
	store.dispatch(visitEnded());
	await printing;
	expect(printFate(store.getState().paid)).toBeNull();
});

test('a refusal that arrives after staff have left is not shown to the next customer', async () => {
	const late = Promise.withResolvers<ApiFailure>();
	const { store } = storeWith({ confirmSettings: () => late.promise, countBox: () => late.promise });
	const asked = [
		store.dispatch(confirmSettings(['outlet'])),
		store.dispatch(callForStaff((api) => api.countBox({ by: 'Budi', notes: [] }))),
	];
	store.dispatch(visitEnded());
	late.resolve(refused(500));
	await Promise.all(asked);
	expect(store.getState().alert.show).toBe(false);
	await store.dispatch(confirmSettings(['outlet']));
	expect(store.getState().alert.show).toBe(true);
});
