// @vitest-environment happy-dom

import { rupiah } from '@kiosk/contract/money';
import { receiptOf } from '@kiosk/contract/receipt';
import { afterEach, expect, test, vi } from 'vitest';
import type { Api } from '../../lib/api.ts';
import { customerDetailOf } from '../../lib/customer-detail.ts';
import { readReceipt } from '../../lib/stored-visit.ts';
import { answered, invoiceInfo } from '../../lib/test-data.ts';
import { machineAsked, noteReceived } from '../../state/cash.ts';
import { invoiceFound } from '../../state/invoice.ts';
import { printFate } from '../../state/paid.ts';
import { storeWith } from '../../state/test-store.tsx';
import { visitEnded } from '../../state/visit.ts';
import { printReceipt } from './receipt-actions.ts';

afterEach(() => sessionStorage.clear());

function paidInCash(print: Api['print']) {
	const { store } = storeWith({ print });
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo())));
	store.dispatch(machineAsked({ id: 42, known: [] }));
	store.dispatch(noteReceived({ note_id: 'a', nominal: rupiah(150_000), time: '' }));
	return store;
}

test('a print request names only the invoice; two quick taps send one request', async () => {
	const print = vi.fn<Api['print']>(async () => answered({ print_id: 'p1', copy: false }));
	const store = paidInCash(print);
	await Promise.all([store.dispatch(printReceipt()), store.dispatch(printReceipt())]);
	expect(print.mock.calls).toEqual([[{ id: 42, of: 'invoice' }]]);
});

test('if the kiosk has no printer, the daemon sends the finished receipt to the page', async () => {
	const receipt = receiptOf({
		invoice: invoiceInfo().results,
		logo: '',
		ahass: '',
		tanggal: '',
		metode: 'Tunai',
		received: rupiah(150_000),
	});
	const store = paidInCash(async () => answered({ receipt }));
	expect(await store.dispatch(printReceipt())).toBe('page');
	expect(readReceipt()).toEqual(receipt);
	expect(printFate(store.getState().paid)).toBeNull();
});

test('if a receipt arrives after the customer has left, it is not stored', async () => {
	const receipt = receiptOf({ invoice: invoiceInfo().results, logo: '', ahass: '', tanggal: '', metode: 'Tunai', received: null });
	const store = paidInCash(async () => answered({ receipt }));
	const printing = store.dispatch(printReceipt());
	store.dispatch(visitEnded());
	expect(await printing).toBe('sent');
	expect(readReceipt()).toBeNull();
});

test.each([
	[{ ok: false, status: null, message: null }, 'offline'],
	[{ ok: false, status: 409, message: null, code: 'not_paid' }, 'not_paid'],
	[{ ok: false, status: 429, message: null, code: 'too_many_prints' }, 'too_many_prints'],
	[{ ok: false, status: 500, message: null }, 'refused'],
] as const)('a refusal %j is shown with the reason %s', async (refusal, reason) => {
	const store = paidInCash(async () => refusal);
	await store.dispatch(printReceipt());
	expect(printFate(store.getState().paid)).toEqual({ state: 'failed', reason });
});

test('if the previous customer requested a receipt, it is neither shown nor stored for the next customer', async () => {
	const [first, second] = [
		Promise.withResolvers<Awaited<ReturnType<Api['print']>>>(),
		Promise.withResolvers<Awaited<ReturnType<Api['print']>>>(),
	];
	const answers = [first, second];
	const store = paidInCash(async () => (answers.shift() ?? second).promise);
	const before = store.dispatch(printReceipt());
	store.dispatch(visitEnded());
	store.dispatch(invoiceFound({ ...customerDetailOf(invoiceInfo()), id: 43 }));
	const now = store.dispatch(printReceipt());
	first.resolve(answered({ print_id: 'p1', copy: false, take: { text: 'KIOSK-BUDI', code: '', link: null } }));
	expect(await before).toBe('sent');
	expect(store.getState().paid).toMatchObject({ asking: true, printId: null, take: null });
	second.resolve(answered({ print_id: 'p2', copy: false }));
	await now;
	expect(store.getState().paid.printId).toBe('p2');
});
