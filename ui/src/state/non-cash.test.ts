import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import type { CustomerDetail } from '../lib/customer-detail.ts';
import { invoiceFound } from './invoice.ts';
import { amountTold, busySet, nonCashReducer, paymentCancelled, vaCreated } from './non-cash.ts';
import { visitEnded } from './visit.ts';

const VA = { kind: 'va', no_va: '3910700000000042', bank: 'bca', company_code: '', expiry: '' } as const;
const after = (...actions: Parameters<typeof nonCashReducer>[1][]) =>
	actions.reduce(nonCashReducer, nonCashReducer(undefined, { type: 'start' }));
const found = (no_va: string) => invoiceFound({ id: 42, total: rupiah(1), is_paid: false, no_va } as CustomerDetail);

test('a created virtual account is kept until a look-up reports one', () => {
	expect(after(vaCreated(VA), found('')).created).toEqual(VA);
	expect(after(vaCreated(VA), found('39107')).created).toBeNull();
});

test('after a cancellation, the created account is no longer kept', () => {
	expect(after(vaCreated(VA), paymentCancelled())).toMatchObject({ created: null });
});

test('the end of the visit clears the whole non-cash state', () => {
	expect(after(vaCreated(VA), amountTold(), busySet(true), visitEnded())).toEqual(after());
});
