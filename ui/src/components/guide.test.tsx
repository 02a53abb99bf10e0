// @vitest-environment happy-dom

import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { acceptorReported } from '../state/acceptor.ts';
import { expirySeen } from '../state/non-cash.ts';
import { draw, storeWith } from '../state/test-store.tsx';
import { Guide } from './guide.tsx';

afterEach(cleanup);

const items = () => screen.getAllByRole('listitem').map((item) => item.textContent);

test('[spec 2.6.4] cash instructions: wait for Ready, insert more than the invoice, take receipt and change', () => {
	const { store } = storeWith();
	draw(store, <Guide />, '/cash-payment');
	expect(items()).toEqual([
		'1Tunggu Ready di kiri atas',
		'2Masukkan uang Rupiah satu per satu',
		'3Masukkan lebih dari nilai invoice sampai Lunas',
		'4Ambil struk, tukar kembalian di kasir',
	]);
});

test('the current step follows the machine: first wait, then insert', () => {
	const { store } = storeWith();
	draw(store, <Guide />, '/cash-payment');
	expect(document.querySelector('[aria-current="step"]')?.textContent).toContain('Tunggu Ready');
	cleanup();
	store.dispatch(acceptorReported({ state: 'ready', is_ready: true }));
	draw(store, <Guide />, '/cash-payment');
	expect(document.querySelector('[aria-current="step"]')?.textContent).toContain('Masukkan uang');
});

test('no step is highlighted while only staff can continue', () => {
	const { store } = storeWith();
	store.dispatch(acceptorReported({ state: 'bill_jam', is_ready: false }));
	draw(store, <Guide />, '/cash-payment');
	expect(document.querySelector('[aria-current="step"]')).toBeNull();
});

test('finished steps are ticked during a payment by cash, QRIS code or virtual account', () => {
	const { store } = storeWith();
	store.dispatch(acceptorReported({ state: 'ready', is_ready: true }));
	const ticked = () => items().filter((item) => item?.endsWith('(selesai)'));
	draw(store, <Guide />, '/cash-payment');
	expect(ticked()).toHaveLength(1);
	cleanup();
	draw(store, <Guide />, '/non-cash-payment');
	expect(ticked()).toHaveLength(1);
});

test('with an expired code, the current step is to get a new code and no step is ticked', () => {
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
