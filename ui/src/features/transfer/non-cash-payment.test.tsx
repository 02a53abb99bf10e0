// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { Api, ApiFailure } from '../../lib/api.ts';
import { customerDetailOf } from '../../lib/customer-detail.ts';
import { writeDetail } from '../../lib/stored-visit.ts';
import { answered, invoiceInfo, settings } from '../../lib/test-data.ts';
import { writeHp } from '../../lib/visit-storage.ts';
import { backOfficeReached, socketClosed, socketOpened } from '../../state/connection.ts';
import { applyLive } from '../../state/live-events.ts';
import { loggedIn } from '../../state/session.ts';
import { draw, storeWith } from '../../state/test-store.tsx';
import { pass, timedScreens, where } from '../../state/timed-screen.fixture.ts';
import NonCashScreen from './non-cash-payment.tsx';

const NOW = new Date('2026-11-21T10:00:00+07:00');
const inMinutes = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000).toISOString();
const qris = (more = {}) => ({ qr_url: '00020101QRIS', payment_type: 1, json_data: { expiry_time: inMinutes(15) }, ...more });
const va = (bank: string, more = {}) => ({ no_va: '8860800000000009', bank, json_data: { expiry_time: inMinutes(24 * 60) }, ...more });
const BANKS = ['bca', 'mandiri', 'bni'].map((script_kode, index) => ({
	id: index + 1,
	nama: script_kode.toUpperCase(),
	logo: script_kode === 'bni' ? 'https://bank.example/bni.png' : '',
	script_kode,
	is_active: true,
}));
const failed =
	(status: number | null, message: string | null = null) =>
	async (): Promise<ApiFailure> => ({ ok: false, status, message });

timedScreens(NOW);
beforeEach(() => writeHp('0812'));

const count = (calls: string[], call: string) => calls.filter((made) => made === call).length;
const touch = async (name: string | RegExp) => {
	fireEvent.click(screen.getByRole('button', { name }));
	await pass(0);
};

/**
 * Opens the screen for QRIS and virtual accounts with an invoice. A test may change the returned
 * `invoice` later.
 * @param limit max_to_va in the answer to the look-up
 */
async function nonCash(results: Record<string, unknown>, answers: Partial<Api> = {}, limit: number | null = null) {
	const invoice = { results };
	const info = async () => answered({ ...invoiceInfo(invoice.results), max_to_va: limit as never });
	const made = storeWith({ invoiceInfo: info, vaBanks: async () => answered({ results: BANKS }), ...answers });
	made.store.dispatch(socketOpened());
	made.store.dispatch(backOfficeReached(true));
	draw(made.store, <NonCashScreen />, '/non-cash-payment');
	await pass(0);
	return { ...made, invoice };
}

test('if the first look-up after a browser restart is slow, the customer can leave', async () => {
	await nonCash(qris(), { invoiceInfo: () => new Promise(() => undefined) });
	await touch('Kembali');
	expect(where()).toBe('/');
});

test('[spec 4.4] without a phone number the non-cash screen leads home', async () => {
	sessionStorage.clear();
	writeDetail(customerDetailOf(invoiceInfo(qris())));
	await nonCash(qris());
	expect(where()).toBe('/');
});

test('[spec 8.8] the screen waits for the invoice; if the look-up fails, only a stored invoice is shown', async () => {
	const { store } = storeWith({ invoiceInfo: () => new Promise<never>(() => undefined) });
	draw(store, <NonCashScreen />, '/non-cash-payment');
	expect(screen.getByText('Waiting..')).toBeTruthy();
	cleanup();
	await nonCash({}, { invoiceInfo: failed(502) });
	expect(where()).toBe('/');
	cleanup();
	writeDetail(customerDetailOf(invoiceInfo(qris())));
	const known = await nonCash({}, { invoiceInfo: failed(502) });
	expect(screen.getByAltText('Kode QR pembayaran')).toBeTruthy();
	expect(known.store.getState().alert.show).toBe(false);
});

test('if the server does not answer, a stored invoice is shown after 3 s', async () => {
	writeDetail(customerDetailOf(invoiceInfo(qris())));
	await nonCash({}, { invoiceInfo: () => new Promise<never>(() => undefined) });
	expect(screen.getByText('Waiting..')).toBeTruthy();
	await pass(3_000);
	expect(screen.getByText('Gunakan Mbanking anda, dan scan QR dibawah ini')).toBeTruthy();
});

test('[spec 2.7.3] the QR code is the server’s picture, or a 300 px picture drawn from its text; development mode shows the text, too', async () => {
	const { store } = await nonCash(qris());
	const drawn = screen.getByAltText('Kode QR pembayaran');
	expect(drawn.getAttribute('src')).toMatch(/^data:image\/svg\+xml,.*width%3D%22300%22/);
	expect(screen.queryByText('00020101QRIS')).toBeNull();
	act(() => void store.dispatch(loggedIn({ token: 't', development: true })));
	expect(screen.getByText('00020101QRIS')).toBeTruthy();
	cleanup();
	await nonCash(qris({ qr_url: 'https://pay.example/qr.png' }));
	expect(screen.getByAltText('Kode QR pembayaran').getAttribute('src')).toBe('/kiosk/picture?url=https%3A%2F%2Fpay.example%2Fqr.png');
});

test('if a QR picture fails to load or its text is too long, an error is shown and the customer can retry', async () => {
	await nonCash(qris({ qr_url: 'https://pay.example/qr.png' }));
	fireEvent.error(screen.getByAltText('Kode QR pembayaran'));
	expect(screen.getByText('Gambar QR tidak dapat dimuat')).toBeTruthy();
	await touch('Coba lagi');
	expect(screen.getByAltText('Kode QR pembayaran')).toBeTruthy();
	cleanup();
	await nonCash(qris({ qr_url: 'x'.repeat(5_000) }));
	expect(screen.getByText('Gambar QR tidak dapat dimuat')).toBeTruthy();
});

test('beside a QR code a countdown runs; when the code expires, it is covered and can be renewed', async () => {
	const { calls, invoice } = await nonCash(qris());
	expect(screen.getByText('15:00')).toBeTruthy();
	await pass(39_000);
	expect(screen.getByText('14:21')).toBeTruthy();
	await pass(14 * 60_000 + 21_000);
	expect(screen.queryByAltText('Kode QR pembayaran')).toBeNull();
	expect(screen.getByText('Kode QR sudah kedaluwarsa')).toBeTruthy();
	expect(screen.queryByText(/scan QR/)).toBeNull();
	invoice.results = qris({ qr_url: 'BARU', json_data: { expiry_time: inMinutes(60) } });
	await touch('Buat kode baru');
	expect([count(calls, 'cancelPayment'), count(calls, 'createPayment')]).toEqual([1, 1]);
	expect(screen.getByAltText('Kode QR pembayaran')).toBeTruthy();
});

test('if the renewal fails, an alert is shown and the expired code stays covered', async () => {
	const expired = qris({ json_data: { expiry_time: inMinutes(-1) } });
	const { store } = await nonCash(expired, { cancelPayment: failed(400, 'Belum bisa') });
	await touch('Buat kode baru');
	expect(store.getState().alert.text).toBe('Belum bisa');
	expect(screen.getByText('Kode QR sudah kedaluwarsa')).toBeTruthy();
});

test('if a code has no valid expiry, there is no countdown and the code stays visible', async () => {
	for (const expiry_time of ['', '1732160400', 'besok', undefined]) {
		await nonCash(qris({ json_data: { expiry_time } }));
		expect(screen.getByAltText('Kode QR pembayaran')).toBeTruthy();
		expect(screen.queryByRole('timer')).toBeNull();
		cleanup();
	}
});

test('while there is no QR code, the screen shows a waiting text, and the customer can request a code', async () => {
	const { calls, invoice } = await nonCash({});
	expect(screen.getByText('Kode QR sedang disiapkan…')).toBeTruthy();
	invoice.results = qris();
	await touch('Buat kode baru');
	expect(calls.filter((call) => call !== 'invoiceInfo')).toEqual(['createPayment']);
	expect(screen.getByAltText('Kode QR pembayaran')).toBeTruthy();
});

test('[spec 2.7.4] Pilih Metode Pembayaran Lain leads to the methods, Kembali leads home', async () => {
	await nonCash(qris());
	await touch('Pilih Metode Pembayaran Lain');
	expect(where()).toBe('/payment-method');
	cleanup();
	await nonCash(qris());
	await touch('Kembali');
	expect(where()).toBe('/');
});

test('[spec 2.7.1, 5.5] active banks are listed with their logos; while the chosen bank’s account is being created, further taps are ignored', async () => {
	const { promise: gate, resolve: go } = Promise.withResolvers<void>();
	const createVa = async () => {
		await gate;
		return answered({ result_record: { no_va: '3910700000000042', company_code: '' } });
	};
	const { calls } = await nonCash({}, { createVa }, 1);
	expect(screen.getByText('Pilih Virtual Account')).toBeTruthy();
	expect(document.querySelector('img')?.getAttribute('src')).toBe('/kiosk/picture?url=https%3A%2F%2Fbank.example%2Fbni.png');
	await touch('BCA');
	await touch('BCA');
	await touch('MANDIRI');
	expect(count(calls, 'createVa')).toBe(1);
	expect(screen.getByRole('button', { name: 'BCA' }).getAttribute('aria-busy')).toBe('true');
	go();
	await pass(0);
	expect(screen.getByText('Nomor Virtual Account').nextElementSibling?.textContent).toBe('3910700000000042');
});

test('after a reload, a virtual account is shown with its bank’s logo, or without one if the bank list cannot be fetched', async () => {
	const { calls } = await nonCash(va('bni'), {}, 1);
	expect(document.querySelector('dl img')?.getAttribute('src')).toBe('/kiosk/picture?url=https%3A%2F%2Fbank.example%2Fbni.png');
	expect(count(calls, 'vaBanks')).toBe(1);
	cleanup();
	const again = await nonCash(va('bni'), { vaBanks: failed(502) }, 1);
	await pass(5_000);
	expect(document.querySelector('dl img')).toBeNull();
	expect(count(again.calls, 'vaBanks')).toBe(1);
	expect(screen.getByText('Nomor Virtual Account').nextElementSibling?.textContent).toBe('8860800000000009');
});

test('if a logo fails to load, it is removed, and the bank’s name stays', async () => {
	await nonCash({}, {}, 1);
	fireEvent.error(document.querySelector('img') as HTMLImageElement);
	expect(document.querySelector('img')).toBeNull();
	expect(screen.getByRole('button', { name: 'BNI' })).toBeTruthy();
});

test('[spec 2.7.2, 8.11] if the bank list is empty or cannot be loaded, the customer can retry, and Kembali leads to the methods', async () => {
	const answers = [failed(500)(), Promise.resolve(answered({ results: [] })), Promise.resolve(answered({ results: BANKS }))];
	await nonCash({}, { vaBanks: () => answers.shift() as ReturnType<Api['vaBanks']> }, 1);
	expect(screen.getByText('Unable to fetch Data')).toBeTruthy();
	await touch('Coba lagi');
	expect(screen.getByText('Belum ada bank yang tersedia')).toBeTruthy();
	await touch('Coba lagi');
	expect(screen.getByRole('button', { name: 'MANDIRI' })).toBeTruthy();
	await touch('Kembali');
	expect(where()).toBe('/payment-method');
});

test.each([
	['bca', 'BCA', ['Klik BCA', 'm-BCA']],
	['mandiri', 'Mandiri', ['Internet Banking']],
	['bni', 'BNI', ['iBank Personal', 'Mobile Banking']],
	['permata', 'PERMATA', ['Mobile Banking atau ATM']],
])('[spec 2.7.5, 9.15] a virtual account at %s shows total, expiry, number and the steps of each channel', async (bank, name, channels) => {
	await nonCash(va(bank, { company_code: '88608' }), {}, 1);
	for (const words of ['Rp 137.500', '22-11-2026 10:00', name, 'Cara Pembayaran']) expect(screen.getAllByText(words)).not.toEqual([]);
	expect(screen.getByText('Nomor Virtual Account').nextElementSibling?.textContent).toBe('8860800000000009');
	expect(screen.queryByText('Kode Perusahaan') !== null).toBe(bank === 'mandiri');
	for (const channel of channels) {
		await touch(channel);
		expect(screen.getByRole('button', { name: channel }).getAttribute('aria-pressed')).toBe('true');
		expect(screen.getAllByRole('listitem').length).toBeGreaterThanOrEqual(5);
	}
});

test('an expired virtual account is marked, and Buat nomor baru leads back to the banks', async () => {
	const { invoice, calls } = await nonCash(va('bca', { json_data: { expiry_time: inMinutes(-1) } }), {}, 1);
	expect(screen.getByText('Batas waktu sudah lewat')).toBeTruthy();
	const nextStep = document.querySelectorAll('button[class*="primary"]');
	expect([...nextStep].map((button) => button.textContent)).toEqual(['Buat nomor baru']);
	invoice.results = {};
	await touch('Buat nomor baru');
	expect(screen.getByText('Pilih Virtual Account')).toBeTruthy();
	expect(calls).not.toContain('createPayment');
});

test('[spec 2.7.6, 4.12] only a payment_notification "paid" for this payment shows the paid screen, which prints once', async () => {
	const { store, calls } = await nonCash(qris());
	const say = (id: string | number, is_paid = true) => act(() => store.dispatch(applyLive({ type: 'payment_notification', id, is_paid })));
	say(7);
	say(42, false);
	expect(screen.getByAltText('Kode QR pembayaran')).toBeTruthy();
	for (let again = 0; again < 3; again += 1) say('42');
	expect(screen.getByText('Terima kasih, pembayaran Anda sudah kami terima.')).toBeTruthy();
	await pass(5_000);
	say(42);
	expect(count(calls, 'print')).toBe(1);
	await pass(1_000);
	expect(where()).toBe('/');
});

test('an invoice that was paid before is shown as paid, and no receipt is printed', async () => {
	const { calls } = await nonCash(qris({ is_paid: true }));
	expect(screen.getByText('Invoice ini sudah dibayar.')).toBeTruthy();
	await pass(10_000);
	expect(calls).not.toContain('print');
});

test('the screen looks up the invoice every 10 s, and at once after a reconnect', async () => {
	const { store, calls, invoice } = await nonCash(qris());
	expect(count(calls, 'invoiceInfo')).toBe(1);
	await pass(20_000);
	expect(count(calls, 'invoiceInfo')).toBe(3);
	act(() => void store.dispatch(socketClosed()));
	expect(screen.getByText(/Sambungan terputus/)).toBeTruthy();
	invoice.results = qris({ is_paid: true });
	act(() => {
		store.dispatch(socketOpened());
		store.dispatch(backOfficeReached(true));
	});
	await pass(0);
	expect(screen.getByText('Terima kasih, pembayaran Anda sudah kami terima.')).toBeTruthy();
	const looks = count(calls, 'invoiceInfo');
	await pass(5_000);
	expect(count(calls, 'invoiceInfo')).toBe(looks);
});

test('the screen does not poll while a bank is being chosen', async () => {
	const { calls } = await nonCash({}, {}, 1);
	await pass(30_000);
	expect(count(calls, 'invoiceInfo')).toBe(1);
});

test('[spec 7.13] the amount is sent to the back office only once, even after a reconnect', async () => {
	const { store, said } = await nonCash(qris());
	act(() => void store.dispatch(socketClosed()));
	act(() => void store.dispatch(socketOpened()));
	expect(said).toEqual([{ message: 'transaction', amount: 137_500 }]);
});

test('the idle question opens later while a QR code is shown than on the bank list', async () => {
	await nonCash(qris({ json_data: {} }));
	await pass(settings.idle_ms + 1_000);
	expect(screen.queryByRole('dialog')).toBeNull();
	await pass(settings.abandoned_ms - settings.idle_ms);
	expect(screen.getByText('Masih di sana?')).toBeTruthy();
	await pass(settings.idle_question_ms + 1_000);
	expect(where()).toBe('/');
	cleanup();
	await nonCash({}, {}, 1);
	await pass(settings.idle_ms + 1_000);
	expect(screen.getByText('Masih di sana?')).toBeTruthy();
});
