// @vitest-environment happy-dom

import { openPaymentOf, paymentInUse } from '@kiosk/contract/open-payment';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { customerDetailOf } from './customer-detail.ts';
import { pictureAddress } from './picture-address.ts';
import { invoiceInfo } from './test-data.ts';

const detailOf = (results: Record<string, unknown>) => customerDetailOf(invoiceInfo(results));
const open = (results: Record<string, unknown>) => openPaymentOf(detailOf(results));
const inUse = (json_data: unknown) => paymentInUse(detailOf({ json_data }));

const VA = { kind: 'va', no_va: '8860800000000009', bank: 'mandiri', company_code: '88608', expiry: '2026-11-22T10:00:00+07:00' };
const QRIS = { kind: 'qris', qr_url: '000201', expiry: '2026-11-22T10:00:00+07:00' };
const va = { no_va: VA.no_va, bank: 'Mandiri', company_code: '88608', expiry_time: VA.expiry };
const qris = { qr_string: '000201', expired_at: QRIS.expiry };

test('[spec 3.7] a virtual account or QRIS code is read from the invoice or from json_data, which can be an object, JSON text, or contain the data one level down', () => {
	expect(open({ ...va, json_data: { expiry_time: VA.expiry } })).toEqual(VA);
	for (const json_data of [va, JSON.stringify(va), [va], { data: va }, { data: JSON.stringify(va) }])
		expect(open({ json_data })).toEqual(VA);
	for (const json_data of [qris, JSON.stringify(qris), [qris], { data: qris }]) expect(open({ json_data })).toEqual(QRIS);
});

test('the field names of several payment providers are understood, and account numbers that are JSON numbers', () => {
	expect(open({ json_data: { va_number: 3910700000000042, bank: 'bca' } })).toMatchObject({ no_va: '3910700000000042', bank: 'bca' });
	expect(open({ json_data: { account_number: ' 988 ' } })).toMatchObject({ kind: 'va', no_va: '988' });
	expect(open({ json_data: { qris: '000201' } })).toMatchObject({ kind: 'qris', qr_url: '000201' });
});

test('[spec 3.6] fields of the invoice take precedence over json_data; if there are both a virtual account and QRIS, payment_type decides', () => {
	expect(open({ no_va: '1', json_data: { no_va: '2', expiry_time: 'x' } })).toMatchObject({ no_va: '1', expiry: 'x' });
	const both = { no_va: '1', qr_url: '000201' };
	expect(open({ ...both, payment_type: 1 })?.kind).toBe('qris');
	expect(open({ ...both, payment_type: '1' })?.kind).toBe('qris');
	expect(open({ ...both, payment_type: 2 })?.kind).toBe('va');
	expect(open({ no_va: '1', payment_type: 1 })?.kind).toBe('va');
});

test('if json_data is empty in any form, no payment is open', () => {
	for (const json_data of [undefined, null, {}, [], '', ' ', 'null', '{}', '[]', 0, false, true, '0']) {
		expect(open({ json_data })).toBeNull();
		expect(inUse(json_data), JSON.stringify(json_data)).toBe(false);
	}
});

test('json_data that the kiosk cannot show still counts as an open payment', () => {
	for (const json_data of [{ expiry_time: 'x' }, { state: 'PENDING' }, ['x'], 'PENDING', '{"state":"PENDING"}']) {
		expect(open({ json_data })).toBeNull();
		expect(inUse(json_data), JSON.stringify(json_data)).toBe(true);
	}
	expect(paymentInUse(detailOf({ qr_url: '000201' }))).toBe(true);
	expect(paymentInUse(detailOf({ no_va: '1' }))).toBe(true);
});

test('reading json_data throws for no value', () => {
	fc.assert(
		fc.property(fc.anything(), fc.anything(), (json_data, qr_string) => {
			paymentInUse(detailOf({ json_data }));
			openPaymentOf(detailOf({ json_data: { qr_string, data: json_data } }));
		}),
	);
});

test('the page loads pictures from other hosts through the daemon', () => {
	expect(pictureAddress('https://bank.example/qr.png?a=1&b=2')).toBe(
		'/kiosk/picture?url=https%3A%2F%2Fbank.example%2Fqr.png%3Fa%3D1%26b%3D2',
	);
	expect(pictureAddress('HTTP://bank.example/')).toBe('/kiosk/picture?url=HTTP%3A%2F%2Fbank.example%2F');
	for (const own of ['data:image/png;base64,AA', '/media/bca.png']) expect(pictureAddress(own)).toBe(own);
});
