// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { customerDetailOf } from '../../lib/customer-detail.ts';
import { invoiceInfo } from '../../lib/test-data.ts';
import { writeHp } from '../../lib/visit-storage.ts';
import { invoiceFound } from '../../state/invoice.ts';
import { printerHeard } from '../../state/printer.ts';
import { draw, storeWith } from '../../state/test-store.tsx';
import { HomeScreen } from './home.tsx';

// Waits for the preloaded screens, because they must not arrive after the DOM of this test file is
// gone.
afterAll(() => vi.dynamicImportSettled());
afterEach(() => {
	cleanup();
	sessionStorage.clear();
});

const press = (...names: string[]) => {
	for (const name of names) fireEvent.click(screen.getByRole('button', { name }));
};
const field = () => screen.getByLabelText<HTMLInputElement>('Masukan nomor HP anda');

test('[spec 4.25] the home screen clears the previous visit', () => {
	const { store } = storeWith();
	writeHp('0811');
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo())));
	draw(store, <HomeScreen />);
	expect(sessionStorage.length).toBe(0);
	expect(store.getState().invoice.detail).toBeNull();
});

test('[spec 2.3.1] the keypad types, deletes and clears, and confirms an entry of three characters or more', () => {
	draw(storeWith().store, <HomeScreen />);
	expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Lanjut' }).disabled).toBe(true);
	press('0', '8', '1', '2', '3');
	expect(field().value).toBe('0812 3');
	press('Hapus satu angka');
	expect(field().value).toBe('0812');
	press('Hapus semua');
	expect(field().value).toBe('');
	press('0', '8');
	expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Lanjut' }).disabled).toBe(true);
	press('1', 'Lanjut');
	expect(sessionStorage.getItem('inputHp')).toBe('081');
	expect(screen.getByTestId('where').textContent).toBe('/payment-method');
});

test('[spec 2.3.2] a keyboard works even if the field has no focus, and Enter confirms 000000', () => {
	draw(storeWith().store, <HomeScreen />);
	field().blur();
	for (const key of ['0', '0', '0', '0', '0', '0', 'Enter']) fireEvent.keyDown(document.body, { key });
	expect(screen.getByTestId('where').textContent).toBe('/daftar-transaksi');
});

test('[spec 2.3.3] a number with its country code is looked up as 08…', () => {
	draw(storeWith().store, <HomeScreen />);
	for (const key of '+6281234567890') fireEvent.keyDown(document.body, { key });
	expect(field().value).toBe('+6281 2345 6789 0');
	press('Lanjut');
	expect(sessionStorage.getItem('inputHp')).toBe('081234567890');
});

test('if a customer taps confirm twice, the method screen opens as after one tap', () => {
	draw(storeWith().store, <HomeScreen />);
	press('0', '8', '1', 'Lanjut', 'Lanjut');
	expect(screen.getByTestId('where').textContent).toBe('/payment-method');
});

test('an answer to the idle question keeps the digits; without an answer they are cleared; while the question is open, keys are ignored', async () => {
	vi.useFakeTimers();
	draw(storeWith().store, <HomeScreen />);
	press('0', '8', '1', '2', '3');
	await act(() => vi.advanceTimersByTimeAsync(60_500));
	fireEvent.keyDown(screen.getByRole('dialog'), { key: '9' });
	press('Lanjutkan');
	expect(field().value).toBe('0812 3');
	press('4');
	expect(field().value).toBe('0812 34');
	await act(() => vi.advanceTimersByTimeAsync(60_500));
	await act(() => vi.advanceTimersByTimeAsync(20_500));
	expect(field().value).toBe('');
	vi.useRealTimers();
});

describe('after a minute without a touch', () => {
	const invitation = () => screen.queryByRole('dialog', { name: 'Sentuh untuk bayar' });
	const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
	beforeEach(() => {
		vi.useFakeTimers();
	});
	afterEach(() => {
		vi.useRealTimers();
	});
	const attracting = async () => {
		const { store } = storeWith();
		draw(store, <HomeScreen />);
		await wait(60_500);
		await act(() => vi.dynamicImportSettled());
		expect(invitation()).not.toBeNull();
		return store;
	};

	test('a picture invites customers; a touch closes it and types nothing', async () => {
		const store = await attracting();
		expect(store.getState().attract).toBe(true);
		fireEvent.pointerDown(invitation() as Element);
		expect(invitation()).toBeNull();
		expect(store.getState().attract).toBe(false);
		expect(field().value).toBe('');
		press('0', '8');
		expect(field().value).toBe('08');
	});

	test('a key press on a keyboard or scanner closes the picture and is typed', async () => {
		await attracting();
		fireEvent.keyDown(document.body, { key: '0' });
		expect(invitation()).toBeNull();
		expect(field().value).toBe('0');
	});

	test('if digits were typed, the idle question opens instead of the picture', async () => {
		draw(storeWith().store, <HomeScreen />);
		press('0', '8');
		await wait(60_500);
		expect(invitation()).toBeNull();
		expect(screen.getByText('Masih di sana?')).toBeTruthy();
	});
});

test('languages are listed by their own names, and the typed digits stay after the choice', async () => {
	draw(storeWith().store, <HomeScreen />);
	press('0', '8');
	await act(async () => press('English'));
	expect(await screen.findByLabelText<HTMLInputElement>('Enter your phone number')).toHaveProperty('value', '08');
	expect(screen.getByRole('button', { name: 'English' }).getAttribute('aria-pressed')).toBe('true');
	await act(async () => press('Indonesia'));
	expect(field().value).toBe('08');
});

test('a chosen language stays until the customer has left the home screen untouched and the idle question unanswered; after that, the screen is Indonesian again', async () => {
	const { store } = storeWith();
	draw(store, <HomeScreen />);
	await act(async () => press('Basa Jawa'));
	expect(await screen.findByText('Lebetaken nomer HP panjenengan')).toBeTruthy();
	vi.useFakeTimers();
	try {
		act(() => void fireEvent.pointerDown(document.body));
		await act(() => vi.advanceTimersByTimeAsync(60_000));
		expect(screen.getByText('Taksih wonten ngriki?')).toBeTruthy();
		await act(() => vi.advanceTimersByTimeAsync(20_000));
	} finally {
		vi.useRealTimers();
	}
	expect(screen.queryByRole('dialog')).toBeNull();
	expect(field().value).toBe('');
});

test('until paper is loaded, the home screen says that the printer has no paper', () => {
	const { store } = storeWith();
	draw(store, <HomeScreen />);
	const hear = (trouble: string | null) => act(() => void store.dispatch(printerHeard(trouble)));
	expect(screen.queryByText('Struk tidak tersedia')).toBeNull();
	hear('paper_out');
	expect(screen.getByText('Struk tidak tersedia').parentElement?.textContent).toBe('Struk tidak tersedia (kertas habis)');
	hear(null);
	expect(screen.queryByText('Struk tidak tersedia')).toBeNull();
});
