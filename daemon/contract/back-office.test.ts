import * as v from 'valibot';
import { expect, test } from 'vitest';
import { InvoiceInfo, LoginAnswer, PromoVideo, TransactionPage, VaBanks } from './back-office.ts';
import { receiptOf } from './receipt.ts';
import { formatQuantity, formatShown } from './receipt-line.ts';

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

test('[spec 3.1, 7.18] parsing keeps every field of the login answer, invoice, transaction list and bank list', () => {
	expect(v.parse(LoginAnswer, { token: 't', development: true })).toEqual({ token: 't', development: true });
	expect(v.parse(InvoiceInfo, INFO)).toEqual(INFO);
	expect(v.parse(TransactionPage, { results: [ROW], count: 51 })).toEqual({ results: [ROW], count: 51 });
	expect(v.parse(VaBanks, { results: [BANK] })).toEqual({ results: [BANK] });
});

test('fields that the contract does not name stay in the parsed invoice', () => {
	const odd = { ...INFO, results: { ...INVOICE, cabang: { id: 3 } } };
	expect(v.parse(InvoiceInfo, odd)).toEqual(odd);
});

test('an invoice whose id or total is missing or invalid is rejected', () => {
	for (const results of [
		{ ...INVOICE, id: null },
		{ ...INVOICE, total: null },
		{ ...INVOICE, total: '137.500' },
		{ ...INVOICE, total: -1 },
		// JSON.parse reads 1e999 and 9007199254740993 as these inexact values.
		{ ...INVOICE, id: Number.POSITIVE_INFINITY },
		{ ...INVOICE, id: 9_007_199_254_740_992 },
	])
		expect(v.is(InvoiceInfo, { ...INFO, results })).toBe(false);
});

/** @returns the invoice, parsed from an answer in which `line` is the only product line */
const invoiceWith = (line: unknown) =>
	v.parse(InvoiceInfo, { ...INFO, results: { ...INVOICE, list_invoice: [{ ...BLOCK, detail: [line] }] } }).results;

test.each([
	['a discount', { produk_name: 'Diskon', qty: 1, harga: -12_500 }, 'Diskon: 1 x -12.500 = -12.500'],
	['a discount written as text', { produk_name: 'Diskon', qty: '1', harga: '-12500.00' }, 'Diskon: 1 x -12.500 = -12.500'],
	['a returned item', { produk_name: 'Oli', qty: -2, harga: 1_000 }, 'Oli: -2 x 1.000 = -2.000'],
	['half a litre', { produk_name: 'Oli', qty: 0.5, harga: 45_001 }, 'Oli: 0,5 x 45.001 = 22.501'],
	['a price with repeating decimals', { produk_name: 'Baut', qty: 3, harga: 333.333333 }, 'Baut: 3 x 333,33 = 1.000'],
	['a quantity with a binary rounding error', { produk_name: 'Baut', qty: 0.30000000000000004, harga: 10 }, 'Baut: 0,3 x 10 = 3'],
	['no quantity', { produk_name: 'Jasa', harga: 50_000 }, 'Jasa: 1 x 50.000 = 50.000'],
	['no field', {}, ': 1 x ? = ?'],
	['Odoo’s false in every field', { produk_name: false, qty: false, harga: false }, ': ? x ? = ?'],
	['words in place of numbers', { produk_name: 'Oli', qty: 'dua', harga: 'mahal' }, 'Oli: ? x ? = ?'],
	['more than a safe integer', { produk_name: 'Oli', qty: 1e300, harga: 1_000 }, 'Oli: ? x 1.000 = ?'],
	['a price beyond any limit', { produk_name: 'Oli', qty: 1, harga: 1e300 }, 'Oli: 1 x ? = ?'],
	['lists in place of values', { produk_name: [7, 'Oli'], qty: [], harga: {} }, ': ? x ? = ?'],
])('an invoice whose line holds %s stays payable, and the readable parts of the line are shown', (_what, line, shown) => {
	const invoice = invoiceWith(line);
	expect(invoice).toMatchObject({ id: 42, total: 137_500, is_paid: false });
	const [read] = receiptOf({ invoice, logo: '', ahass: '', tanggal: '', metode: '', received: null }).lines;
	if (!read) throw new Error('the line is not there');
	expect(`${read.name}: ${formatQuantity(read.qty)} x ${formatShown(read.price)} = ${formatShown(read.subtotal)}`).toBe(shown);
});

test.each([null, false, 'Oli', 7])('an invoice line that is %j is left out, and the invoice stays payable', (line) => {
	expect(invoiceWith(line).list_invoice[0]?.detail).toEqual([]);
});

test('if an optional field is Odoo’s false, the field counts as empty', () => {
	const empty = (fields: object): object =>
		Object.fromEntries(Object.keys(fields).map((field) => [field, ['id', 'total'].includes(field) ? 42 : false]));
	const info = v.parse(InvoiceInfo, { ...empty(INFO), results: empty(INVOICE) });
	expect(info).toEqual({
		results: {
			id: 42,
			odoo_id: null,
			noinvoice: '',
			konsumen_name: '',
			nopol: '',
			total: 42,
			is_paid: false,
			transaction_type: '',
			payment_type: null,
			payment_type_display: '',
			json_data: false,
			qr_url: '',
			no_va: '',
			bank: '',
			company_code: '',
			list_pembayaran: [],
			list_invoice: [],
		},
		logo: '',
		ahass_name: '',
		max_to_va: null,
	});
	const row = { ...empty(ROW), is_paid: true };
	expect(v.parse(TransactionPage, { results: [row], count: false })).toMatchObject({
		results: [{ id: 42, hp: '', list_invoice: [] }],
		count: 1,
	});
	expect(v.parse(TransactionPage, { results: false, count: 0 })).toEqual({ results: [], count: 0 });
	expect(
		v.parse(VaBanks, {
			results: [
				{ ...BANK, logo: false, script_kode: false },
				{ ...BANK, id: false },
			],
		}),
	).toEqual({
		results: [{ ...BANK, logo: '', script_kode: '' }],
	});
	expect(v.parse(PromoVideo, { results: false })).toBe('');
	expect(v.parse(PromoVideo, { results: [{ url: false, video: '/film.mp4' }] })).toBe('/film.mp4');
});

test('parsing a parsed answer again does not change it', () => {
	const once = invoiceWith({ produk_name: 'Oli', qty: 'dua', harga: -0.4 });
	expect(v.parse(InvoiceInfo, { ...INFO, results: JSON.parse(JSON.stringify(once)) }).results).toEqual(once);
});

test.each([
	['total', 137_500.5],
	['total', false],
	['is_paid', 'mungkin'],
	['id', false],
	['id', 'x'.repeat(201)],
	['id', '\ud800'],
	['odoo_id', {}],
	['list_pembayaran', [{ nominal: -50_000 }]],
	['list_pembayaran', [{ nominal: 0.5 }]],
	['list_pembayaran', 'none'],
])('an answer whose %s is %j is rejected, because this field decides about money', (field, value) => {
	expect(v.is(InvoiceInfo, { ...INFO, results: { ...INVOICE, [field]: value } })).toBe(false);
});

test('an invalid row of the transaction list is dropped, its path is reported, and the other rows stay', () => {
	const rows = [
		ROW,
		{ ...ROW, id: null },
		{ ...ROW, total: -1 },
		'odd',
		{ ...ROW, id: 43, list_invoice: [{ ...BLOCK, total: 'x', detail: false }] },
	];
	expect(v.parse(TransactionPage, { results: rows, count: 5 })).toMatchObject({
		results: [{ id: 42 }, { id: 43, list_invoice: [{ noinvoice_odoo: 'INV/42-1', total: null, detail: [] }] }],
		count: 5,
		odd_rows: ['1.id', '2.total', '3'],
	});
	expect(v.is(TransactionPage, { message: 'Sedang pemeliharaan' })).toBe(false);
});

test('a list with only invalid rows is refused, but an empty list is accepted', () => {
	for (const schema of [TransactionPage, VaBanks]) {
		expect(v.is(schema, { results: [{ id: null }], count: 1 })).toBe(false);
		for (const results of [[], null, false]) expect(v.parse(schema, { results, count: 0 })).toMatchObject({ results: [] });
	}
});

test.each(['', ' ', 'a b', 'a\r\nX: 1', 'töken', '\ud800', '.', '..', 'x'.repeat(2_049)])('%j is not a valid token', (token) => {
	expect(v.is(LoginAnswer, { token, development: false })).toBe(false);
});

test.each(['a', '1|Zx9', 'eyJh.eyJz.c2ln', 'x'.repeat(2_048)])('%s is a valid token', (token) => {
	expect(v.is(LoginAnswer, { token, development: false })).toBe(true);
});

test('overlong texts are truncated, and an overlong picture is dropped', () => {
	const long = 'x'.repeat(2_000_000);
	const { results } = v.parse(InvoiceInfo, { ...INFO, results: { ...INVOICE, noinvoice: long, konsumen_name: long, qr_url: long } });
	expect([results.noinvoice.length, results.konsumen_name.length, results.qr_url]).toEqual([500, 500, '']);
});

test('an invoice whose listed payments exceed the limit for one invoice is rejected', () => {
	const list_pembayaran = [{ nominal: 1_000_000_000_000, tanggal: '' }];
	expect(v.is(InvoiceInfo, { ...INFO, results: { ...INVOICE, list_pembayaran } })).toBe(false);
});
