import * as v from 'valibot';
import { expect, test } from 'vitest';
import { InvoiceInfo, LoginAnswer, TransactionPage, VaBanks } from './back-office.ts';

const BLOCK = {
	noinvoice_odoo: 'INV/42-1',
	nowo_odoo: 'WO/7',
	total: 137_500,
	detail: [{ produk_name: 'Oli mesin', qty: 2, harga: 68_750 }],
};

const INVOICE = {
	id: 42,
	odoo_id: 'SO7',
	noinvoice: 'INV/42',
	konsumen_name: 'Budi Santoso',
	nopol: 'B 1 X',
	total: 137_500,
	is_paid: false,
	transaction_type: 'hutang_lain',
	payment_type: 1,
	payment_type_display: 'QRIS',
	json_data: { expiry_time: '2026-11-21T15:00:00' },
	qr_url: '00020101',
	no_va: '988',
	bank: 'bni',
	company_code: '88608',
	list_pembayaran: [{ nominal: 50_000, tanggal: '2026-11-21T14:31:08' }],
	list_invoice: [BLOCK],
};

const INFO = { results: INVOICE, logo: 'https://dealer.example/logo.png', ahass_name: 'AHASS 01234', max_to_va: 2_000_000 };

const ROW = {
	id: 42,
	noinvoice: 'INV/42',
	hp: '0812',
	nopol: 'B 1 X',
	konsumen_name: 'Budi Santoso',
	tanggal_display: '21-11-2026 14:31',
	is_paid: true,
	total: 137_500,
	list_invoice: [BLOCK],
	payment_type_display: 'QRIS',
	ahass_name: 'AHASS 01234',
	logo: '',
};

const BANK = { id: 1, nama: 'BCA', logo: 'https://bank.example/bca.png', script_kode: 'bca', is_active: true };

test('every field that the specification names is read, and comes out as it came in', () => {
	expect(v.parse(LoginAnswer, { token: 't', development: true })).toEqual({ token: 't', development: true });
	expect(v.parse(InvoiceInfo, INFO)).toEqual(INFO);
	expect(v.parse(TransactionPage, { results: [ROW], count: 51 })).toEqual({ results: [ROW], count: 51 });
	expect(v.parse(VaBanks, { results: [BANK] })).toEqual({ results: [BANK] });
});

test('what a server adds is kept and sent back with the invoice', () => {
	const odd = { ...INFO, results: { ...INVOICE, cabang: { id: 3 } } };
	expect(v.parse(InvoiceInfo, odd)).toEqual(odd);
});

test('an invoice without id or amount is none', () => {
	for (const results of [
		{ ...INVOICE, id: null },
		{ ...INVOICE, total: null },
		{ ...INVOICE, total: '137.500' },
		{ ...INVOICE, total: -1 },
		// What JSON.parse makes of 1e999 and of 9007199254740993: nobody's id any more.
		{ ...INVOICE, id: Number.POSITIVE_INFINITY },
		{ ...INVOICE, id: 9_007_199_254_740_992 },
	])
		expect(v.is(InvoiceInfo, { ...INFO, results })).toBe(false);
});

test.each(['dua', -2, 1e300])(
	'an invoice line of %s pieces comes to no amount: the answer does not fit, and no screen has to draw it',
	(qty) => {
		const results = { ...INVOICE, list_invoice: [{ ...BLOCK, detail: [{ produk_name: 'Oli mesin', qty, harga: 1_000 }] }] };
		expect(v.is(InvoiceInfo, { ...INFO, results })).toBe(false);
	},
);

test('a list of payments beyond any invoice does not fit', () => {
	const list_pembayaran = [{ nominal: 1_000_000_000_000, tanggal: '' }];
	expect(v.is(InvoiceInfo, { ...INFO, results: { ...INVOICE, list_pembayaran } })).toBe(false);
});
