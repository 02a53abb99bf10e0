// @vitest-environment happy-dom

import type { EdcState, SaleMethod, SalePhase } from '@kiosk/contract/live';
import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import type { Api } from '../../lib/api.ts';
import { customerDetailOf } from '../../lib/customer-detail.ts';
import { answered, invoiceInfo } from '../../lib/test-data.ts';
import { writeHp } from '../../lib/visit-storage.ts';
import { socketOpened } from '../../state/connection.ts';
import { invoiceFound, invoiceUnavailable } from '../../state/invoice.ts';
import { applyLive } from '../../state/live-events.ts';
import { vaCreated } from '../../state/non-cash.ts';
import { paymentDone, paymentOnScreen } from '../../state/paid.ts';
import { checkPayment } from '../../state/refresh-invoice.ts';
import { loggedIn } from '../../state/session.ts';
import { endVisit } from '../../state/session-end.ts';
import { storeWith } from '../../state/test-store.tsx';
import { enterCard, startSale } from '../card/edc-actions.ts';
import { lookUpInvoice } from './lookup.ts';

const VA = { kind: 'va', no_va: '3910700000000042', bank: 'bca', company_code: '', expiry: '' } as const;

test('if a sale of the invoice is unknown, the look-up leads back to the card screen and offers no other method', async () => {
	writeHp('0812');
	const { store } = storeWith();
	const method: SaleMethod = 'card';
	const terminal = (state: EdcState) => store.dispatch(applyLive({ type: 'kiosk_edc', state }));
	const sale = (phase: SalePhase) =>
		store.dispatch(applyLive({ type: 'kiosk_edc_sale', id: 42, attempt_id: 'a', phase, amount: rupiah(137_500), method }));
	store.dispatch(loggedIn({ token: 'outlet-token', development: false }));
	store.dispatch(socketOpened());
	terminal('ready');
	await store.dispatch(enterCard(method, new AbortController().signal));
	store.dispatch(startSale());
	sale('sent');
	sale('acked');
	sale('unknown');
	terminal('unresolved');
	store.dispatch(endVisit());
	writeHp('0812');
	const next = () => store.dispatch(lookUpInvoice(new AbortController().signal));
	expect(await next()).toBe('card');
	sale('declined');
	expect(await next()).toBe('choose');
});

test('if a phone number has a next invoice, the payment of the previous invoice does not count for it', async () => {
	writeHp('0812');
	const { store } = storeWith({ invoiceInfo: async () => answered(invoiceInfo({ id: 43, noinvoice: 'INV/43' })) });
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo())));
	store.dispatch(paymentDone({ id: '42', how: 'fresh' }));
	expect(paymentOnScreen(store.getState())).toMatchObject({ id: '42' });
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo({ id: 43 }))));
	expect(paymentOnScreen(store.getState())).toBeNull();
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo())));
	store.dispatch(vaCreated(VA));
	expect(await store.dispatch(lookUpInvoice(new AbortController().signal))).toBe('choose');
	expect(store.getState().nonCash.created).toBeNull();
	expect(store.getState().invoice.detail?.id).toBe(43);
});

test('the next invoice of a phone number does not get the virtual account of the previous one, even if a look-up failed in between', async () => {
	writeHp('0812');
	const next = answered(invoiceInfo({ id: 43, noinvoice: 'INV/43' }));
	const answers: Awaited<ReturnType<Api['invoiceInfo']>>[] = [answered(invoiceInfo()), { ok: false, status: 502, message: null }, next];
	const { store } = storeWith({ invoiceInfo: async () => answers.shift() ?? next });
	const lookUp = () => store.dispatch(lookUpInvoice(new AbortController().signal));
	await lookUp();
	store.dispatch(vaCreated(VA));
	expect(await lookUp()).toBe('stay');
	expect(store.getState().nonCash.created).toEqual(VA);
	expect(await lookUp()).toBe('choose');
	expect(store.getState().invoice.detail?.id).toBe(43);
	expect(store.getState().nonCash.created).toBeNull();
});

test('after a failed look-up, a late answer to a payment check does not switch the screen to the next invoice of the phone number', async () => {
	writeHp('0812');
	const { store } = storeWith({ invoiceInfo: async () => answered(invoiceInfo({ id: 43, noinvoice: 'INV/43' })) });
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo())));
	store.dispatch(vaCreated(VA));
	const checking = store.dispatch(checkPayment());
	store.dispatch(invoiceUnavailable({ kind: 'trouble', message: null, waitMs: null }));
	expect(await checking).toBe(false);
	expect(store.getState().invoice.detail).toBeNull();
});

test('if an invoice is paid while its look-up fails, the screen shows it as just paid', async () => {
	writeHp('0812');
	const paid = answered(invoiceInfo({ is_paid: true }));
	const answers: Awaited<ReturnType<Api['invoiceInfo']>>[] = [answered(invoiceInfo()), { ok: false, status: 502, message: null }];
	const { store } = storeWith({ invoiceInfo: async () => answers.shift() ?? paid });
	for (const _ of ['unpaid', 'failed', 'paid']) await store.dispatch(lookUpInvoice(new AbortController().signal));
	expect(paymentOnScreen(store.getState())).toMatchObject({ id: '42', how: 'fresh' });
});

test('the next invoice of a phone number is recognised by its invoice number, even if it has the same id', async () => {
	writeHp('0812');
	const { store } = storeWith({ invoiceInfo: async () => answered(invoiceInfo({ noinvoice: 'INV/NEW' })) });
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo())));
	store.dispatch(vaCreated(VA));
	store.dispatch(applyLive({ type: 'payment_notification', id: 42, is_paid: true }));
	expect(await store.dispatch(checkPayment())).toBe(false);
	expect(store.getState().invoice.detail?.noinvoice).toBe('INV/42');
	expect(paymentOnScreen(store.getState())).toMatchObject({ id: '42', how: 'fresh' });
	expect(await store.dispatch(lookUpInvoice(new AbortController().signal))).toBe('choose');
	expect(paymentOnScreen(store.getState())).toBeNull();
	expect(store.getState().nonCash.created).toBeNull();
});

test('if an answer contains no invoice number, the visit does not end', async () => {
	writeHp('0812');
	const { store } = storeWith({ invoiceInfo: async () => answered(invoiceInfo({ noinvoice: '' })) });
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo())));
	store.dispatch(vaCreated(VA));
	await store.dispatch(lookUpInvoice(new AbortController().signal));
	expect(store.getState().nonCash.created).toEqual(VA);
});
