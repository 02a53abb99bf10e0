// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { customerDetailOf } from './customer-detail.ts';
import { fillStorage } from './full-storage.fixture.ts';
import { readDetail, readReceipt, writeDetail } from './stored-visit.ts';
import { invoiceInfo } from './test-data.ts';
import { clearVisit, forgetLanguage, readHp, readInvoiceNumber, readLanguage, writeHp, writeLanguage } from './visit-storage.ts';

afterEach(() => {
	vi.unstubAllGlobals();
	clearVisit();
	forgetLanguage();
	sessionStorage.clear();
});

/** Every field that the specification's customerDetail has. */
const FIELDS = {
	id: 42,
	noinvoice: 'INV/42',
	total: 137_500,
	is_paid: false,
	transaction_type: 'hutang_lain',
	payment_type: 1,
	json_data: { expiry_time: '2026-11-21T15:00:00' },
	qr_url: '00020101',
	no_va: '988',
	bank: 'bni',
	company_code: '88608',
	odoo_id: 'SO7',
};

test('[spec 3.4] session storage contains inputHp, and customerDetail with every field of the specification', () => {
	writeHp('081234567890');
	writeDetail(customerDetailOf({ ...invoiceInfo(FIELDS), logo: 'https://dealer.example/logo.png' }));
	expect(Object.keys({ ...sessionStorage }).sort()).toEqual(['customerDetail', 'inputHp']);
	expect(readHp()).toBe('081234567890');
	expect(readDetail()).toMatchObject({ ...FIELDS, logo: 'https://dealer.example/logo.png', ahass_name: 'AHASS 01234' });
});

test('invalid stored values count as missing', () => {
	for (const written of ['{', 'null', '{"id":42}', '{"id":42,"total":"viel"}']) {
		sessionStorage.setItem('customerDetail', written);
		sessionStorage.setItem('receipt', written);
		expect([readDetail(), readReceipt()]).toEqual([null, null]);
	}
	expect(readHp()).toBe('');
});

test('the end of the visit clears number and invoice from session storage', () => {
	writeHp('0812');
	writeDetail(customerDetailOf(invoiceInfo()));
	clearVisit();
	expect(sessionStorage.length).toBe(0);
});

test('if session storage has no room, the new invoice replaces the previous one in memory until the visit ends', () => {
	writeDetail(customerDetailOf(invoiceInfo({ id: 41, noinvoice: 'INV/41' })));
	fillStorage();
	writeHp('0812');
	writeLanguage('en');
	writeDetail(customerDetailOf(invoiceInfo({ poster: 'x'.repeat(6_000_000) })));
	expect(readDetail()?.id).toBe(42);
	expect([readInvoiceNumber(), readHp(), readLanguage()]).toEqual(['INV/42', '0812', 'en']);
	// After a reload the page would find no stored invoice and look it up again.
	expect(sessionStorage.length).toBe(0);
	clearVisit();
	expect([readDetail(), readInvoiceNumber(), readHp()]).toEqual([null, '', '']);
});

test('as soon as session storage has room again, the next invoice is stored there', () => {
	fillStorage();
	writeDetail(customerDetailOf(invoiceInfo({ id: 41 })));
	vi.unstubAllGlobals();
	writeDetail(customerDetailOf(invoiceInfo()));
	expect([readDetail()?.id, JSON.parse(sessionStorage.getItem('customerDetail') ?? '{}').id]).toEqual([42, 42]);
});
