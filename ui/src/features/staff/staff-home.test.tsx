// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Api } from '../../lib/api.ts';
import { answered, calmHome } from '../../lib/test-data.ts';
import { printReported } from '../../state/paid.ts';
import { draw, storeWith } from '../../state/test-store.tsx';
import { pass } from '../../state/timed-screen.fixture.ts';
import StaffHomeScreen from './staff-home.tsx';

afterEach(cleanup);

test('the staff home says when and from which screen a customer has called staff', async () => {
	const call = { since: '2026-11-24T14:05:00+07:00', screen: '/cash-payment' as const, invoice: 'INV/42' };
	draw(storeWith({ staffHome: async () => answered({ ...calmHome, call }) }).store, <StaffHomeScreen />, '/staf');
	expect(await screen.findByText('Pelanggan memanggil staf pukul 14:05, dari layar bayar tunai, invoice INV/42.')).toBeTruthy();
});

test('if the print of a sample fails, the screen shows the reason', async () => {
	const print = vi.fn<Api['print']>(async () => answered({ print_id: 'one', copy: false, take: null }));
	const { store } = storeWith({ print });
	draw(store, <StaffHomeScreen />, '/staf');
	fireEvent.click(await screen.findByText('Cetak uji'));
	await waitFor(() => expect(store.getState().paid.printId).toBe('one'));
	expect(print).toHaveBeenCalledWith({ id: 'sample', of: 'sample' });
	act(() => void store.dispatch(printReported({ print_id: 'one', state: 'failed', reason: 'paper_out' })));
	expect(await screen.findByText('Struk gagal dicetak: kertas habis.')).toBeTruthy();
});

test('if the kiosk has no printer, the staff home does not offer to print a sample', async () => {
	const parts = [{ part: 'printer' as const, state: 'off' as const }];
	draw(storeWith({ staffHome: async () => answered({ ...calmHome, parts }) }).store, <StaffHomeScreen />, '/staf');
	await screen.findByText('Hari ini');
	expect(screen.queryByText('Cetak uji')).toBeNull();
});

test('if no customer has called, the staff home shows no call', async () => {
	draw(storeWith().store, <StaffHomeScreen />, '/staf');
	await screen.findByText('Hari ini');
	expect(screen.queryByText(/memanggil/)).toBeNull();
});

test('while the journal cannot be read, the staff home says so and shows the kiosk’s parts but no figures; as soon as it can be read, the figures appear', async () => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	const home = vi.fn<Api['staffHome']>(async () => answered({ ...calmHome, today: null, cases: null }));
	draw(storeWith({ staffHome: home }).store, <StaffHomeScreen />, '/staf');
	await pass();
	expect(screen.getByRole('alert').textContent).toBe('Catatan uang kiosk belum dapat dibaca. Bila tetap begini, hubungi teknisi.');
	expect(screen.getByText('Mesin uang')).toBeTruthy();
	for (const words of ['Hari ini', 'Perlu diselesaikan', 'Tidak ada. Semua uang tercatat jelas.'])
		expect(screen.queryByText(words)).toBeNull();
	home.mockImplementation(async () => answered(calmHome));
	await pass(5_000);
	expect(screen.queryByRole('alert')).toBeNull();
	expect(screen.getByText('7 lembar')).toBeTruthy();
	expect(screen.getByText('Perlu diselesaikan')).toBeTruthy();
});
