// @vitest-environment happy-dom

import { rupiah } from '@kiosk/contract/money';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { settings } from '../lib/test-data.ts';
import { acceptorReported } from '../state/acceptor.ts';
import { settingsKnown } from '../state/settings.ts';
import { draw, storeWith } from '../state/test-store.tsx';
import { Guide } from './guide.tsx';

afterEach(cleanup);

const NOTES = [1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000].map(rupiah);
const items = () => screen.getAllByRole('listitem').map((item) => item.textContent);

test('[spec 2.6.4] cash instructions: wait for Ready, insert more than the invoice, take receipt and change; all seven notes', () => {
	const { store } = storeWith();
	store.dispatch(settingsKnown({ ...settings, notes: NOTES }));
	draw(store, <Guide />, '/cash-payment');
	expect(items()).toEqual([
		'1Tunggu Ready di kiri atas',
		'2Masukkan uang Rupiah satu per satu',
		'3Masukkan lebih dari nilai invoice sampai Lunas',
		'4Ambil struk, tukar kembalian di kasir',
		...['100.000', '50.000', '20.000', '10.000', '5.000', '2.000', '1.000'],
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
