// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { customerDetailOf } from '../lib/customer-detail.ts';
import { invoiceInfo, settings } from '../lib/test-data.ts';
import { noteReturned } from '../state/cash.ts';
import { invoiceFound } from '../state/invoice.ts';
import { paymentDone } from '../state/paid.ts';
import { settingsKnown } from '../state/settings.ts';
import { draw, storeWith } from '../state/test-store.tsx';
import { InvoicePanel } from './invoice-panel.tsx';

afterEach(cleanup);

const LIST = [
	{ noinvoice_odoo: 'INV/42-1', nowo_odoo: 'WO/7', total: 137_500, detail: [{ produk_name: 'Ring gasket', qty: 2, harga: 5_000 }] },
];

async function panel(address: string, mask_names = false) {
	const { store } = storeWith();
	store.dispatch(settingsKnown({ ...settings, mask_names }));
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo({ konsumen_name: 'Budi Santoso', list_invoice: LIST }))));
	draw(store, <InvoicePanel />, address);
	await screen.findByText('Pelanggan');
	return store;
}
const shown = () => screen.getByRole('complementary').textContent ?? '';

test('[spec 2.1.4, 2.9.1] the panel shows customer, invoice number, total, lines and whether it is paid', async () => {
	await panel('/cash-payment');
	for (const part of ['Pelanggan', 'Budi Santoso', 'No Invoice', 'INV/42', 'Total Invoice', 'Rp 137.500', 'Status', 'Belum dibayar'])
		expect(shown()).toContain(part);
	for (const part of ['INV/42-1', '137.500', 'WO/7', 'Ring gasket', '2 × 5.000 =', '10.000']) expect(shown()).toContain(part);
	cleanup();
	const store = await panel('/cash-payment');
	act(() => void store.dispatch(paymentDone({ id: '42', how: 'fresh' })));
	expect(shown()).toContain('Sudah dibayar');
});

test('a discount is shown with its sign; a line with unreadable fields shows the readable fields', async () => {
	const { store } = storeWith();
	store.dispatch(settingsKnown(settings));
	const detail = [
		{ produk_name: 'Diskon', qty: 1, harga: -12_500 },
		{ produk_name: 'Oli', qty: 0.5, harga: 'x' },
	];
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo({ list_invoice: [{ noinvoice_odoo: 'A', total: -12_500, detail }] }))));
	draw(store, <InvoicePanel />, '/cash-payment');
	await screen.findByText('Pelanggan');
	for (const part of ['A -12.500', 'Diskon-12.500', 'Oli0,5 × ? =?']) expect(shown()).toContain(part);
});

test('the panel shows number and total of a single invoice once, and the details show each line in full', async () => {
	const { store } = storeWith();
	const block = { noinvoice_odoo: 'INV/42', nowo_odoo: 'WO/7', total: 137_500, detail: [{ produk_name: 'Oli', qty: 1, harga: 52_500 }] };
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo({ noinvoice: 'INV/42', total: 137_500, list_invoice: [block] }))));
	draw(store, <InvoicePanel />, '/payment-method');
	await screen.findByText('Pelanggan');
	expect(shown().match(/INV\/42/g)).toHaveLength(1);
	expect(shown().match(/137\.500/g)).toHaveLength(1);
	expect(shown()).toContain('Oli52.500');
	fireEvent.click(screen.getByRole('button', { name: 'Lihat rincian' }));
	expect((await screen.findByRole('dialog')).textContent).toContain('1 × 52.500 =');
	fireEvent.click(screen.getByRole('button', { name: 'Tutup rincian' }));
	expect(screen.queryByRole('dialog')).toBeNull();
});

test('the details close when the payment screen behind them needs the customer', async () => {
	const store = await panel('/cash-payment');
	fireEvent.click(screen.getByRole('button', { name: 'Lihat rincian' }));
	await screen.findByRole('dialog');
	act(() => void store.dispatch(noteReturned({ nominal: null, reason: 'rejected_by_machine' })));
	expect(screen.queryByRole('dialog')).toBeNull();
});

test('a name is shown in full; with mask_names it is masked until a method is chosen', async () => {
	await panel('/payment-method');
	expect(shown()).toContain('Budi Santoso');
	cleanup();
	await panel('/payment-method', true);
	expect(shown()).toContain('B*** S******');
	expect(shown()).not.toContain('Budi');
	cleanup();
	await panel('/cash-payment', true);
	expect(shown()).toContain('Budi Santoso');
});
