// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { customerDetailOf } from '../../app/customer-detail.ts';
import { invoiceFound } from '../../app/state/invoice.ts';
import { writeHp } from '../../app/visit-storage.ts';
import { draw, invoiceInfo, storeWith } from '../../test-support.tsx';
import { HomeScreen } from './home.tsx';

afterEach(() => {
	cleanup();
	sessionStorage.clear();
});

const press = (...names: string[]) => {
	for (const name of names) fireEvent.click(screen.getByRole('button', { name }));
};
const field = () => screen.getByLabelText<HTMLInputElement>('Masukan nomor HP anda');

test('nothing of the customer before is left', () => {
	const { store } = storeWith();
	writeHp('0811');
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo())));
	draw(store, <HomeScreen />);
	expect(sessionStorage.length).toBe(0);
	expect(store.getState().invoice.detail).toBeNull();
});

test('the keypad types, deletes, clears and confirms', () => {
	draw(storeWith().store, <HomeScreen />);
	expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Lanjut' }).disabled).toBe(true);
	press('0', '8', '1', '2', '3');
	expect(field().value).toBe('0812 3');
	press('Hapus satu angka');
	expect(field().value).toBe('0812');
	press('Hapus semua');
	expect(field().value).toBe('');
	press('0', '8', 'Lanjut');
	expect(sessionStorage.getItem('inputHp')).toBe('08');
	expect(screen.getByTestId('where').textContent).toBe('/payment-method');
});

test('a keyboard works without the field having the focus, and Enter confirms', () => {
	draw(storeWith().store, <HomeScreen />);
	field().blur();
	for (const key of ['0', '0', '0', '0', '0', '0', 'Enter']) fireEvent.keyDown(document.body, { key });
	expect(screen.getByTestId('where').textContent).toBe('/daftar-transaksi');
});
