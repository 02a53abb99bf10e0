// @vitest-environment happy-dom

import type { Rupiah } from '@kiosk/contract/money';
import { receiptOf } from '@kiosk/contract/receipt';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { writeSession } from '../lib/session-cookie.ts';
import { writeReceipt } from '../lib/stored-visit.ts';
import { answered, invoiceInfo, settings } from '../lib/test-data.ts';
import { writeHp } from '../lib/visit-storage.ts';
import { loggedIn } from '../state/session.ts';
import { endSession } from '../state/session-end.ts';
import { settingsKnown } from '../state/settings.ts';
import { storeWith } from '../state/test-store.tsx';
import { aroundRoutes, showRoute } from './routed.fixture.tsx';

aroundRoutes();

/**
 * Shows the kiosk at this address during a visit.
 * @param results fields of the visit's invoice that differ from the usual ones
 */
function open(address: string, { development = false, session = true, results = {} } = {}) {
	const made = storeWith({ invoiceInfo: async () => answered(invoiceInfo(results)) });
	made.store.dispatch(settingsKnown({ ...settings, edc: true }));
	if (session) {
		writeSession({ token: 't', development });
		made.store.dispatch(loggedIn({ token: 't', development }));
	}
	writeHp('0812');
	const { noinvoice, konsumen_name, nopol, is_paid, total, list_invoice } = invoiceInfo().results;
	const invoice = { noinvoice, konsumen_name, nopol, is_paid, total, list_invoice };
	writeReceipt(receiptOf({ invoice, logo: '', ahass: '', tanggal: '', metode: '', received: 0 as Rupiah }));
	showRoute(made.store, address);
	return made;
}
const invoicePanel = () => screen.queryByRole('complementary', { name: 'Invoice' }) !== null;
const promoSide = () => screen.queryByText('Bengkel Uji') !== null && screen.queryByRole('time') !== null;

test.each([
	['/', 'Masukan nomor HP anda'],
	['/payment-method', 'Bayar Tunai'],
	['/cash-payment', 'Reload Mesin'],
	['/non-cash-payment', 'Gunakan Mbanking anda, dan scan QR dibawah ini'],
	['/edc-bca-payment', 'PETUNJUK PEMBAYARAN'],
])('[spec 2.1.1] %s shows the promo on the left and the invoice on the right', async (address, words) => {
	open(address);
	expect(await screen.findByText(words)).toBeTruthy();
	expect([promoSide(), invoicePanel()]).toEqual([true, true]);
	expect(location.pathname).toBe(address);
});

test('[spec 2.1.2] /daftar-transaksi asks for the PIN, beside the promo, and shows no invoice', async () => {
	open('/daftar-transaksi');
	expect(await screen.findByText('Masukan PIN')).toBeTruthy();
	expect([promoSide(), invoicePanel()]).toEqual([true, false]);
});

test.each([
	['/login', 'Password'],
	['/cetak', 'Untaxed Amount'],
	['/tidak/ada', '404'],
])('[spec 2.1.3] %s is shown without promo and invoice', async (address, words) => {
	open(address);
	expect(await screen.findByText(words)).toBeTruthy();
	expect([promoSide(), invoicePanel()]).toEqual([false, false]);
});

test.each(['/', '/payment-method', '/cash-payment', '/non-cash-payment', '/edc-bca-payment', '/daftar-transaksi', '/cetak'])(
	'[spec 2.3.4, 4.5] without a session cookie %s redirects to /login',
	async (address) => {
		open(address, { session: false });
		expect(await screen.findByText('Password')).toBeTruthy();
		expect(location.pathname).toBe('/login');
	},
);

test('[spec 2.2.4] the logout route clears the session cookie and redirects to /login', async () => {
	const { calls } = open('/logout');
	expect(await screen.findByText('Password')).toBeTruthy();
	expect([location.pathname, calls.includes('leave'), document.cookie.includes('fww_client')]).toEqual(['/login', true, false]);
});

test('[spec 2.3.5, 6.1] the label Development is shown only for an outlet with the development flag', async () => {
	open('/');
	expect(screen.queryByText('Development')).toBeNull();
	cleanup();
	open('/', { development: true });
	expect(screen.getByText('Development')).toBeTruthy();
});

test('[spec 6.8] if the session ends on a payment screen, the kiosk clears the visit and redirects to /login', async () => {
	const { store } = open('/cash-payment');
	await screen.findByText('Reload Mesin');
	act(() => store.dispatch(endSession()));
	await waitFor(() => expect(location.pathname).toBe('/login'));
	expect([sessionStorage.length, store.getState().invoice.detail]).toEqual([0, null]);
});
