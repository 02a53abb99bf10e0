// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { customerDetailOf } from '../../lib/customer-detail.ts';
import { invoiceInfo } from '../../lib/test-data.ts';
import { viewOf } from './view-of.ts';

const CHOSEN = { kind: 'va', no_va: '39107', bank: 'bca', company_code: '', expiry: '' } as const;
const QRIS = { qr_url: '000201', payment_type: 1 };

/** @returns an invoice of Rp 137.500 with this max_to_va */
const at = (max_to_va: number | null, results: Record<string, unknown> = {}) =>
	customerDetailOf({ ...invoiceInfo(results), max_to_va: max_to_va as never });

test('[spec 4.10] the view is standby until the invoice is known', () => {
	expect(viewOf(null, null)).toEqual({ view: 'standby' });
	expect(viewOf(null, CHOSEN)).toEqual({ view: 'standby' });
});

test('[spec 4.10] a paid invoice is shown as paid, regardless of its other fields', () => {
	expect(viewOf(at(1, { ...QRIS, is_paid: true }), CHOSEN)).toEqual({ view: 'is_paid' });
});

test('[spec 4.9, 4.10] a total below max_to_va leads to QRIS, a total of at least max_to_va to the banks; without max_to_va every total leads to QRIS', () => {
	expect(viewOf(at(137_500), null)).toEqual({ view: 'list_va' });
	expect(viewOf(at(1), null)).toEqual({ view: 'list_va' });
	expect(viewOf(at(137_501), null)).toEqual({ view: 'qris', code: null });
	expect(viewOf(at(null), null)).toEqual({ view: 'qris', code: null });
});

test('[spec 4.10] an open payment is shown, no matter whether the total is above or below max_to_va', () => {
	for (const limit of [1, 1_000_000]) {
		expect(viewOf(at(limit, QRIS), null)).toMatchObject({ view: 'qris', code: { qr_url: '000201' } });
		expect(viewOf(at(limit, { no_va: '988' }), null)).toMatchObject({ view: 'va_selected', va: { no_va: '988' } });
	}
});

test('[spec 4.11] a created virtual account is shown until the invoice reports one', () => {
	expect(viewOf(at(1), CHOSEN)).toEqual({ view: 'va_selected', va: CHOSEN });
	expect(viewOf(at(1, QRIS), CHOSEN)).toEqual({ view: 'va_selected', va: CHOSEN });
	expect(viewOf(at(1, { no_va: '988' }), CHOSEN)).toMatchObject({ va: { no_va: '988' } });
});
