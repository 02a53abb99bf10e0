// @vitest-environment happy-dom

import type { ScreenSettings } from '@kiosk/contract/kiosk-api';
import { rupiah } from '@kiosk/contract/money';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { settings } from '../lib/test-data.ts';
import { settingsKnown } from '../state/settings.ts';
import { draw, storeWith } from '../state/test-store.tsx';
import { SiteBrand } from './site-brand.tsx';

afterEach(cleanup);

function at(address: string, setup_problems: string[], unconfirmed: string[] = [], held_money: ScreenSettings['held_money'] = null) {
	const { store } = storeWith();
	store.dispatch(settingsKnown({ ...settings, setup_problems, unconfirmed, held_money }));
	draw(store, <SiteBrand />, address);
	return screen.queryByRole('note')?.textContent ?? null;
}

const PROBLEMS = [
	'kiosk.toml, line 5: screen.rotation = 45: expected 0, 90, 180 or 270',
	'kiosk.toml, line 9: colour: there is no such setting',
];

test('the home and the login screen show the first line of the settings to change; payment screens do not', () => {
	expect(at('/', PROBLEMS)).toContain('line 5: screen.rotation = 45');
	cleanup();
	expect(at('/login', PROBLEMS)).toContain('dan 1 lagi');
	cleanup();
	expect(at('/payment-method', PROBLEMS)).toBeNull();
	cleanup();
	expect(at('/', [])).toBeNull();
});

test('if settings are unconfirmed, the home screen names these instead of a settings problem', () => {
	expect(at('/', PROBLEMS, ['[acceptor.notes]', 'authorized_keys'])).toContain('[acceptor.notes], authorized_keys');
	cleanup();
	expect(at('/payment-method', [], ['[acceptor.notes]'])).toBeNull();
});

test('if the settings name another back office, the notice shows the payments that are still to be sent and asks for a technician', () => {
	const server = ['[back_office] url'];
	const notice = at('/login', [], server, { count: 3, total: rupiah(150_000) });
	for (const words of ['[back_office] url', 'teknisi', '3 pembayaran (Rp 150.000)']) expect(notice).toContain(words);
	cleanup();
	expect(at('/', [], server, { count: 0, total: rupiah(0) })).not.toContain('pembayaran');
});
