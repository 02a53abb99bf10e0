// @vitest-environment happy-dom

import { rupiah } from '@kiosk/contract/money';
import { type Receipt, splitVat } from '@kiosk/contract/receipt';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { writeReceipt } from '../../lib/stored-visit.ts';
import { draw, storeWith } from '../../state/test-store.tsx';
import { pass, timedScreens } from '../../state/timed-screen.fixture.ts';
import PrintScreen from './cetak.tsx';

const total = rupiah(137_500);
const RECEIPT: Receipt = {
	logo: '',
	ahass: 'AHASS 01234',
	tanggal: '21-11-2026 09:05',
	nomor: 'INV/42',
	nama: 'Budi',
	nopol: 'B 1 X',
	is_paid: true,
	metode: 'Tunai',
	lines: [{ name: 'Servis', qty: 2, price: rupiah(68_750), subtotal: total }],
	...splitVat(total),
	total,
	received: null,
};

timedScreens();
beforeEach(() => {
	vi.stubGlobal('print', vi.fn());
	// happy-dom has neither layout nor printed pages; tests/e2e tests them in a real browser.
	vi.spyOn(CSSStyleSheet.prototype, 'insertRule').mockReturnValue(0);
});
afterEach(() => vi.restoreAllMocks());

function page(more: Partial<Receipt> = {}) {
	writeReceipt({ ...RECEIPT, ...more });
	draw(storeWith().store, <PrintScreen />, '/cetak');
}
/** @returns the rows of labels and values, in order */
const facts = () => screen.getAllByRole('term').map((term) => `${term.textContent}: ${term.nextElementSibling?.textContent}`);

test('[spec 2.10.1, 2.10.2] the print page shows every field in order, with the watermark Lunas', () => {
	page();
	expect(facts()).toEqual([
		'Tanggal: 21-11-2026 09:05',
		'AHASS: AHASS 01234',
		'Nomor: INV/42',
		'Nama: Budi',
		'Status: Sudah dibayar',
		'Metode Pembayaran: Tunai',
		'NOPOL: B 1 X',
		'Untaxed Amount: Rp 123.874',
		'Taxed: Rp 13.626',
		'Total: Rp 137.500',
	]);
	expect(screen.getByRole('listitem').textContent).toBe('Servis2 x 68.750137.500');
	expect(screen.getByRole('img', { name: 'Lunas' })).toBeTruthy();
});

test('[spec 2.10.2] an unpaid receipt shows Belum dibayar and no watermark', () => {
	page({ is_paid: false });
	expect(facts()).toContain('Status: Belum dibayar');
	expect(screen.queryByRole('img', { name: 'Lunas' })).toBeNull();
});

test('[spec 2.10.4] the receipt shows the dealer’s logo if there is one, and the dealer’s name or, without a name, a default title', () => {
	page({ logo: 'https://dealer.example/logo.png' });
	expect(document.querySelector('img')?.getAttribute('src')).toBe('/kiosk/picture?url=https%3A%2F%2Fdealer.example%2Flogo.png');
	cleanup();
	page();
	expect(document.querySelector('img')).toBeNull();
	expect(screen.getByText('AHASS 01234', { selector: 'strong' })).toBeTruthy();
	cleanup();
	page({ ahass: '' });
	expect(screen.getByText('Struk Pembayaran')).toBeTruthy();
});

test('[spec 2.10.6, 9.8] the print dialog opens after 1000 ms, and then the kiosk goes home', async () => {
	page();
	await pass(990);
	expect(window.print).not.toHaveBeenCalled();
	await pass(20);
	expect(window.print).toHaveBeenCalledTimes(1);
	expect(screen.getByTestId('where').textContent).toBe('/');
});

test('a copy is marked as a copy and does not tell the customer to fetch change again; a shortened receipt shows how many lines are missing', () => {
	page({ copy: true, lines_left_out: 800, received: rupiah(150_000) });
	expect(screen.getByText('SALINAN')).toBeTruthy();
	expect(screen.getByText('Salinan: Lebih Bayar hanya ditukar satu kali.')).toBeTruthy();
	expect(screen.queryByText(/Tukarkan/)).toBeNull();
	expect(screen.getByText('… 800 baris lagi')).toBeTruthy();
	cleanup();
	page();
	expect(screen.queryByText(/SALINAN|baris lagi/)).toBeNull();
});

test('if no receipt is stored, the page prints nothing and goes home', async () => {
	draw(storeWith().store, <PrintScreen />, '/cetak');
	await pass(2_000);
	expect(window.print).not.toHaveBeenCalled();
	expect(screen.getByTestId('where').textContent).toBe('/');
});
