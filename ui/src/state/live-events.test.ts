// @vitest-environment happy-dom

import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import { customerDetailOf } from '../lib/customer-detail.ts';
import type { Live } from '../lib/live.ts';
import { fakeApi, invoiceInfo } from '../lib/test-data.ts';
import { machineAsked } from './cash.ts';
import { invoiceFound } from './invoice.ts';
import { applyLive, keepConnected } from './live-events.ts';
import { paymentOnScreen } from './paid.ts';
import { makeStore } from './store.ts';
import { storeWith } from './test-store.tsx';

function paying() {
	const { store } = storeWith();
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo())));
	store.dispatch(machineAsked({ id: 42, known: [] }));
	return store;
}
const cashNote = (id: string | number, note_id = 'n1') =>
	({ type: 'payment_cash_notification', id, note_id, nominal: rupiah(50_000), time: '' }) as const;

test('a note counts only for the payment with the same id, no matter whether the id is a string or a number', () => {
	const store = paying();
	store.dispatch(applyLive(cashNote('7')));
	expect(store.getState().cash.entries).toHaveLength(0);
	store.dispatch(applyLive(cashNote('42')));
	store.dispatch(applyLive(cashNote(42)));
	expect(store.getState().cash.entries).toHaveLength(1);
});

test('if a sale of an earlier invoice with the same id is approved, the invoice on the screen does not count as paid', () => {
	const { store } = storeWith();
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo({ noinvoice: 'INV/NEW' }))));
	const sale = { type: 'kiosk_edc_sale', id: 42, attempt_id: 'a', phase: 'approved', amount: rupiah(310_000), method: 'card' } as const;
	store.dispatch(applyLive({ ...sale, noinvoice: 'INV/OLD' }));
	store.dispatch(applyLive({ type: 'payment_notification', id: 42, is_paid: true, noinvoice: 'INV/OLD' }));
	expect([store.getState().paid.payment, store.getState().edc.lastSale]).toEqual([null, null]);
	store.dispatch(applyLive({ ...sale, noinvoice: 'INV/NEW' }));
	expect(store.getState().paid.payment).toEqual({ id: '42', noinvoice: 'INV/NEW', how: 'fresh' });
});

test('if an earlier invoice with the same id was paid twice, the next customer does not see this', () => {
	const { store } = storeWith();
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo({ noinvoice: 'INV/NEW' }))));
	const twice = { type: 'kiosk_paid_twice', id: 42, twice: rupiah(137_500) } as const;
	store.dispatch(applyLive({ ...twice, noinvoice: 'INV/OLD' }));
	expect(store.getState().alert.show).toBe(false);
	store.dispatch(applyLive({ ...twice, noinvoice: 'INV/NEW' }));
	expect(store.getState().alert).toMatchObject({ show: true, text: expect.stringContaining('Rp 137.500') });
});

test('[spec 4.12] payment_notification shows the paid screen only if it reports this payment as paid', () => {
	const store = paying();
	store.dispatch(applyLive({ type: 'payment_notification', id: 7, is_paid: true }));
	store.dispatch(applyLive({ type: 'payment_notification', id: 42, is_paid: false }));
	expect(store.getState().paid.payment).toBeNull();
	store.dispatch(applyLive({ type: 'payment_notification', id: '42', is_paid: true }));
	expect(store.getState().paid.payment).toEqual({ id: '42', how: 'fresh' });
});

test('if a note is returned while no payment is open, an alert is shown', () => {
	const { store } = storeWith();
	store.dispatch(applyLive({ type: 'kiosk_note_returned', nominal: rupiah(50_000), reason: 'no_session' }));
	expect(store.getState().alert).toMatchObject({ show: true, color: 'warning' });
	expect(store.getState().alert.text).toContain('ambil uang Anda');
});

test('if a note of an earlier payment comes in doubt, it is shown with its reference', () => {
	const { store } = storeWith();
	store.dispatch(applyLive({ type: 'kiosk_note_in_doubt', id: 42, note_id: '7f3a9c2e-1111', nominal: rupiah(100_000) }));
	expect(store.getState().alert.text).toContain('21345-47502');
	expect(store.getState().alert.text).toContain('Rp 100.000');
});

test('[spec 7.16, 9.9] the socket reconnects 2 s after a close, and 5 s on the non-cash screen', () => {
	let blockMs = (): number => 0;
	const keep: Live['keep'] = (_, listener) => {
		({ blockMs } = listener);
		return () => undefined;
	};
	makeStore(() => fakeApi().api, { keep, say: () => false }).dispatch(keepConnected('t'));
	expect(blockMs()).toBe(2_000);
	history.pushState(null, '', '/non-cash-payment');
	expect(blockMs()).toBe(5_000);
	history.pushState(null, '', '/cash-payment');
	expect(blockMs()).toBe(2_000);
});

test.each(['unknown', 'approved'] as const)(
	'if the daemon reported a sale as %s before the look-up, the sale does not belong to a later invoice with the same id',
	(phase) => {
		const { store } = storeWith();
		const sale = { type: 'kiosk_edc_sale', id: 42, attempt_id: 'a', phase, amount: rupiah(310_000), method: 'card' } as const;
		store.dispatch(applyLive({ ...sale, noinvoice: 'INV/OLD' }));
		store.dispatch(invoiceFound(customerDetailOf(invoiceInfo({ noinvoice: 'INV/NEW' }))));
		expect(store.getState().edc.lastSale).toBeNull();
		store.dispatch(applyLive({ ...sale, noinvoice: 'INV/NEW' }));
		expect(store.getState().edc.lastSale?.attempt_id).toBe('a');
	},
);

test.each(['payment_notification', 'approved', 'already_paid'] as const)(
	'if a later invoice has the same id, a payment reported by %s counts for it only if the report has no invoice number',
	(heard) => {
		const sale = { type: 'kiosk_edc_sale', id: 42, attempt_id: 'a', amount: rupiah(137_500), method: 'card' } as const;
		const messages = {
			payment_notification: { type: 'payment_notification', id: 42, is_paid: true },
			approved: { ...sale, phase: 'approved' },
			already_paid: { ...sale, phase: 'declined', reason: 'already_paid' },
		} as const;
		const shown = (numbered: { noinvoice?: string }) => {
			const { store } = storeWith();
			store.dispatch(invoiceFound(customerDetailOf(invoiceInfo())));
			store.dispatch(applyLive({ ...messages[heard], ...numbered }));
			const before = paymentOnScreen(store.getState());
			store.dispatch(invoiceFound(customerDetailOf(invoiceInfo({ noinvoice: 'INV/NEW' }))));
			return [before !== null, paymentOnScreen(store.getState()) !== null];
		};
		expect(shown({ noinvoice: 'INV/42' })).toEqual([true, false]);
		expect(shown({})).toEqual([true, true]);
	},
);
