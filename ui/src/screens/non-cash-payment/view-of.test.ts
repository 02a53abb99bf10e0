// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { customerDetailOf } from '../../app/customer-detail.ts';
import { invoiceInfo } from '../../test-support.tsx';
import { viewOf } from './view-of.ts';

const CHOSEN = { kind: 'va', no_va: '39107', bank: 'bca', company_code: '', expiry: '' } as const;
const QRIS = { qr_url: '000201', payment_type: 1 };

/** An invoice of Rp 137.500 beside a limit for virtual accounts. */
const at = (max_to_va: number | null, results: Record<string, unknown> = {}) =>
	customerDetailOf({ ...invoiceInfo(results), max_to_va: max_to_va as never });

test('until the invoice is known there is nothing to show', () => {
	expect(viewOf(null, null)).toEqual({ view: 'standby' });
	expect(viewOf(null, CHOSEN)).toEqual({ view: 'standby' });
});

test('a paid invoice is paid, whatever else stands on it', () => {
	expect(viewOf(at(1, { ...QRIS, is_paid: true }), CHOSEN)).toEqual({ view: 'is_paid' });
});

test('from the limit on a bank is chosen, below it there is a code', () => {
	expect(viewOf(at(137_500), null)).toEqual({ view: 'list_va' });
	expect(viewOf(at(1), null)).toEqual({ view: 'list_va' });
	expect(viewOf(at(137_501), null)).toEqual({ view: 'qris', code: null });
	expect(viewOf(at(null), null)).toEqual({ view: 'qris', code: null });
});

test('what is open is shown on either side of the limit', () => {
	for (const limit of [1, 1_000_000]) {
		expect(viewOf(at(limit, QRIS), null)).toMatchObject({ view: 'qris', code: { qr_url: '000201' } });
		expect(viewOf(at(limit, { no_va: '988' }), null)).toMatchObject({ view: 'va_selected', va: { no_va: '988' } });
	}
});

test('an account made here is shown until the invoice tells of one', () => {
	expect(viewOf(at(1), CHOSEN)).toEqual({ view: 'va_selected', va: CHOSEN });
	expect(viewOf(at(1, QRIS), CHOSEN)).toEqual({ view: 'va_selected', va: CHOSEN });
	expect(viewOf(at(1, { no_va: '988' }), CHOSEN)).toMatchObject({ va: { no_va: '988' } });
});
