// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { answered, calmHome } from '../../lib/test-data.ts';
import { draw, storeWith } from '../../state/test-store.tsx';
import StaffHomeScreen from './staff-home.tsx';

afterEach(cleanup);

test('the staff home says when and where a customer has called', async () => {
	const call = { since: '2026-11-24T14:05:00+07:00', screen: '/cash-payment' as const, invoice: 'INV/42' };
	draw(storeWith({ staffHome: async () => answered({ ...calmHome, call }) }).store, <StaffHomeScreen />, '/staf');
	expect(await screen.findByText('Pelanggan memanggil staf pukul 14:05, dari layar bayar tunai, invoice INV/42.')).toBeTruthy();
});

test('without a call the staff home shows none', async () => {
	draw(storeWith().store, <StaffHomeScreen />, '/staf');
	await screen.findByText('Hari ini');
	expect(screen.queryByText(/memanggil/)).toBeNull();
});
