// @vitest-environment happy-dom

import type { AcceptorState } from '@kiosk/contract/live';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Api } from '../../lib/api.ts';
import { CHOOSE_AGAIN } from '../../lib/choose-again.ts';
import { customerDetailOf } from '../../lib/customer-detail.ts';
import { fillStorage } from '../../lib/full-storage.fixture.ts';
import { answered, invoiceInfo, settings } from '../../lib/test-data.ts';
import { clearVisit, writeHp } from '../../lib/visit-storage.ts';
import { acceptorReported } from '../../state/acceptor.ts';
import { backOfficeReached, socketOpened } from '../../state/connection.ts';
import { terminalReported } from '../../state/edc.ts';
import { invoiceFound } from '../../state/invoice.ts';
import { printerHeard } from '../../state/printer.ts';
import { settingsKnown } from '../../state/settings.ts';
import { draw, storeWith } from '../../state/test-store.tsx';
import { where } from '../../state/timed-screen.fixture.ts';
import { HomeScreen } from './home.tsx';
import MethodScreen from './payment-method.tsx';

beforeEach(() => writeHp('0812'));
// Waits for the preloaded screens, because they must not arrive after the DOM of this test file is
// gone.
afterAll(() => vi.dynamicImportSettled());
afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	clearVisit();
	sessionStorage.clear();
});

function method(answers: Partial<Api> = {}, acceptor: AcceptorState = 'inhibited', state: object | null = null) {
	const made = storeWith(answers);
	made.store.dispatch(acceptorReported({ state: acceptor, is_ready: false }));
	draw(made.store, <MethodScreen />, { pathname: '/payment-method', state });
	return made;
}
const found = (results: Record<string, unknown>) => ({ invoiceInfo: async () => answered(invoiceInfo(results)) });

test('[spec 4.4] without a phone number the method screen leads home', () => {
	sessionStorage.clear();
	method();
	expect(where()).toBe('/');
});

test('[spec 2.5.1, 4.3, 4.22] Bayar Tunai stores the invoice and leads to /cash-payment', async () => {
	method();
	fireEvent.click(await screen.findByText('Bayar Tunai'));
	await waitFor(() => expect(where()).toBe('/cash-payment'));
	expect(sessionStorage.getItem('customerDetail')).toContain('INV/42');
});

test('Bayar Tunai leads to /cash-payment even if the invoice is too large for session storage', async () => {
	method();
	const button = await screen.findByText('Bayar Tunai');
	fillStorage();
	fireEvent.click(button);
	await waitFor(() => expect(where()).toBe('/cash-payment'));
});

test('a second tap before the next screen is drawn opens no second method', async () => {
	const { store, calls } = method();
	store.dispatch(settingsKnown({ ...settings, edc: true }));
	store.dispatch(socketOpened());
	store.dispatch(terminalReported('ready'));
	fireEvent.click(await screen.findByText('Bayar Non Tunai'));
	fireEvent.click(screen.getByText('Kartu Debit BCA'));
	await waitFor(() => expect(where()).toBe('/edc-bca-payment'));
	fireEvent.click(screen.getByText('QRIS'));
	await act(() => Promise.resolve());
	expect(calls).not.toContain('createPayment');
	expect(where()).toBe('/edc-bca-payment');
});

test('[spec 4.1] an invoice with payments leads to /cash-payment', async () => {
	method(found({ list_pembayaran: [{ nominal: 50_000, tanggal: '' }] }));
	await waitFor(() => expect(where()).toBe('/cash-payment'));
});

test('[spec 2.5.3] if the invoice is paid, the paid screen is shown', async () => {
	method(found({ is_paid: true }));
	expect(await screen.findByText('Invoice ini sudah dibayar.')).toBeTruthy();
});

test('if Bayar Tunai is disabled, it shows the reason', async () => {
	method({}, 'bill_jam');
	const tile = (await screen.findByText('Bayar Tunai')).closest('button');
	expect(tile?.disabled).toBe(true);
	expect(tile?.textContent).toContain('Uang tersangkut di mesin');
});

test('[spec 2.5.1, 5.6] Bayar Non Tunai offers debit and QRIS, or Virtual Account instead of QRIS if the total is at least max_to_va', async () => {
	method({ invoiceInfo: async () => answered({ ...invoiceInfo(), max_to_va: invoiceInfo().results.total }) });
	fireEvent.click(await screen.findByText('Bayar Non Tunai'));
	expect(screen.getByText('Kartu Debit BCA').closest('button')?.disabled).toBe(true);
	expect(screen.getByText('Virtual Account')).toBeTruthy();
	expect(screen.queryByText('QRIS')).toBeNull();
	fireEvent.click(screen.getByText('Kembali'));
	expect(screen.getByText('Bayar Tunai')).toBeTruthy();
});

const QRIS = { qr_url: '000201', payment_type: 1 };
const nonCash = async () => fireEvent.click(await screen.findByText('Bayar Non Tunai'));

test('[spec 4.2] an invoice with content in json_data leads to /non-cash-payment', async () => {
	for (const json_data of [{ expiry_time: '' }, '{"no_va":"988"}']) {
		method(found({ json_data }));
		await waitFor(() => expect(where()).toBe('/non-cash-payment'));
		cleanup();
	}
	method(found({ json_data: {}, list_pembayaran: [] }));
	expect(await screen.findByText('Bayar Tunai')).toBeTruthy();
});

test('if the customer returns from an open payment, the screen names this payment, and choosing its method again creates no second payment', async () => {
	const { calls } = method(found(QRIS), 'inhibited', CHOOSE_AGAIN);
	expect(await screen.findByText('QRIS masih terbuka.')).toBeTruthy();
	await nonCash();
	fireEvent.click(screen.getByText('Lanjutkan kode yang sudah dibuat'));
	await waitFor(() => expect(where()).toBe('/non-cash-payment'));
	expect(calls).not.toContain('createPayment');
});

test('an open virtual account is offered even if the total would lead to QRIS', async () => {
	const { store } = method(found({ no_va: '988' }), 'inhibited', CHOOSE_AGAIN);
	act(() => void store.dispatch(settingsKnown({ ...settings, edc: true })));
	expect(await screen.findByText('Virtual Account masih terbuka.')).toBeTruthy();
	expect(screen.getByRole('button', { name: /Kartu Debit BCA · Virtual Account/ })).toBeTruthy();
});

test('a kiosk without a card terminal does not name the card under Bayar Non Tunai', async () => {
	method();
	const tile = (await screen.findByText('Bayar Non Tunai')).closest('button');
	expect(tile?.textContent).toContain('QRIS');
	expect(tile?.textContent).not.toContain('Kartu');
});

test('if the customer taps QRIS twice, one payment is created; meanwhile the tile shows that it is busy', async () => {
	const { promise: gate, resolve: go } = Promise.withResolvers<void>();
	const createPayment = async () => {
		await gate;
		return answered({});
	};
	const { calls } = method({ createPayment });
	await nonCash();
	const tile = screen.getByRole('button', { name: /^QRIS/ });
	fireEvent.click(tile);
	fireEvent.click(tile);
	expect(tile.getAttribute('aria-busy')).toBe('true');
	go();
	await waitFor(() => expect(where()).toBe('/non-cash-payment'));
	expect(calls.filter((call) => call === 'createPayment')).toHaveLength(1);
	expect(sessionStorage.getItem('customerDetail')).toContain('INV/42');
});

test('the second tap of a double tap on Bayar Non Tunai chooses no method', async () => {
	const { calls } = method();
	await nonCash();
	fireEvent.click(screen.getByRole('button', { name: /^QRIS/ }), { detail: 2 });
	expect(calls).toEqual(['invoiceInfo']);
});

test('a refused create-payment call leaves the method screen unchanged', async () => {
	const { store } = method({ createPayment: async () => ({ ok: false, status: 400, message: 'Outlet tutup' }) });
	await nonCash();
	fireEvent.click(screen.getByText('QRIS'));
	await waitFor(() => expect(store.getState().alert.text).toBe('Outlet tutup'));
	expect(where()).toBe('/payment-method');
	expect(screen.getByRole('button', { name: /^QRIS/ }).getAttribute('aria-busy')).toBe('false');
});

test('[spec 4.23] the card tile stores the invoice and leads to /edc-bca-payment; without a terminal it is disabled', async () => {
	const { store } = method();
	await nonCash();
	const tile = () => screen.getByText('Kartu Debit BCA').closest('button') as HTMLButtonElement;
	expect(tile().disabled).toBe(true);
	act(() => {
		store.dispatch(settingsKnown({ ...settings, edc: true }));
		store.dispatch(socketOpened());
		store.dispatch(terminalReported('ready'));
	});
	fireEvent.click(tile());
	await waitFor(() => expect(where()).toBe('/edc-bca-payment'));
	expect([sessionStorage.getItem('inputHp'), sessionStorage.getItem('customerDetail')]).toEqual([
		'0812',
		expect.stringContaining('INV/42'),
	]);
});

test('if the settings enable QRIS on the terminal, it is offered as a separate method', async () => {
	const { store } = method();
	await nonCash();
	expect(screen.queryByText('QRIS di mesin EDC')).toBeNull();
	act(() => {
		store.dispatch(settingsKnown({ ...settings, edc: true, edc_qris_ms: 345_000 }));
		store.dispatch(socketOpened());
		store.dispatch(terminalReported('ready'));
	});
	fireEvent.click(screen.getByText('QRIS di mesin EDC'));
	await waitFor(() => expect(where()).toBe('/edc-bca-payment?metode=qris'));
});

test('[spec 2.5.4] choosing cash cancels the open QRIS payment; if this payment was already completed, the invoice is shown as just paid', async () => {
	const paid = { invoiceInfo: [QRIS, { ...QRIS, is_paid: true }].map((results) => answered(invoiceInfo(results))) };
	const { store, calls } = method(
		{ invoiceInfo: async () => paid.invoiceInfo.shift() ?? answered(invoiceInfo()) },
		'inhibited',
		CHOOSE_AGAIN,
	);
	fireEvent.click(await screen.findByText('Bayar Tunai'));
	expect(await screen.findByText('Terima kasih, pembayaran Anda sudah kami terima.')).toBeTruthy();
	expect(calls.slice(0, 3)).toEqual(['invoiceInfo', 'cancelPayment', 'invoiceInfo']);
	expect(store.getState().paid.payment?.how).toBe('fresh');
	expect(where()).toBe('/payment-method');
});

test('if a QRIS payment is completed while the customer returns to the methods, the invoice counts as just paid', async () => {
	const { store } = storeWith(found({ ...QRIS, is_paid: true }));
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo(QRIS))));
	draw(store, <MethodScreen />, { pathname: '/payment-method', state: CHOOSE_AGAIN });
	expect(await screen.findByText('Terima kasih, pembayaran Anda sudah kami terima.')).toBeTruthy();
});

test('[spec 2.5.5] cancelling an open payment asks for confirmation and leads home; if the back office refuses, the screen stays', async () => {
	const ask = async () => fireEvent.click(await screen.findByRole('button', { name: 'Batalkan QRIS' }));
	const refused = method(
		{ ...found(QRIS), cancelPayment: async () => ({ ok: false, status: 400, message: 'Tidak bisa dibatalkan' }) },
		'inhibited',
		CHOOSE_AGAIN,
	);
	await ask();
	fireEvent.click(screen.getByText('Tidak'));
	expect(refused.calls).not.toContain('cancelPayment');
	await ask();
	fireEvent.click(screen.getByText('Ya, batalkan'));
	await waitFor(() => expect(refused.store.getState().alert.text).toBe('Tidak bisa dibatalkan'));
	expect(where()).toBe('/payment-method');
	cleanup();
	method(found(QRIS), 'inhibited', CHOOSE_AGAIN);
	await ask();
	fireEvent.click(screen.getByText('Ya, batalkan'));
	await waitFor(() => expect(where()).toBe('/'));
});

const failing = (failure: object) => ({ invoiceInfo: async () => ({ ok: false, status: null, message: null, ...failure }) as const });

test('[spec 2.5.2, 8.7] after a failed look-up, the screen shows the server’s message, otherwise a fixed text, and no method', async () => {
	method(failing({ status: 404, message: 'Invoice tidak ditemukan' }));
	expect(await screen.findByText('Invoice tidak ditemukan')).toBeTruthy();
	expect(screen.getByText(/Pembayaran belum bisa dilakukan/)).toBeTruthy();
	expect(screen.getByRole('button', { name: 'Kembali' })).toBeTruthy();
	expect(screen.queryByText('Bayar Tunai')).toBeNull();
	cleanup();
	method(failing({}));
	expect(await screen.findByText('Kami sedang mengalami gangguan')).toBeTruthy();
});

test('if the number is unknown, the screen shows it, and Perbaiki nomor leads home with the same digits', async () => {
	writeHp('081234567890');
	method(failing({ status: 404, message: 'Invoice tidak ditemukan' }));
	expect(await screen.findByText('0812 3456 7890')).toBeTruthy();
	expect(screen.queryByRole('button', { name: 'Coba lagi' })).toBeNull();
	fireEvent.click(screen.getByRole('button', { name: 'Perbaiki nomor' }));
	expect(where()).toBe('/');
	cleanup();
	for (const shown of ['0812 3456 7890', '']) {
		const { unmount } = draw(storeWith().store, <HomeScreen />);
		expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe(shown);
		unmount();
	}
});

test('if the network is down, the screen says that the number is not wrong; after a reconnect it looks the number up again', async () => {
	let offline = true;
	const { store, calls } = method({
		invoiceInfo: async () =>
			offline ? ({ ok: false, status: 502, message: null, code: 'back_office_unreachable' } as const) : answered(invoiceInfo()),
	});
	expect(await screen.findByText(/nomor Anda tidak salah/)).toBeTruthy();
	expect(screen.queryByRole('button', { name: 'Perbaiki nomor' })).toBeNull();
	fireEvent.click(screen.getByRole('button', { name: 'Coba lagi' }));
	await waitFor(() => expect(calls).toHaveLength(2));
	expect(await screen.findByText(/tidak tersambung ke jaringan/)).toBeTruthy();
	offline = false;
	act(() => void store.dispatch(socketOpened()));
	act(() => void store.dispatch(backOfficeReached(true)));
	expect(await screen.findByText('Bayar Tunai')).toBeTruthy();
});

test('if the server times out, the screen says so, and the customer can repeat the look-up', async () => {
	method(failing({ status: 504, code: 'back_office_timeout' }));
	expect(await screen.findByText(/Sistem tagihan sedang tidak menjawab/)).toBeTruthy();
	expect(screen.getByRole('button', { name: 'Coba lagi' })).toBeTruthy();
});

test('after too many unknown numbers, the customer can try again only after the countdown', async () => {
	vi.useFakeTimers();
	method(failing({ status: 429, message: 'Coba lagi dalam 12 detik', code: 'too_many_lookups', retryAfterMs: 12_000 }));
	const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
	const again = () => screen.queryByRole('button', { name: 'Coba lagi' });
	const fix = () => screen.queryByRole('button', { name: 'Perbaiki nomor' });
	await pass(0);
	expect(screen.getByText('Terlalu banyak percobaan. Coba lagi dalam 12 detik.')).toBeTruthy();
	expect([again(), fix() !== null]).toEqual([null, true]);
	await pass(5_000);
	expect(screen.getByText('Terlalu banyak percobaan. Coba lagi dalam 7 detik.')).toBeTruthy();
	await pass(7_100);
	expect(screen.getByText('Sekarang Anda dapat mencoba lagi.')).toBeTruthy();
	expect(screen.queryByText(/Pembayaran belum bisa/)).toBeNull();
	// The screen offers to try the same number again and to correct it.
	expect([again() !== null, fix() !== null]).toEqual([true, true]);
	vi.useRealTimers();
});

const DOUBT = { note_id: '7f3a9c2e-1111', nominal: 50_000 };

test('if a note of the invoice is in doubt, the method screen shows it instead of the hints about paper and an open payment', async () => {
	const { store } = method(found({ ...QRIS, kiosk_doubts: [DOUBT] }), 'inhibited', CHOOSE_AGAIN);
	act(() => void store.dispatch(printerHeard('cover_open')));
	const notice = (await screen.findByText('Ada uang yang masih diperiksa')).parentElement?.textContent;
	expect(notice).toContain('Rp 50.000 belum dihitung, nomor rujukan 21345-47502.');
	expect(notice).toContain('Hubungi staf dulu.');
	expect([screen.queryByText('Struk tidak tersedia'), screen.queryByText('QRIS masih terbuka.')]).toEqual([null, null]);
	await nonCash();
	expect(screen.getByText('Hubungi staf dulu.')).toBeTruthy();
});

test('if no receipt can be printed, the method screen says so and gives the reason', async () => {
	const { store } = method();
	act(() => void store.dispatch(printerHeard('cover_open')));
	expect((await screen.findByText('Struk tidak tersedia')).parentElement?.textContent).toContain('tutup printer terbuka');
});
