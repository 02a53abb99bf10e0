// @vitest-environment happy-dom

import type { EdcState, LiveText, SaleMethod, SalePhase } from '@kiosk/contract/live';
import { rupiah } from '@kiosk/contract/money';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { StrictMode } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { settings } from '../../lib/test-data.ts';
import { writeHp } from '../../lib/visit-storage.ts';
import { socketClosed, socketOpened } from '../../state/connection.ts';
import { applyLive } from '../../state/live-events.ts';
import { settingsKnown } from '../../state/settings.ts';
import { draw, storeWith } from '../../state/test-store.tsx';
import { pass, timedScreens, where } from '../../state/timed-screen.fixture.ts';
import CardScreen from './edc-bca-payment.tsx';

timedScreens();
beforeEach(() => writeHp('0812'));

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const press = (name: string) => act(() => void fireEvent.click(button(name)));

async function card(state: EdcState = 'ready', method: SaleMethod = 'card') {
	const { store, said, calls } = storeWith();
	store.dispatch(settingsKnown({ ...settings, edc: true, edc_qris_ms: 345_000 }));
	store.dispatch(socketOpened());
	const hear = (text: LiveText) => act(() => void store.dispatch(applyLive(text)));
	hear({ type: 'kiosk_edc', state });
	draw(
		store,
		<StrictMode>
			<CardScreen />
		</StrictMode>,
		method === 'qris' ? '/edc-bca-payment?metode=qris' : '/edc-bca-payment',
	);
	await pass(0);
	let attempt = 0;
	const sale = (phase: SalePhase) =>
		hear({ type: 'kiosk_edc_sale', id: 42, attempt_id: `attempt-${attempt}`, phase, amount: rupiah(137_500), method });
	return {
		store,
		calls,
		hear,
		terminal: (next: EdcState) => hear({ type: 'kiosk_edc', state: next }),
		sale,
		/** Reports a new sale that the terminal has acknowledged. */
		acked() {
			attempt += 1;
			sale('sent');
			sale('acked');
		},
		respond: (respCode: string, more: object = {}) =>
			hear({
				type: 'payment_edc_bca_notification',
				event: 'transaction_response',
				data: { respCode, attempt_id: `attempt-${attempt}`, ...more },
			}),
		cut: () => act(() => void store.dispatch(socketClosed())),
		starts: () => said.filter(({ message }) => JSON.stringify(message).includes('start_transaction')).length,
		approvals: () => said.filter(({ message }) => JSON.stringify(message).includes('transaction_approve')).length,
	};
}

test('[spec 2.8.1] the card screen shows the five steps and the amount, requests one sale, and disables Kembali during it', async () => {
	const { acked, starts } = await card();
	expect(screen.getByText('PETUNJUK PEMBAYARAN')).toBeTruthy();
	expect(screen.getAllByRole('listitem').map((step) => step.textContent)).toEqual([
		'1Tekan tombol kuning di mesin EDC',
		'2Masukkan atau gesek kartu Anda',
		'3Masukkan PIN, lalu tekan tombol hijau',
		'4Tunggu sampai struk EDC keluar',
		'5Transaksi selesai',
	]);
	expect(screen.getAllByText('Rp 137.500').length).toBeGreaterThan(0);
	expect(starts()).toBe(1);
	acked();
	expect(screen.getByText('Silakan bayar di mesin EDC')).toBeTruthy();
	expect(button('Kembali').disabled).toBe(true);
	expect(screen.getByText('Batalkan lewat tombol merah di mesin EDC')).toBeTruthy();
	await pass(120_000);
	expect(screen.queryByText('Masih di sana?')).toBeNull();
});

test('if the terminal takes more than 3 s to acknowledge a request, the screen shows the waiting time', async () => {
	const { sale } = await card();
	sale('sent');
	await pass(2_000);
	expect(screen.queryByRole('timer')).toBeNull();
	await pass(2_500);
	expect(screen.getByRole('timer').textContent).toBe('Sudah menunggu 0:04');
});

test('the card screen shows the waiting time, and after a minute it tells the customer not to pay again', async () => {
	const { acked } = await card();
	acked();
	await pass(7_000);
	expect(screen.getByRole('timer').textContent).toBe('Sudah menunggu 0:07');
	expect(document.querySelector('[data-done="true"]')).toBeNull();
	await pass(54_000);
	expect(screen.queryByText('Silakan bayar di mesin EDC')).toBeNull();
	expect(screen.getByText('Menunggu jawaban mesin EDC')).toBeTruthy();
	expect(screen.getByText(/Jangan bayar lagi, layar ini segera memberi tahu hasilnya/)).toBeTruthy();
	expect(screen.getByRole('timer').textContent).toBe('Sudah menunggu 1:01');
});

test('for a QRIS code on the terminal, the screen shows other steps, and leaving needs a confirmation', async () => {
	const { acked, store } = await card('ready', 'qris');
	acked();
	expect(screen.getAllByRole('listitem').map((step) => step.textContent)).toEqual([
		'1Tunggu kode QRIS muncul di mesin EDC',
		'2Scan kode itu dengan Mbanking atau e-wallet',
		'3Periksa jumlahnya, lalu setujui di HP Anda',
		'4Tunggu sampai layar ini berubah',
		'5Transaksi selesai',
	]);
	expect(screen.getByText('Silakan scan QRIS di mesin EDC')).toBeTruthy();
	press('Kembali');
	expect(screen.getByText('Tinggalkan kode QRIS ini?')).toBeTruthy();
	press('Tetap di sini');
	expect(screen.queryByText('Tinggalkan kode QRIS ini?')).toBeNull();
	press('Kembali');
	press('Ya, kembali');
	expect(where()).toBe('/');
	expect(store.getState().edc.lastSale?.phase).toBe('acked');
});

test('a QRIS code can stay on the terminal for minutes; the screen says not to pay again only when the daemon reports the sale as unknown', async () => {
	const { acked, sale } = await card('ready', 'qris');
	acked();
	// Touches prevent the idle question.
	for (let minute = 0; minute < 5; minute++) {
		await pass(60_000);
		act(() => void fireEvent.pointerDown(window));
	}
	expect(screen.queryByText('Jangan bayar lagi, hubungi staf')).toBeNull();
	sale('unknown');
	expect(screen.getByText('Jangan bayar lagi, hubungi staf')).toBeTruthy();
	expect(screen.getByText(/QRIS ini mungkin sudah dibayar/)).toBeTruthy();
});

test('if a QRIS code was not paid, the screen has a separate message', async () => {
	const { acked, respond } = await card('ready', 'qris');
	acked();
	respond('S3');
	expect(screen.getByText('Scan QR gagal, sedang mencoba lagi')).toBeTruthy();
	expect(screen.getByText(/Menurut mesin EDC, QRIS ini belum dibayar/)).toBeTruthy();
});

test('[spec 2.8.2] an approved sale shows Lunas, prints after 2 s, goes home after 6 s and is reported once', async () => {
	const { acked, respond, approvals, calls } = await card();
	acked();
	for (let times = 0; times < 3; times++) respond('00');
	expect(screen.getByText('Lunas')).toBeTruthy();
	await pass(2_100);
	expect(calls.filter((call) => call === 'print')).toHaveLength(1);
	await pass(4_000);
	expect(where()).toBe('/');
	expect(approvals()).toBe(1);
});

test('if the invoice grew during the sale, the screen shows the amount still due and reports the approval', async () => {
	const { acked, hear, store, approvals } = await card();
	acked();
	const left = { paid: false, due: rupiah(50_000) };
	hear({
		type: 'payment_edc_bca_notification',
		event: 'transaction_response',
		data: { respCode: '00', attempt_id: 'attempt-1' },
		...left,
	});
	hear({ type: 'kiosk_edc_sale', id: 42, attempt_id: 'attempt-1', phase: 'approved', amount: rupiah(137_500), method: 'card', ...left });
	await pass(0);
	expect(screen.queryByText('Lunas')).toBeNull();
	expect(screen.getByText('Pembayaran Anda sudah tercatat. Sisa tagihan Rp 50.000.')).toBeTruthy();
	expect([approvals(), store.getState().paid.payment]).toEqual([1, null]);
	press('Kembali');
	expect(where()).toBe('/');
});

test('[spec 4.19, 9.11] a decline shows its message and a countdown, and retries after 7 s; after three retries the kiosk goes home', async () => {
	const one = await card();
	for (const [retry, code, words] of [
		[1, 'S2', 'Gagal, Mohonn tunggu, Sedang mencoba lagi'],
		[2, '55', 'PIN ditolak, sedang mencoba lagi'],
		[3, '51', 'Transaksi ditolak, sedang mencoba lagi'],
	] as const) {
		one.acked();
		one.respond(code);
		expect(screen.getByText(words)).toBeTruthy();
		expect(screen.getByText('Silahkan coba lagi')).toBeTruthy();
		expect(screen.getByText('Mulai lagi dalam 7 detik')).toBeTruthy();
		expect(screen.getByText(`Kode EDC ${code} · INV/42`)).toBeTruthy();
		await pass(6_900);
		expect(one.starts()).toBe(retry);
		await pass(200);
		expect(one.starts()).toBe(retry + 1);
	}
	one.acked();
	one.respond('51');
	expect(screen.getByText('3x Percobaan gagal, harap hubungi customer service')).toBeTruthy();
	await pass(4_900);
	expect(where()).toBe('/edc-bca-payment');
	await pass(200);
	expect(where()).toBe('/');
	expect(one.starts()).toBe(4);
});

test.each([
	['P3', 'Pembayaran dibatalkan di mesin EDC'],
	['PT', 'Mesin EDC bermasalah, silahkan hubungi customer service'],
	['TN', 'Top up tidak tersedia, silahkan hubungi customer service'],
	['X9', 'Kode respons tidak dikenal'],
])(
	'[spec 4.20, 8.16, 8.17] if the daemon has not decided about a retry, the message for code %s is shown, and the kiosk goes home after 5 s',
	async (code, words) => {
		const { acked, respond, starts } = await card();
		acked();
		respond(code);
		expect(screen.getByText(words)).toBeTruthy();
		expect(screen.getByText('Layar kembali ke awal dalam 5 detik')).toBeTruthy();
		await pass(5_100);
		expect(where()).toBe('/');
		expect(starts()).toBe(1);
	},
);

test('after a bank timeout the screen does not say that the card was not charged', async () => {
	const { acked, respond } = await card();
	acked();
	respond('TO');
	expect(screen.getByText('Bank terlalu lama menjawab, sedang mencoba lagi')).toBeTruthy();
	expect(screen.getByText('Bila struk EDC tetap keluar, jangan bayar lagi dan hubungi staf.')).toBeTruthy();
	expect(screen.queryByText(/tidak didebit/)).toBeNull();
});

test('[spec 4.25] leaving during the countdown goes home and requests no retry', async () => {
	const { acked, respond, starts } = await card();
	acked();
	respond('P2');
	press('Kembali');
	expect(where()).toBe('/');
	cleanup();
	await pass(10_000);
	expect(starts()).toBe(1);
});

test('for an unknown sale, the screen says not to pay again; neither an idle question nor a retry follows', async () => {
	const { acked, sale, respond, starts } = await card();
	acked();
	sale('unknown');
	expect(screen.getByText('Jangan bayar lagi, hubungi staf')).toBeTruthy();
	expect(screen.getByText('Rp 137.500')).toBeTruthy();
	expect(screen.getByText('attempt-')).toBeTruthy();
	await pass(settings.idle_ms + settings.idle_question_ms + 1_000);
	expect(screen.queryByRole('dialog')).toBeNull();
	expect(starts()).toBe(1);
	respond('00');
	expect(screen.getByText('Lunas')).toBeTruthy();
});

test('leaving an unknown sale needs a confirmation; after a long wait the same question opens by itself and leads home if it is not answered', async () => {
	const { acked, sale } = await card();
	acked();
	sale('unknown');
	press('Kembali');
	expect(screen.getByText('Tinggalkan layar ini?')).toBeTruthy();
	press('Tetap di sini');
	expect(where()).toBe('/edc-bca-payment');
	await pass(settings.abandoned_ms + 100);
	expect(screen.getByText('Tinggalkan layar ini?')).toBeTruthy();
	await pass(60_100);
	expect(where()).toBe('/');
});

test('if an unknown sale turns out to be declined, the screen says that no payment took place and waits for the customer', async () => {
	const { acked, sale, starts } = await card();
	acked();
	sale('unknown');
	sale('declined');
	expect(screen.getByText('Pembayaran kartu tidak terjadi')).toBeTruthy();
	await pass(20_000);
	expect(starts()).toBe(1);
	press('Coba lagi');
	expect(starts()).toBe(2);
});

test.each([
	['disconnected', 'Mesin EDC tidak terhubung'],
	['unresolved', 'Mesin EDC menunggu diperiksa staf'],
	['journal_unhealthy', 'Pencatatan kiosk terganggu'],
	['disk_full', 'Penyimpanan kiosk penuh'],
	['busy', 'Mesin EDC sedang dipakai'],
] as const)('in the terminal state %s its message is shown, and the sale starts in the state ready', async (state, words) => {
	const { terminal, starts } = await card(state);
	expect(screen.getByText(words)).toBeTruthy();
	expect(screen.getByText('Kali ini belum ada yang diminta dari kartu Anda.')).toBeTruthy();
	expect(button('Kembali').disabled).toBe(false);
	expect(starts()).toBe(0);
	terminal('ready');
	await pass(0);
	expect(starts()).toBe(1);
});

test('a lost socket is shown before a sale is requested and while the terminal has the sale; after reconnection no second sale is requested', async () => {
	const before = await card('starting');
	before.cut();
	expect(screen.getByText('Belum ada yang diminta dari mesin EDC. Layar ini lanjut sendiri.')).toBeTruthy();
	expect(button('Kembali').disabled).toBe(false);
	cleanup();
	const { acked, cut, terminal, store, starts } = await card();
	acked();
	cut();
	expect(screen.getByText(/Jangan bayar lagi/)).toBeTruthy();
	expect(button('Kembali').disabled).toBe(true);
	act(() => void store.dispatch(socketOpened()));
	terminal('ready');
	expect(screen.getByText('Hasil pembayaran belum diterima layar ini')).toBeTruthy();
	await pass(30_000);
	expect(starts()).toBe(1);
});

test('a request without an answer times out, and so does a sale without a result', async () => {
	await card();
	await pass(15_100);
	expect(screen.getByText('Hasil pembayaran belum diterima layar ini')).toBeTruthy();
	cleanup();
	const { acked } = await card();
	acked();
	await pass(settings.abandoned_ms + 100);
	expect(screen.getByText('Jangan bayar lagi, hubungi staf')).toBeTruthy();
});

test('after the customer has pressed Kembali, neither Coba lagi nor the automatic retry begins a sale', async () => {
	const { hear, starts } = await card();
	hear({ type: 'kiosk_edc_sale', id: 42, attempt_id: '', phase: 'declined', amount: rupiah(137_500), method: 'card', reason: 'journal' });
	press('Kembali');
	press('Coba lagi');
	await pass(100);
	expect([starts(), where()]).toEqual([1, '/']);
	cleanup();
	const retried = await card();
	retried.acked();
	retried.respond('51');
	press('Kembali');
	await pass(7_500);
	expect(retried.starts()).toBe(1);
});
