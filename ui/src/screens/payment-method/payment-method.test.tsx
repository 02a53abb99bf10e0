// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AcceptorState } from '../../../../daemon/contract/live.ts';
import type { Api } from '../../app/api.ts';
import { acceptorReported } from '../../app/state/acceptor.ts';
import { writeHp } from '../../app/visit-storage.ts';
import { answered, draw, invoiceInfo, storeWith } from '../../test-support.tsx';
import MethodScreen from './payment-method.tsx';

beforeEach(() => writeHp('0812'));
afterEach(() => {
	cleanup();
	sessionStorage.clear();
});

function method(answers: Partial<Api> = {}, acceptor: AcceptorState = 'inhibited') {
	const { store } = storeWith(answers);
	store.dispatch(acceptorReported({ state: acceptor, is_ready: false }));
	draw(store, <MethodScreen />, '/payment-method');
	return store;
}
const found = (results: Record<string, unknown>) => ({ invoiceInfo: async () => answered(invoiceInfo(results)) });
const where = () => screen.getByTestId('where').textContent;

test('without a number it leads home', () => {
	sessionStorage.clear();
	method();
	expect(where()).toBe('/');
});

test('offers cash and keeps the invoice for it', async () => {
	method();
	fireEvent.click(await screen.findByText('Bayar Tunai'));
	expect(where()).toBe('/cash-payment');
	expect(sessionStorage.getItem('customerDetail')).toContain('INV/42');
});

test('a payment that has begun is continued in cash', async () => {
	method(found({ list_pembayaran: [{ nominal: 50_000, tanggal: '' }] }));
	await waitFor(() => expect(where()).toBe('/cash-payment'));
});

test('an invoice that is paid shows the paid screen', async () => {
	method(found({ is_paid: true }));
	expect(await screen.findByText('Invoice ini sudah dibayar.')).toBeTruthy();
});

test('cash says why it cannot be chosen', async () => {
	method({}, 'bill_jam');
	const tile = (await screen.findByText('Bayar Tunai')).closest('button');
	expect(tile?.disabled).toBe(true);
	expect(tile?.textContent).toContain('Uang tersangkut di mesin');
});

test('the second level offers debit and, by the size of the invoice, QRIS or a virtual account', async () => {
	method({ invoiceInfo: async () => answered({ ...invoiceInfo(), max_to_va: invoiceInfo().results.total }) });
	fireEvent.click(await screen.findByText('Bayar Non Tunai'));
	expect(screen.getByText('Kartu Debit BCA').closest('button')?.disabled).toBe(true);
	expect(screen.getByText('Virtual Account')).toBeTruthy();
	expect(screen.queryByText('QRIS')).toBeNull();
	fireEvent.click(screen.getByText('Kembali'));
	expect(screen.getByText('Bayar Tunai')).toBeTruthy();
});

test('a look-up that fails shows the words of the server, or ours, and no method', async () => {
	method({ invoiceInfo: async () => ({ ok: false, status: 404, message: 'Invoice tidak ditemukan' }) });
	expect(await screen.findByText('Invoice tidak ditemukan')).toBeTruthy();
	expect(screen.queryByText('Bayar Tunai')).toBeNull();
	cleanup();
	method({ invoiceInfo: async () => ({ ok: false, status: null, message: null }) });
	expect(await screen.findByText('Kami sedang mengalami gangguan')).toBeTruthy();
});
