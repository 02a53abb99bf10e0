// @vitest-environment happy-dom

import { TransactionPage } from '@kiosk/contract/back-office';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import * as v from 'valibot';
import { beforeEach, expect, test } from 'vitest';
import type { Api, ApiResult } from '../../lib/api.ts';
import { answered, settings } from '../../lib/test-data.ts';
import { printReported } from '../../state/paid.ts';
import { staffClosed } from '../../state/pin-lock.ts';
import { loggedIn } from '../../state/session.ts';
import { settingsKnown, setupHeard } from '../../state/settings.ts';
import { draw, storeWith, stubResizeObserver } from '../../state/test-store.tsx';
import { pass, timedScreens, where } from '../../state/timed-screen.fixture.ts';
import TransactionsScreen from './daftar-transaksi.tsx';
import StaffArea from './staff-area.tsx';
import StaffHomeScreen from './staff-home.tsx';

timedScreens();
beforeEach(() => stubResizeObserver());

const screens = (
	<Routes>
		<Route element={<StaffArea />}>
			<Route path="/daftar-transaksi" element={<TransactionsScreen />} />
			<Route path="/staf" element={<StaffHomeScreen />} />
		</Route>
		<Route path="*" />
	</Routes>
);
const COUNT = 120;
const row = (number: number) => ({
	id: number,
	noinvoice: `INV/${number}`,
	hp: `0857${number}`,
	nopol: `B ${number} X`,
	konsumen_name: `Pelanggan ${number}`,
	tanggal_display: '21-11-2026 09:05',
	is_paid: number % 2 === 1,
	total: 1_000 * number,
	list_invoice: [
		{ noinvoice_odoo: `INV/${number}`, nowo_odoo: 'WO/1', total: 1_000 * number, detail: [{ produk_name: 'Oli', qty: 2, harga: 500 }] },
	],
});
const pageFrom = (offset: number, count = COUNT): ApiResult<TransactionPage> => {
	const results = Array.from({ length: Math.min(10, Math.max(0, count - offset)) }, (_, index) => row(offset + index + 1));
	return answered(v.parse(TransactionPage, { results, count }));
};
const list: Api['transactions'] = async ({ offset }) => pageFrom(offset);

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const pin = () => screen.getByLabelText<HTMLInputElement>('Masukan PIN');
const numbers = () =>
	screen
		.getAllByRole('row')
		.slice(1)
		.map((tr) => tr.querySelector('td')?.textContent);
const pages = () => screen.getAllByRole('button', { name: /^Halaman/ }).map((button) => button.textContent);

async function enterPin(digits = '123456') {
	for (const digit of digits) press(digit);
	press('Submit');
	await pass(1);
}

async function openList(answers: Partial<Api> = {}) {
	const made = storeWith({ transactions: list, ...answers });
	const view = draw(made.store, screens, '/daftar-transaksi');
	await enterPin();
	return { ...made, view };
}

test('[spec 2.4.1] the list opens only after the PIN is accepted, and the PIN is cleared when sent', async () => {
	const asked: string[] = [];
	const { store, calls } = storeWith({
		transactions: list,
		pin: async (sent) => {
			asked.push(sent);
			return sent === '123456' ? answered({ opens: true, message: '' }) : { ok: false, status: 400, message: 'PIN salah' };
		},
	});
	draw(store, screens, '/daftar-transaksi');
	expect(pin().type).toBe('password');
	await enterPin('111111');
	expect(store.getState().alert.text).toBe('PIN salah');
	expect(calls).toEqual(['staff', 'pin', 'staff']);
	expect(pin().value).toBe('');
	await enterPin();
	expect(asked).toEqual(['111111', '123456']);
	expect(numbers()).toHaveLength(10);
	expect(document.body.innerHTML + JSON.stringify(store.getState())).not.toContain('123456');
});

test('the message about a wrong PIN disappears when staff type the next digit or leave the screen', async () => {
	const { store } = storeWith({ pin: async () => ({ ok: false, status: 400, message: 'PIN salah' }) });
	const view = draw(store, screens, '/daftar-transaksi');
	await enterPin('111111');
	expect(store.getState().alert).toMatchObject({ show: true, text: 'PIN salah' });
	press('1');
	expect(store.getState().alert.show).toBe(false);
	await enterPin('11111');
	expect(store.getState().alert.show).toBe(true);
	view.unmount();
	draw(store, screens, '/daftar-transaksi');
	expect(store.getState().alert.show).toBe(false);
});

test('[spec 5.2] an empty PIN shows an error when the field loses the focus, and is not sent', async () => {
	const { store, calls } = storeWith();
	draw(store, screens, '/daftar-transaksi');
	expect(pin().getAttribute('aria-invalid')).toBe('false');
	fireEvent.blur(pin());
	expect(pin().getAttribute('aria-invalid')).toBe('true');
	expect(screen.getByText('PIN wajib diisi')).toBeTruthy();
	fireEvent.submit(pin());
	await pass(1);
	expect(calls).toEqual(['staff']);
});

test('[spec 2.4.1] while the daemon accepts no PIN, the screen counts down, even after staff have left it or reloaded the page', async () => {
	let until = 0;
	const daemon: Partial<Api> = {
		pin: async () => {
			until = performance.now() + 30_000;
			return { ok: false, status: 400, message: 'PIN salah' };
		},
		staff: async () => answered({ open: false, wait_ms: Math.max(0, until - performance.now()) }),
	};
	const { store } = storeWith(daemon);
	const view = draw(store, screens, '/daftar-transaksi');
	await pass(1);
	await enterPin('1');
	expect(screen.getByRole('timer').textContent).toBe('0:30');
	// No alert is shown, because the countdown already says what to do.
	expect(store.getState().alert.show).toBe(false);
	view.unmount();
	await pass(10_000);
	const again = draw(store, screens, '/daftar-transaksi');
	expect(screen.getByRole('timer').textContent).toBe('0:20');
	expect(screen.queryByRole('button', { name: 'Submit' })).toBeNull();
	again.unmount();
	const reloaded = storeWith(daemon);
	draw(reloaded.store, screens, '/daftar-transaksi');
	await pass(1);
	expect(screen.getByRole('timer').textContent).toBe('0:20');
	await pass(20_000);
	expect(screen.getByRole('button', { name: 'Submit' })).toBeTruthy();
});

test('the list tells the daemon of touches and when staff leave, and locks when the daemon ends staff mode', async () => {
	const { store, calls, view } = await openList();
	const told = (call: string) => calls.filter((name) => name === call).length;
	fireEvent.pointerDown(document.body);
	expect(told('staffTouch')).toBe(0);
	await pass(20_000);
	fireEvent.pointerDown(document.body);
	fireEvent.pointerDown(document.body);
	expect(told('staffTouch')).toBe(1);
	act(() => void store.dispatch(staffClosed()));
	expect(pin()).toBeTruthy();
	await enterPin();
	view.unmount();
	expect(told('staffLeave')).toBe(1);
});

test('[spec 2.2.4] after the PIN and a confirmation, staff can log the outlet out', async () => {
	const { calls, store } = await openList();
	store.dispatch(loggedIn({ token: 't', development: false }));
	press('Menu staf');
	press('Keluar akun');
	expect(screen.getByText('Keluarkan akun outlet?')).toBeTruthy();
	press('Batal');
	expect(calls).not.toContain('logout');
	press('Keluar akun');
	press('Ya, keluar');
	await pass(1);
	expect(calls).toContain('logout');
	expect(store.getState().session).toBeNull();
});

test('a refused log-out shows an alert and keeps the session', async () => {
	const { store } = await openList({ logout: async () => ({ ok: false, status: 500, message: null }) });
	store.dispatch(loggedIn({ token: 't', development: false }));
	press('Menu staf');
	press('Keluar akun');
	press('Ya, keluar');
	await pass(1);
	expect(store.getState().alert.text).toBe('Kami sedang mengalami gangguan');
	expect(store.getState().session).not.toBeNull();
});

test('after the PIN, staff see which settings have changed and confirm the changes', async () => {
	const sent: (readonly string[])[] = [];
	const { store } = await openList({
		confirmSettings: async (names) => {
			sent.push(names);
			return answered({ confirmed: [...names] });
		},
	});
	expect(screen.queryByRole('button', { name: 'Pengaturan berubah' })).toBeNull();
	act(() => void store.dispatch(settingsKnown({ ...settings, unconfirmed: ['[acceptor.notes]', '[edc] port'] })));
	press('Pengaturan berubah');
	expect(screen.getByText('[acceptor.notes], [edc] port')).toBeTruthy();
	press('Batal');
	expect(sent).toEqual([]);
	press('Pengaturan berubah');
	press('Ya, konfirmasi');
	await pass(1);
	expect(sent).toEqual([['[acceptor.notes]', '[edc] port']]);
	act(() => void store.dispatch(setupHeard({ unconfirmed: [], held_money: null })));
	expect(screen.queryByRole('button', { name: 'Pengaturan berubah' })).toBeNull();
});

test('a refused confirmation of settings shows its reason', async () => {
	const { store } = await openList({ confirmSettings: async () => ({ ok: false, status: 409, message: 'Hanya oleh teknisi.' }) });
	act(() => void store.dispatch(settingsKnown({ ...settings, unconfirmed: ['[back_office] url'] })));
	press('Pengaturan berubah');
	press('Ya, konfirmasi');
	await pass(1);
	expect(store.getState().alert.text).toBe('Hanya oleh teknisi.');
});

test('[spec 2.4.4] the table has the specification’s columns, and # continues across pages', async () => {
	await openList();
	expect(screen.getAllByRole('columnheader').map((cell) => cell.textContent)).toEqual([
		'#',
		'HP',
		'NOPOL',
		'Konsumen Name',
		'Tanggal',
		'IS Paid',
		'Total',
		'Action',
	]);
	const cells = [...(screen.getAllByRole('row')[2]?.querySelectorAll('td') ?? [])].map((cell) => cell.textContent);
	expect(cells.slice(0, 7)).toEqual(['2', '08572', 'B 2 X', 'Pelanggan 2', '21-11-2026 09:05', 'UnPaid', 'Rp 2.000']);
	press('Halaman 2');
	await pass(1);
	expect(numbers()[0]).toBe('11');
});

test('[spec 2.4.5] the pager shows ten page numbers, << from page 7 on, and >> to the last page; if there is only one page, it is hidden', async () => {
	const { store } = await openList();
	expect(pages()).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '>>']);
	press('Halaman 7');
	await pass(1);
	expect(pages()).toEqual(['<<', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '>>']);
	press('Halaman terakhir');
	await pass(1);
	expect(numbers()).toEqual(['111', '112', '113', '114', '115', '116', '117', '118', '119', '120']);
	press('Halaman pertama');
	await pass(1);
	expect(store.getState().list.page).toBe(1);
	cleanup();
	await openList({ transactions: async () => pageFrom(0, 10) });
	expect(screen.queryByRole('navigation')).toBeNull();
});

test('[spec 2.4.2] a touch on the search field opens the keyboard; after a pause in typing, the search begins at page 1', async () => {
	const asked: { q: string; offset: number }[] = [];
	await openList({
		transactions: async ({ offset, q }) => {
			asked.push({ q, offset });
			return pageFrom(offset);
		},
	});
	press('Halaman 3');
	await pass(1);
	expect(screen.queryByRole('group', { name: 'Papan ketik' })).toBeNull();
	fireEvent.click(screen.getByLabelText('Cari transaksi'));
	// The keyboard does not cover the back button or the pager.
	expect(screen.getByRole('button', { name: 'Kembali' })).toBeTruthy();
	expect(screen.getByRole('navigation')).toBeTruthy();
	for (const key of ['b', 'u', 'd', 'i']) {
		press(key);
		await pass(200);
	}
	expect(asked).toEqual([
		{ q: '', offset: 0 },
		{ q: '', offset: 20 },
	]);
	await pass(100);
	expect(asked.at(-1)).toEqual({ q: 'budi', offset: 0 });
	expect(asked).toHaveLength(3);
});

test('a late answer for an earlier page does not replace the rows of a later page', async () => {
	const waiting: ((answer: ApiResult<TransactionPage>) => void)[] = [];
	await openList({ transactions: () => new Promise((answer) => waiting.push(answer)) });
	waiting[0]?.(pageFrom(0));
	await pass(1);
	press('Halaman 2');
	press('Halaman 3');
	await pass(1);
	// Before the answer arrives, the old rows keep their numbers.
	expect(numbers()[0]).toBe('1');
	waiting[2]?.(pageFrom(20));
	await pass(1);
	waiting[1]?.(pageFrom(10));
	await pass(1);
	expect(numbers()[0]).toBe('21');
});

test('[spec 8.4] if the list cannot be loaded, the screen shows an alert, no table and a way to retry', async () => {
	let works = false;
	const { store } = await openList({
		transactions: async ({ offset }) => (works ? pageFrom(offset) : { ok: false, status: 500, message: null }),
	});
	expect(store.getState().alert).toMatchObject({ show: true, text: 'Kami sedang alami gangguan', color: 'danger' });
	expect(screen.queryByRole('table')).toBeNull();
	works = true;
	press('Coba lagi');
	await pass(1);
	expect(numbers()).toHaveLength(10);
});

test('an empty list and a search without a match have different messages', async () => {
	await openList({ transactions: async () => pageFrom(0, 0) });
	expect(screen.getByText('Belum ada transaksi.')).toBeTruthy();
	fireEvent.change(screen.getByLabelText('Cari transaksi'), { target: { value: ' xyz ' } });
	await pass(300);
	expect(screen.getByText('Tidak ada transaksi yang cocok dengan “xyz”.')).toBeTruthy();
});

test('[spec 2.4.6] the detail of a paid transaction shows customer and lines; Resend is sent once, and the state of the print is shown', async () => {
	const { store, calls } = await openList();
	press(/^Detail INV\/1$/);
	expect(screen.getByRole('dialog').textContent).toContain('Nama KonsumenPelanggan 1HP08571TotalRp 1.000');
	expect(screen.getByRole('dialog').textContent).toContain('ProdukQtyHargaINV/1WO/11.000Oli2500');
	press('Resend');
	press('Resend');
	await pass(1);
	expect(screen.getByText('Resend berhasil!')).toBeTruthy();
	expect(calls.filter((call) => call === 'resendCallback')).toHaveLength(1);
	press('Cetak');
	await pass(1);
	expect(screen.getByText('Struk sedang dicetak…')).toBeTruthy();
	act(() => void store.dispatch(printReported({ print_id: 'p1', state: 'failed', reason: 'paper_out' })));
	expect(screen.getByText(/kertas habis/)).toBeTruthy();
	press('Cancel');
	expect(screen.queryByRole('dialog')).toBeNull();
	// The next transaction has no print state.
	press(/^Detail INV\/3$/);
	expect(screen.queryByText(/kertas habis/)).toBeNull();
});

test('while the print request of one transaction is pending, another transaction cannot be printed', async () => {
	const asked: unknown[] = [];
	const first = Promise.withResolvers<Awaited<ReturnType<Api['print']>>>();
	await openList({
		print: (wish) => (asked.push(wish.id) === 1 ? first.promise : Promise.resolve(answered({ print_id: 'p2', copy: true }))),
	});
	const openRow = (number: number) => press(new RegExp(`^Detail INV/${number}$`));
	openRow(1);
	press('Cetak');
	await pass(1);
	press('Cancel');
	openRow(3);
	press('Cetak');
	first.resolve(answered({ print_id: 'p1', copy: true }));
	await pass(1);
	press('Cetak');
	await pass(1);
	expect(asked).toEqual([1, 3]);
});

test('[spec 2.4.7, 6.4] an unpaid transaction offers neither Cetak nor Resend', async () => {
	await openList();
	press(/^Detail INV\/2$/);
	expect(screen.queryByRole('button', { name: 'Cetak' })).toBeNull();
	expect(screen.queryByRole('button', { name: 'Resend' })).toBeNull();
	press('Cancel');
	expect(screen.queryByRole('dialog')).toBeNull();
});

test('[spec 2.4.3] Kembali leads home, locks the list and clears its data', async () => {
	const { store, view } = await openList();
	press(/^Detail INV\/1$/);
	press('Cancel');
	press('Kembali');
	expect(where()).toBe('/');
	view.unmount();
	expect(JSON.stringify(store.getState())).not.toMatch(/Pelanggan|0857/);
	draw(store, screens, '/daftar-transaksi');
	expect(pin()).toBeTruthy();
});

test('after a minute without a touch, the list asks the idle question; without an answer, the open detail closes and the kiosk goes home', async () => {
	const { store } = await openList();
	press(/^Detail INV\/1$/);
	await pass(60_000);
	expect(screen.getByText('Masih di sana?')).toBeTruthy();
	press('Lanjutkan');
	expect(screen.getByText('Pelanggan 1', { selector: 'dd' })).toBeTruthy();
	await pass(60_000);
	await pass(20_000);
	expect(where()).toBe('/');
	cleanup();
	expect(store.getState().modal.show).toBe(false);
});
