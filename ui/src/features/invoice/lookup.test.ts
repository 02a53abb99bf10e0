// @vitest-environment happy-dom

import type { EdcState, SaleMethod, SalePhase } from '@kiosk/contract/live';
import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import { customerDetailOf } from '../../lib/customer-detail.ts';
import { answered, invoiceInfo } from '../../lib/test-data.ts';
import { writeHp } from '../../lib/visit-storage.ts';
import { socketOpened } from '../../state/connection.ts';
import { invoiceFound } from '../../state/invoice.ts';
import { applyLive } from '../../state/live-events.ts';
import { vaCreated } from '../../state/non-cash.ts';
import { paymentDone, paymentOnScreen } from '../../state/paid.ts';
import { loggedIn } from '../../state/session.ts';
import { endVisit } from '../../state/session-end.ts';
import { storeWith } from '../../state/test-store.tsx';
import { enterCard, startSale } from '../card/edc-actions.ts';
import { lookUpInvoice } from './lookup.ts';

test('an invoice with an unsettled sale leads back to the card screen and offers no other method', async () => {
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

test('the next invoice of the same number is not paid by the payment of the one before', async () => {
	writeHp('0812');
	const { store } = storeWith({ invoiceInfo: async () => answered(invoiceInfo({ id: 43, noinvoice: 'INV/43' })) });
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo())));
	store.dispatch(paymentDone({ id: '42', how: 'fresh' }));
	expect(paymentOnScreen(store.getState())).toMatchObject({ id: '42' });
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo({ id: 43 }))));
	expect(paymentOnScreen(store.getState())).toBeNull();
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo())));
	const va = { kind: 'va', no_va: '3910700000000042', bank: 'bca', company_code: '', expiry: '' } as const;
	store.dispatch(vaCreated(va));
	expect(await store.dispatch(lookUpInvoice(new AbortController().signal))).toBe('choose');
	expect(store.getState().nonCash.created).toBeNull();
	expect(store.getState().invoice.detail?.id).toBe(43);
});
