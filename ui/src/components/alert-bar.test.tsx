// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { customerDetailOf } from '../lib/customer-detail.ts';
import { invoiceInfo, settings } from '../lib/test-data.ts';
import { alertShown } from '../state/alert.ts';
import { invoiceFound } from '../state/invoice.ts';
import { settingsKnown } from '../state/settings.ts';
import { draw, storeWith } from '../state/test-store.tsx';
import { pass, timedScreens } from '../state/timed-screen.fixture.ts';
import { AlertBar } from './alert-bar.tsx';

timedScreens();

const alert = () => screen.queryByRole('alert')?.textContent ?? null;

function at(address: string, hint?: string) {
	const { store } = storeWith();
	store.dispatch(settingsKnown({ ...settings, alert_ms: 4_000 }));
	draw(store, <AlertBar {...(hint !== undefined && { hint })} />, address);
	return store;
}

test('[spec 4.7, 8.2, 9.4] an alert stays 10 s on /login and the list, and for alert_ms on payment screens', async () => {
	for (const [address, ms] of [
		['/login', 10_000],
		['/daftar-transaksi', 10_000],
		['/payment-method', 4_000],
	] as const) {
		const store = at(address);
		act(() => void store.dispatch(alertShown({ text: 'Gagal' })));
		await pass(ms - 100);
		expect(alert(), address).toBe('Gagal');
		await pass(200);
		expect(alert(), address).toBeNull();
		cleanup();
	}
});

test('[spec 4.7] the close button hides the alert and clears its text', () => {
	const store = at('/login');
	act(() => void store.dispatch(alertShown({ text: 'Gagal' })));
	fireEvent.click(screen.getByRole('button', { name: 'Tutup' }));
	expect(store.getState().alert).toMatchObject({ show: false, text: '' });
});

test('below an error, the screen’s hint about the money is shown, or the invoice number if the screen has no hint; below a warning, neither', () => {
	const store = at('/payment-method');
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo())));
	act(() => void store.dispatch(alertShown({ text: 'Gagal.' })));
	expect(alert()).toBe('Gagal.Nomor rujukan INV/42.');
	act(() => void store.dispatch(alertShown({ text: 'Uang dikembalikan', color: 'warning' })));
	expect(alert()).toBe('Uang dikembalikan');
	cleanup();
	act(() => void at('/cash-payment', 'Uang tercatat.').dispatch(alertShown({ text: 'Gagal.' })));
	expect(alert()).toBe('Gagal.Uang tercatat.');
});
