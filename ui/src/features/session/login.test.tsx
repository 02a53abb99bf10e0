// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { Api, ApiFailure } from '../../lib/api.ts';
import { customerDetailOf } from '../../lib/customer-detail.ts';
import { keepLogo, readLogo } from '../../lib/kept-logo.ts';
import { clearSession, readSession } from '../../lib/session-cookie.ts';
import { answered, invoiceInfo } from '../../lib/test-data.ts';
import { invoiceFound } from '../../state/invoice.ts';
import { draw, storeWith } from '../../state/test-store.tsx';
import { where } from '../../state/timed-screen.fixture.ts';
import LoginScreen from './login.tsx';

afterEach(() => {
	cleanup();
	clearSession();
});

const refused =
	(status: number | null, message: string | null = null) =>
	async (): Promise<ApiFailure> => ({ ok: false, status, message });
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
const type = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
const submit = () => act(async () => void fireEvent.submit(field('Username')));

function login(answer: Api['login'] = async () => answered({ token: 'tok', development: true })) {
	const made = storeWith({ login: answer });
	draw(made.store, <LoginScreen />, '/login');
	return made;
}

test('[spec 2.2.1] after a log-in with username and password, the cookie contains token and development flag, and the home screen opens', async () => {
	const asked: object[] = [];
	const { store } = login(async (credentials) => {
		asked.push(credentials);
		return answered({ token: 'tok', development: true });
	});
	type('Username', 'outlet');
	type('Password', 'rahasia');
	await submit();
	expect(asked).toEqual([{ username: 'outlet', password: 'rahasia' }]);
	expect(readSession()).toEqual({ token: 'tok', development: true });
	expect(store.getState().session?.development).toBe(true);
	expect(where()).toBe('/');
});

test('after a log-in, the logo of the previous outlet is no longer stored or shown', async () => {
	keepLogo('https://dealer.example/logo.png');
	const { store } = login();
	store.dispatch(invoiceFound({ ...customerDetailOf(invoiceInfo()), logo: 'https://dealer.example/logo.png' }));
	type('Username', 'outlet');
	type('Password', 'rahasia');
	await submit();
	expect(readLogo()).toBe('');
	expect(store.getState().brand.logo).toBe('');
});

test('[spec 2.2.2] the password is hidden until Lihat is pressed', () => {
	login();
	expect(field('Password').type).toBe('password');
	fireEvent.click(screen.getByRole('button', { name: 'Lihat' }));
	expect(field('Password').type).toBe('text');
	fireEvent.click(screen.getByRole('button', { name: 'Sembunyikan' }));
	expect(field('Password').type).toBe('password');
});

test('[spec 5.1] an empty field shows an error when it loses the focus and on submit, and nothing is sent', async () => {
	const { calls } = login();
	expect(screen.queryByText('Username wajib diisi')).toBeNull();
	fireEvent.blur(field('Username'));
	expect(screen.getByText('Username wajib diisi')).toBeTruthy();
	expect(screen.queryByText('Password wajib diisi')).toBeNull();
	type('Username', 'outlet');
	await submit();
	expect(screen.queryByText('Username wajib diisi')).toBeNull();
	expect(screen.getByText('Password wajib diisi')).toBeTruthy();
	expect(calls).toEqual([]);
});

test('[spec 2.2.3, 8.1] after a refusal, the server’s message or, if there is none, the specification’s is shown and can be closed', async () => {
	for (const [answer, words] of [
		[refused(400, 'Outlet ditutup'), 'Outlet ditutup'],
		[refused(401), 'wrong username or password'],
		[refused(500), 'Kami sedang mengalami gangguan'],
		[refused(null), 'Kami sedang mengalami gangguan'],
	] as const) {
		const { store } = login(answer);
		type('Username', 'outlet');
		type('Password', 'salah');
		await submit();
		expect(screen.getByText(words)).toBeTruthy();
		expect(store.getState().alert.color).toBe('danger');
		expect(where()).toBe('/login');
		fireEvent.click(screen.getByRole('button', { name: 'Tutup' }));
		expect(screen.queryByText(words)).toBeNull();
		cleanup();
	}
});
