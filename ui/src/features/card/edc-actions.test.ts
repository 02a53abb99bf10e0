// @vitest-environment happy-dom

import type { EdcState, LiveText, SaleMethod, SalePhase } from '@kiosk/contract/live';
import { rupiah } from '@kiosk/contract/money';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Api, ApiFailure } from '../../lib/api.ts';
import { customerDetailOf } from '../../lib/customer-detail.ts';
import { readDetail, writeDetail } from '../../lib/stored-visit.ts';
import { answered, invoiceInfo } from '../../lib/test-data.ts';
import { writeHp } from '../../lib/visit-storage.ts';
import { socketClosed, socketOpened } from '../../state/connection.ts';
import { triedAgain } from '../../state/edc.ts';
import { invoiceFound } from '../../state/invoice.ts';
import { applyLive } from '../../state/live-events.ts';
import { loggedIn } from '../../state/session.ts';
import { endVisit } from '../../state/session-end.ts';
import { storeWith } from '../../state/test-store.tsx';
import { enterCard, startSale } from './edc-actions.ts';

const detail = customerDetailOf(invoiceInfo());
const away = async (): Promise<ApiFailure> => ({ ok: false, status: 502, message: null });

beforeEach(() => {
	sessionStorage.clear();
	writeHp('0812');
});

function card(answers: Partial<Api> = {}) {
	const { store, said } = storeWith(answers);
	store.dispatch(loggedIn({ token: 'outlet-token', development: false }));
	store.dispatch(socketOpened());
	const hear = (text: LiveText) => store.dispatch(applyLive(text));
	const messages = (event: string) =>
		said
			.flatMap(({ message }) => (typeof message === 'object' && 'event' in message ? [message] : []))
			.filter((one) => one.event === event);
	return {
		store,
		hear,
		terminal: (state: EdcState) => hear({ type: 'kiosk_edc', state }),
		sale: (phase: SalePhase, attempt_id = 'a', id: number | string = 42, method: SaleMethod = 'card') =>
			hear({ type: 'kiosk_edc_sale', id, attempt_id, phase, amount: rupiah(137_500), method }),
		respond: (respCode: string, attempt_id: string | null = 'a', more: object = {}) =>
			hear({
				type: 'payment_edc_bca_notification',
				event: 'transaction_response',
				data: { respCode, ...(attempt_id !== null && { attempt_id }), ...more },
			}),
		enter: (method: SaleMethod = 'card') => store.dispatch(enterCard(method, new AbortController().signal)),
		start: () => store.dispatch(startSale()),
		starts: () => messages('start_transaction'),
		approvals: () => messages('transaction_approve'),
		at: () => store.getState().edc.sale.at,
		payment: () => store.getState().paid.payment,
	};
}

/**
 * Starts a sale up to the point where the terminal has acknowledged it and waits for the customer.
 */
async function acting(answers: Partial<Api> = {}) {
	const one = card(answers);
	one.terminal('ready');
	await one.enter();
	one.start();
	one.sale('sent');
	one.sale('acked');
	return one;
}

test('[spec 4.16] a sale is requested once, with the amount and the invoice', async () => {
	const { terminal, enter, start, starts } = card({ invoiceInfo: async () => answered(invoiceInfo({ odoo_id: 'O-7' })) });
	terminal('ready');
	await enter();
	start();
	start();
	expect(starts()).toEqual([
		{
			type: 'payment_edc_bca_notification',
			event: 'start_transaction',
			data: { amount: 137_500, id: 42, odoo_id: 'O-7', noinvoice: 'INV/42', method: 'card' },
		},
	]);
	expect(readDetail()?.id).toBe(42);
});

test('for a QRIS code on the terminal, the sale is requested with the method qris', async () => {
	const { terminal, enter, start, starts } = card();
	terminal('ready');
	await enter('qris');
	start();
	expect(starts()).toMatchObject([{ data: { amount: 137_500, id: 42, method: 'qris' } }]);
});

test('a running sale keeps its method if the card screen is entered again for the other method', async () => {
	const { terminal, sale, enter, start, starts, store } = card();
	terminal('busy');
	sale('acked', 'a', 42, 'qris');
	await enter('card');
	start();
	expect(starts()).toHaveLength(0);
	expect(store.getState().edc).toMatchObject({ method: 'qris', sale: { at: 'acked' } });
});

test('if a card sale is voided while the customer waits for a QRIS code, the QRIS code is still requested', async () => {
	const { terminal, sale, enter, start, starts } = card();
	sale('approved');
	terminal('busy');
	await enter('qris');
	start();
	sale('declined');
	terminal('ready');
	start();
	expect(starts()).toMatchObject([{ data: { method: 'qris' } }]);
});

test('if the daemon reports a void, the voided approval does not count as a payment, even if the look-up fails', async () => {
	writeDetail(detail);
	const { terminal, sale, enter, payment } = card({ invoiceInfo: away });
	terminal('ready');
	sale('approved');
	sale('declined');
	await enter();
	expect(payment()).toBeNull();
});

test('if React runs the effects of entering twice, the screen is entered only once and requests only one sale', async () => {
	const { terminal, enter, start, starts } = card();
	terminal('ready');
	await Promise.all([enter(), enter()]);
	start();
	await enter();
	start();
	expect(starts()).toHaveLength(1);
});

test('no sale is requested before the invoice is known, the socket is open, and the terminal has reported ready since this socket opened', async () => {
	const { store, terminal, enter, start, starts } = card();
	start();
	await enter();
	for (const state of ['starting', 'disconnected', 'busy', 'unresolved', 'journal_unhealthy', 'disk_full'] as const) {
		terminal(state);
		start();
	}
	terminal('ready');
	store.dispatch(socketClosed());
	start();
	store.dispatch(socketOpened());
	start();
	expect(starts()).toHaveLength(0);
	terminal('ready');
	start();
	expect(starts()).toHaveLength(1);
});

test('[spec 4.17, 6.7, 8.14] an approved sale is reported to the back office once with the terminal’s full response, and the invoice is paid', async () => {
	const { respond, approvals, payment } = await acting();
	for (let times = 0; times < 3; times++) respond('00', 'a', { approval: '123456' });
	expect(payment()).toEqual({ id: '42', noinvoice: 'INV/42', how: 'fresh' });
	expect(approvals()).toEqual([
		{
			type: 'payment_edc_bca_notification',
			event: 'transaction_approve',
			data: {
				no_invoice: 'INV/42',
				access_token: 'outlet-token',
				json_success_payment: { respCode: '00', attempt_id: 'a', approval: '123456' },
			},
		},
	]);
});

test('if the message that a sale is approved arrives before the terminal’s response, the invoice is paid once and the sale is reported once', async () => {
	const { sale, respond, approvals, payment } = await acting();
	sale('approved');
	expect(payment()?.how).toBe('fresh');
	respond('00');
	respond('00');
	expect(approvals()).toHaveLength(1);
});

test('[spec 4.18] of three responses without an attempt id only the first is processed', async () => {
	const { respond, approvals, store, at } = await acting();
	respond('51', null);
	respond('51', null);
	respond('00', null);
	expect(at()).toBe('declined');
	expect(store.getState().edc.declines).toBe(1);
	expect(approvals()).toHaveLength(0);
});

test('[spec 4.18] three copies of a decline count once, and a late copy does not end the next sale', async () => {
	const { store, respond, sale, start, starts, at } = await acting();
	for (let times = 0; times < 3; times++) respond('51');
	expect(store.getState().edc.declines).toBe(1);
	store.dispatch(triedAgain());
	start();
	respond('51');
	sale('acked', 'b');
	respond('51');
	expect(at()).toBe('acked');
	expect(starts()).toHaveLength(2);
});

test('an approval of another attempt neither pays nor ends the running sale', async () => {
	const { respond, sale, payment, approvals, at } = await acting();
	respond('00', 'somebody-else');
	sale('approved', 'somebody-else', 7);
	expect(payment()).toBeNull();
	expect(approvals()).toHaveLength(0);
	expect(at()).toBe('acked');
});

test('an approval that arrives before the daemon has named the attempt pays nothing', async () => {
	const { terminal, enter, start, respond, payment } = card();
	terminal('ready');
	await enter();
	start();
	respond('00', 'earlier');
	expect(payment()).toBeNull();
});

test('an unknown sale is shown neither as paid nor as failed; a late approval pays the invoice, and a late decline starts no retry', async () => {
	const late = await acting();
	late.sale('unknown');
	expect(late.at()).toBe('unknown');
	expect(late.payment()).toBeNull();
	late.start();
	expect(late.starts()).toHaveLength(1);
	late.respond('00');
	expect(late.payment()?.how).toBe('fresh');
	expect(late.approvals()).toHaveLength(1);
	const declined = await acting();
	declined.sale('unknown');
	declined.respond('51');
	expect(declined.store.getState().edc.sale).toMatchObject({ at: 'declined', next: 'choose' });
});

test('after a reload, the screen resumes the sale that the daemon reports and requests no second sale', async () => {
	writeDetail(detail);
	for (const phase of ['sent', 'acked', 'unknown'] as const) {
		const { terminal, sale, enter, start, starts, at } = card();
		terminal(phase === 'unknown' ? 'unresolved' : 'busy');
		sale(phase);
		await enter();
		start();
		expect(starts()).toHaveLength(0);
		expect(at()).toBe(phase);
	}
});

const paid = { id: '42', noinvoice: 'INV/42', how: 'fresh' };

test('if the approval of a sale is reported during the look-up after a reload, the invoice is shown as paid', async () => {
	const { terminal, sale, enter, payment } = card();
	terminal('ready');
	sale('acked');
	const entering = enter();
	sale('approved');
	await entering;
	expect(payment()).toEqual(paid);
});

test.each([
	['fails', away],
	['gets no answer', () => new Promise<never>(() => {})],
])('if the look-up after a reload %s, a sale that was approved before is shown as paid', async (_how, lookUp) => {
	vi.useFakeTimers();
	onTestFinished(() => void vi.useRealTimers());
	writeDetail(detail);
	const { terminal, sale, enter, payment } = card({ invoiceInfo: lookUp });
	terminal('ready');
	sale('approved');
	const entering = enter();
	await vi.advanceTimersByTimeAsync(5_000);
	await entering;
	expect(payment()).toEqual(paid);
});

test('if an approved sale was voided before the customer enters the card screen, the invoice is not shown as paid and can be paid by card', async () => {
	const { terminal, sale, enter, payment, start, starts } = card();
	terminal('ready');
	sale('approved');
	await enter();
	expect(payment()).toBeNull();
	start();
	expect(starts()).toHaveLength(1);
	sale('acked', 'b');
	sale('approved', 'b');
	expect(payment()?.how).toBe('fresh');
});

test('an answer that the daemon could not correct by its journal does not outweigh an approval', async () => {
	const { terminal, sale, enter, payment } = card({ invoiceInfo: async () => answered(invoiceInfo({ kiosk_uncorrected: true })) });
	terminal('ready');
	sale('approved');
	await enter();
	expect(payment()?.how).toBe('fresh');
});

test.each([
	[137_500, null],
	[200_000, 'fresh'],
])('if the total at the approval was %i and an uncorrected answer says 200,000, the invoice is shown as paid: %s', async (total, how) => {
	const { hear, terminal, enter, payment } = card({
		invoiceInfo: async () => answered(invoiceInfo({ kiosk_uncorrected: true, total: 200_000 })),
	});
	terminal('ready');
	const covered = { paid: true, due: rupiah(0), total: rupiah(total) };
	hear({ type: 'kiosk_edc_sale', id: 42, attempt_id: 'a', phase: 'approved', amount: rupiah(137_500), method: 'card', ...covered });
	await enter();
	expect(payment()?.how ?? null).toBe(how);
});

test('if a sale that paid only a part of a grown invoice is voided, the customer learns that the card was not charged', async () => {
	const { hear, sale, at } = await acting();
	const rest = { paid: false, due: rupiah(50_000) };
	hear({ type: 'kiosk_edc_sale', id: 42, attempt_id: 'a', phase: 'approved', amount: rupiah(137_500), method: 'card', ...rest });
	expect(at()).toBe('short');
	sale('declined');
	expect(at()).toBe('declined');
});

test('if the socket is lost while the terminal has the request, the sale continues', async () => {
	const { store, terminal, sale, respond, start, starts, payment } = await acting();
	store.dispatch(socketClosed());
	start();
	store.dispatch(socketOpened());
	terminal('busy');
	sale('acked');
	start();
	respond('00');
	expect(starts()).toHaveLength(1);
	expect(payment()?.how).toBe('fresh');
});

test('if the back office reports an invoice as paid, no sale is requested; if the daemon refuses a sale because the invoice is paid, the invoice is shown as paid', async () => {
	const before = card({ invoiceInfo: async () => answered(invoiceInfo({ is_paid: true })) });
	before.terminal('ready');
	await before.enter();
	before.start();
	expect(before.starts()).toHaveLength(0);
	expect(before.payment()?.how).toBe('before');
	const refused = card();
	refused.terminal('ready');
	await refused.enter();
	refused.start();
	refused.hear({
		type: 'kiosk_edc_sale',
		id: 42,
		attempt_id: '',
		phase: 'declined',
		amount: rupiah(137_500),
		method: 'card',
		reason: 'already_paid',
	});
	expect(refused.payment()?.how).toBe('before');
});

test('a card sale is refused when the invoice already has cash payments', async () => {
	const { terminal, enter, start, starts, store } = card({
		invoiceInfo: async () => answered(invoiceInfo({ list_pembayaran: [{ nominal: 50_000, tanggal: '' }] })),
	});
	terminal('ready');
	await enter();
	start();
	expect(starts()).toHaveLength(0);
	expect(store.getState().edc.sale).toEqual({ at: 'refused', reason: 'cash_inside' });
});

test('[spec 8.8] after a failed look-up, the card screen opens only if the invoice is stored', async () => {
	writeDetail(detail);
	expect(await card({ invoiceInfo: away }).enter()).toBe(true);
	sessionStorage.removeItem('customerDetail');
	expect(await card({ invoiceInfo: away }).enter()).toBe(false);
});

test('if the look-up is answered only after the customer has left, no sale is requested', async () => {
	const { store, terminal, start, starts } = card();
	terminal('ready');
	const leaving = new AbortController();
	const entering = store.dispatch(enterCard('card', leaving.signal));
	leaving.abort();
	store.dispatch(endVisit());
	store.dispatch(invoiceFound(customerDetailOf(invoiceInfo({ id: 43 }))));
	await entering;
	start();
	expect(starts()).toHaveLength(0);
});

test('if an approval did not cover the whole invoice, the invoice is not shown as paid, even if the card screen is entered again', async () => {
	const { hear, enter, payment, at } = await acting();
	hear({
		type: 'kiosk_edc_sale',
		id: 42,
		attempt_id: 'a',
		phase: 'approved',
		amount: rupiah(137_500),
		method: 'card',
		paid: false,
		due: rupiah(50_000),
	});
	expect([at(), payment()]).toEqual(['short', null]);
	await enter();
	expect(payment()).toBeNull();
});
