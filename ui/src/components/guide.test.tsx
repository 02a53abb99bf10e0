// @vitest-environment happy-dom

import { rupiah } from '@kiosk/contract/money';
import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { customerDetailOf } from '../lib/customer-detail.ts';
import { invoiceInfo } from '../lib/test-data.ts';
import { acceptorReported } from '../state/acceptor.ts';
import { cardEntered } from '../state/edc.ts';
import { invoiceFound, invoiceUnavailable } from '../state/invoice.ts';
import { applyLive } from '../state/live-events.ts';
import { expirySeen } from '../state/non-cash.ts';
import { paymentDone, printRefused } from '../state/paid.ts';
import { printerHeard } from '../state/printer.ts';
import { draw, storeWith } from '../state/test-store.tsx';
import { Guide } from './guide.tsx';

afterEach(cleanup);

const items = () => screen.getAllByRole('listitem').map((item) => item.textContent);

test('[spec 2.6.4] the steps for cash are: wait for Ready, insert more than the invoice, take the receipt, fetch the change from the cashier', () => {
	const { store } = storeWith();
	draw(store, <Guide />, '/cash-payment');
	expect(items()).toEqual([
		'1Tunggu Ready di kiri atas',
		'2Masukkan uang Rupiah satu per satu',
		'3Masukkan lebih dari nilai invoice sampai Lunas',
		'4Ambil struk, tukar kembalian di kasir',
	]);
});

test('the current step follows the acceptor: until it is ready, to wait; after that, to insert notes', () => {
	const { store } = storeWith();
	draw(store, <Guide />, '/cash-payment');
	expect(document.querySelector('[aria-current="step"]')?.textContent).toContain('Tunggu Ready');
	cleanup();
	store.dispatch(acceptorReported({ state: 'ready', is_ready: true }));
	draw(store, <Guide />, '/cash-payment');
	expect(document.querySelector('[aria-current="step"]')?.textContent).toContain('Masukkan uang');
});

test('no step is highlighted while only staff can help', () => {
	const { store } = storeWith();
	store.dispatch(acceptorReported({ state: 'bill_jam', is_ready: false }));
	draw(store, <Guide />, '/cash-payment');
	expect(document.querySelector('[aria-current="step"]')).toBeNull();
});

test('no payment step is highlighted while the outcome of a card sale is unknown', () => {
	const { store } = storeWith();
	const states = () => screen.getAllByRole('listitem').map((item) => item.dataset.at);
	const sale = { type: 'kiosk_edc_sale', id: 42, attempt_id: '7f3a9c2e-1111', amount: rupiah(137_500), method: 'card' } as const;
	store.dispatch(cardEntered({ id: 42, method: 'card', refused: null }));
	store.dispatch(applyLive({ ...sale, phase: 'acked' }));
	draw(store, <Guide />, '/edc-bca-payment');
	expect(states()).toEqual(['done', 'done', 'now', 'later']);
	act(() => void store.dispatch(applyLive({ ...sale, phase: 'unknown' })));
	expect(states()).toEqual(['done', 'done', 'later', 'later']);
});

test('finished steps are ticked during a payment by cash or QRIS code', () => {
	const { store } = storeWith();
	store.dispatch(acceptorReported({ state: 'ready', is_ready: true }));
	const ticked = () => items().filter((item) => item?.endsWith('(selesai)'));
	draw(store, <Guide />, '/cash-payment');
	expect(ticked()).toHaveLength(1);
	cleanup();
	draw(store, <Guide />, '/non-cash-payment');
	expect(ticked()).toHaveLength(1);
});

test('after the payment, the current step is to take the receipt; if no receipt comes, there is no current step', () => {
	const { store } = storeWith();
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo())));
	store.dispatch(paymentDone({ id: '42', how: 'fresh' }));
	const states = () => screen.getAllByRole('listitem').map((item) => item.dataset.at);
	draw(store, <Guide />, '/cash-payment');
	expect(states()).toEqual(['done', 'done', 'done', 'now']);
	act(() => void store.dispatch(printerHeard('paper_out')));
	expect(states()).toEqual(['done', 'done', 'done', 'later']);
	act(() => void store.dispatch(printerHeard(null)));
	expect(states()).toEqual(['done', 'done', 'done', 'now']);
	act(() => void store.dispatch(printRefused('paper_out')));
	expect(states()).toEqual(['done', 'done', 'done', 'later']);
});

test('after an unknown number, the current step is to enter the number again', () => {
	const { store } = storeWith();
	draw(store, <Guide />, '/payment-method');
	expect(document.querySelector('[aria-current="step"]')?.textContent).toContain('Cek tagihan');
	act(() => void store.dispatch(invoiceUnavailable({ kind: 'not_found', message: null, waitMs: null })));
	expect(document.querySelector('[aria-current="step"]')?.textContent).toBe('1Masukkan nomor HP');
});

test('for a virtual account, the current step is to choose a bank; after the account has expired, it is to get a new account number', () => {
	const { store } = storeWith();
	store.dispatch(invoiceFound(customerDetailOf({ ...invoiceInfo(), max_to_va: rupiah(1) })));
	const current = () => document.querySelector('[aria-current="step"]')?.textContent;
	draw(store, <Guide />, '/non-cash-payment');
	expect(current()).toBe('1Pilih bank Anda');
	act(() => void store.dispatch(expirySeen(true)));
	expect(current()).toBe('1Buat nomor baru');
	expect(items()[1]).toBe('2Bayar ke nomor VA');
});

test('if the QRIS code has expired, the current step is to get a new code, and no step is ticked', () => {
	const { store } = storeWith();
	store.dispatch(expirySeen(true));
	draw(store, <Guide />, '/non-cash-payment');
	expect(document.querySelector('[aria-current="step"]')?.textContent).toBe('1Buat kode baru');
	expect(items().filter((item) => item?.endsWith('(selesai)'))).toEqual([]);
	store.dispatch(expirySeen(false));
	cleanup();
	draw(store, <Guide />, '/non-cash-payment');
	expect(document.querySelector('[aria-current="step"]')?.textContent).toBe('2Scan kode QR di layar ini');
});
