import { randomUUID } from 'node:crypto';
import { rupiah } from '@kiosk/contract/money';
import { describe, expect, test, vi } from 'vitest';
import { ACCOUNT, keyOf, paidBy, paymentOf } from '../journal/payment.fixture.ts';
import { invoiceOf, TOTAL } from './card-machine.fixture.ts';
import { cardFixtureOfEachTest, fixture, sale, useCardFixture } from './card-steps.fixture.ts';

cardFixtureOfEachTest();

describe('a sale', () => {
	test('a sale writes its intent before the request, and its outcome before the acknowledgement and the messages', () => {
		const order: string[] = [];
		fixture.onWrite = (when, { kind }) => void (when === 'after' && order.push(kind));
		fixture.onRequest = (_, { type }) => void order.push(type);
		fixture.start().ack().answer();
		expect(order).toEqual(['card_sale', 'sale', 'card_outcome']);
		expect(fixture.acknowledged).toEqual(['approved']);
		expect(fixture.phases()).toEqual(['sent', 'acked', 'approved']);
		expect(fixture.responses()).toMatchObject([
			{ respCode: '00', attempt_id: fixture.id, retry: false, amount: TOTAL, masked_pan: '************3367' },
		]);
		expect(fixture.relayed).toBe(1);
		expect(paidBy(fixture.journal, 7)).toBe('kiosk');
		expect(fixture.state()).toBe('ready');
	});

	test('a sale sends one transaction_response, which contains no card data except the masked number', () => {
		fixture.start().ack().answer();
		expect(fixture.responses()).toHaveLength(1);
		expect(Object.keys(fixture.responses()[0] ?? {}).sort()).toEqual(
			[
				...['respCode', 'attempt_id', 'id', 'retry', 'type', 'amount', 'masked_pan', 'rrn', 'approval', 'date', 'time'],
				...['merchant_id', 'terminal_id', 'invoice', 'batch', 'issuer_id'],
			].sort(),
		);
	});

	test.each([
		['51', true],
		['55', true],
		['TO', true],
		['CE', true],
		['S3', true],
		['P3', false],
		['PT', false],
		['PS', false],
		['TN', false],
	])('[spec 8.15, 8.16] a sale declined with %s may be retried: %s; the next sale is attempt 2', (code, retry) => {
		fixture.start().ack().answer({ code });
		expect(fixture.responses()).toMatchObject([{ respCode: code, retry }]);
		expect(fixture.phases().at(-1)).toBe('declined');
		expect(fixture.acknowledged).toEqual(['declined']);
		expect(fixture.start().sale()).toMatchObject({ state: 'sent', attempt: 2 });
		expect(fixture.requests).toHaveLength(2);
	});

	test('a declined sale may be retried only if its code is in retry_codes', () => {
		useCardFixture({ retryCodes: new Set(['55']) });
		fixture.start().answer({ code: '55' }).start().answer({ code: '51' });
		expect(fixture.responses()).toMatchObject([{ retry: true }, { retry: false }]);
	});

	test('if an exception interrupts a sale after its intent is on disk, the sale holds the invoice and is unknown after a restart', () => {
		fixture.onRequest = () => expect.fail('the driver is broken');
		expect(() => fixture.start()).toThrow('the driver is broken');
		fixture.onRequest = () => {};
		fixture.start();
		expect([fixture.requests.length, fixture.state(), fixture.desk.isHolding(paymentOf(7))]).toEqual([1, 'busy', true]);
		fixture.restart();
		expect([fixture.sale()?.state, fixture.state(), fixture.desk.isHolding(paymentOf(7))]).toEqual(['unknown', 'unresolved', true]);
	});

	test('a sale that the screen requests again, before or after the answer, is still one sale', () => {
		fixture.start().start().ack().start();
		expect(fixture.phases()).toEqual(['sent', 'sent', 'acked', 'acked']);
		fixture.answer().start();
		expect(fixture.requests).toHaveLength(1);
		expect(fixture.phases().at(-1)).toBe('approved');
		expect(fixture.paid()).toEqual([7]);
	});

	test('a sale that was not begun may be requested again', () => {
		fixture.start().report({ kind: 'not_begun', request_id: fixture.id, why: 'the line is closed' });
		expect(fixture.sale()?.state).toBe('not_begun');
		expect(fixture.phases()).toEqual(['sent', 'not_ready']);
		fixture.start().answer();
		expect(fixture.sale()).toMatchObject({ state: 'approved', attempt: 2 });
	});

	test.each([
		['that has grown since the request pays only its own amount, and the screen gets the amount still due', 50_000, false],
		['that kept its total pays the whole invoice', 0, true],
	])('a sale of an invoice %s', (_, grown, paid) => {
		fixture.start().ack();
		fixture.invoices.lookedUp({ ...paymentOf(7), total: rupiah(TOTAL + grown) });
		fixture.answer();
		const covered = { due: grown, paid };
		const answer = fixture.told.find((text) => text.type === 'payment_edc_bca_notification');
		expect(answer).toMatchObject({ data: { respCode: '00' }, ...covered });
		expect(fixture.told.at(-1)).toMatchObject({ type: 'kiosk_edc_sale', phase: 'approved', amount: TOTAL, ...covered });
		expect([fixture.paid(), fixture.desk.greeting().length]).toEqual([[], paid ? 3 : 1]);
	});

	test('after an approval the invoice is looked up before the screen gets the approval, and a grown invoice is not reported as paid', async () => {
		fixture.start().ack();
		fixture.isFresh = false;
		fixture.answer();
		// The invoice grows before the look-up is answered.
		fixture.invoices.lookedUp({ ...paymentOf(7), total: rupiah(TOTAL + 50_000) });
		expect([fixture.phases().at(-1), fixture.invoices.refreshed]).toEqual(['acked', ['INV/7']]);
		await vi.advanceTimersByTimeAsync(0);
		expect(fixture.told.at(-1)).toMatchObject({ type: 'kiosk_edc_sale', phase: 'approved', paid: false, due: 50_000 });
		expect(fixture.paid()).toEqual([]);
	});

	/**
	 * Makes the invoice grow by 50,000. @returns a function that lets the back office answer the next
	 * look-up
	 */
	const growing = (): (() => Promise<unknown>) => {
		const answers: (() => void)[] = [];
		fixture.invoices.refresh = (payment) => {
			fixture.invoices.refreshed.push(payment.noinvoice);
			return new Promise((resolve) => {
				answers.push(() => {
					fixture.invoices.lookedUp({ ...payment, total: rupiah(TOTAL + 50_000) });
					resolve('answered');
				});
			});
		};
		fixture.isFresh = false;
		fixture.restart();
		return () => {
			answers.shift()?.();
			return vi.advanceTimersByTimeAsync(0);
		};
	};

	test('a screen that connects while the invoice is looked up does not get the approval yet', async () => {
		const answerLookUp = growing();
		fixture.start().ack().answer();
		expect(fixture.desk.greeting().map((text) => text.type)).toEqual(['kiosk_edc']);
		await answerLookUp();
		expect(fixture.told.at(-1)).toMatchObject({ phase: 'approved', paid: false, due: 50_000 });
		expect(fixture.paid()).toEqual([]);
	});

	test('if the invoice has grown, a screen that connects later does not get the approval', async () => {
		fixture.start().ack().answer();
		const answerLookUp = growing();
		expect(fixture.desk.greeting().map((text) => text.type)).toEqual(['kiosk_edc']);
		expect(fixture.desk.greeting().map((text) => text.type)).toEqual(['kiosk_edc']);
		expect(fixture.invoices.refreshed).toEqual(['INV/7']);
		fixture.told = [];
		await answerLookUp();
		expect(fixture.told).toEqual([]);
		expect(fixture.desk.greeting().map((text) => text.type)).toEqual(['kiosk_edc']);
	});

	test('if the invoice is still paid, a screen that connects later gets the approval', async () => {
		fixture.start().ack().answer();
		fixture.isFresh = false;
		fixture.restart();
		fixture.told = [];
		fixture.desk.greeting();
		await vi.advanceTimersByTimeAsync(0);
		expect(fixture.told).toMatchObject([{ type: 'kiosk_edc_sale', phase: 'approved', paid: true }, { type: 'payment_notification' }]);
	});

	test('a sale that becomes unknown during the look-up for a connecting screen is reported as unknown, not as paid', async () => {
		fixture.start().ack().answer();
		const answerLookUp = growing();
		fixture.desk.greeting();
		const sale = fixture.sale() ?? expect.fail('no sale');
		const voided = fixture.desk.carryOut({ action: 'void', sale, by: 'Sari', why: 'wrong bike' });
		fixture.silent();
		await voided;
		expect(fixture.sale()?.state).toBe('unknown');
		fixture.told = [];
		await answerLookUp();
		// The void and the connecting screen each cause a report.
		expect([fixture.phases(), fixture.paid()]).toEqual([['unknown', 'unknown'], []]);
	});

	test('if an invoice has grown, a repeated request for its sale is not answered with "paid"', async () => {
		fixture.start().answer();
		const answerLookUp = growing();
		fixture.start();
		await answerLookUp();
		expect(fixture.told.at(-1)).toMatchObject({ phase: 'approved', paid: false, due: 50_000 });
		expect(fixture.paid()).toEqual([]);
	});

	test('an approval during the look-up of another invoice starts a separate look-up', async () => {
		const answerLookUp = growing();
		fixture.start().ack().answer();
		fixture.lookedUp = invoiceOf(8);
		fixture.start().ack().answer();
		await answerLookUp();
		expect(fixture.invoices.refreshed).toEqual(['INV/7', 'INV/8']);
		await answerLookUp();
		expect(fixture.told.at(-1)).toMatchObject({ id: 8, phase: 'approved', paid: false, due: 50_000 });
	});

	test('if a later invoice has the same id, a connecting screen gets no "paid" message about the earlier invoice', () => {
		fixture.start().answer();
		expect(fixture.desk.greeting()).toHaveLength(3);
		fixture.lookedUp = invoiceOf(7, { noinvoice: 'INV/7-B' });
		fixture.start({ method: 'card' });
		fixture.report({ kind: 'not_begun', request_id: fixture.id, why: 'the line is closed' });
		expect(fixture.desk.greeting().some((text) => text.type === 'payment_notification')).toBe(false);
	});

	test('a sale requested without an invoice id belongs to the looked-up invoice with the same total', () => {
		fixture.start({ id: undefined }).answer();
		expect(fixture.sale()).toMatchObject({ state: 'approved', payment: { id: 7, noinvoice: 'INV/7' } });
	});
});

describe('a sale is refused without a request to the terminal, with the reason', () => {
	const refused = (reason: string) => {
		expect(fixture.phases()).toEqual([reason]);
		expect(fixture.requests).toEqual([]);
		expect(fixture.sale()).toBeNull();
	};

	test.each([
		['no_invoice', () => fixture.start({ id: 8 })],
		['no_invoice', () => fixture.start({ id: undefined, amount: rupiah(1_000) })],
		['no_invoice', () => fixture.start({ noinvoice: 'INV/earlier' })],
		['bad_amount', () => fixture.start({ amount: rupiah(0) })],
		['bad_amount', () => fixture.start({ amount: rupiah(TOTAL + 1) })],
		['bad_amount', () => fixture.start({ amount: rupiah(TOTAL - 1) })],
	])('%s, when the request does not match the invoice on the screen', (reason, act) => {
		act();
		refused(reason);
	});

	test('already_paid, and the screen gets a "paid" message', () => {
		fixture.lookedUp = invoiceOf(7, { is_paid: true });
		fixture.start();
		refused('already_paid');
		expect(fixture.paid()).toEqual([7]);
	});

	test('not_ready, while the terminal is disconnected', () => {
		fixture.report({ kind: 'state', state: 'disconnected' });
		fixture.start();
		refused('not_ready');
	});

	test('journal, while the disk is full', () => {
		fixture.trouble = 'disk_full';
		fixture.start();
		refused('journal');
		expect(fixture.state()).toBe('disk_full');
	});

	test('cash_inside, while a note is in flight, and after its credit if the amount is not exactly the amount still due', () => {
		const note_id = randomUUID();
		const payment = { account: ACCOUNT, id: 7, odoo_id: 'SO7', noinvoice: 'INV/7', total: TOTAL };
		fixture.journal.append({ kind: 'cash_intent', note_id, payment, nominal: rupiah(50_000), code: '0x45', time: '' });
		fixture.start();
		refused('cash_inside');
		fixture.journal.append({ kind: 'cash_credit', note_id, late: false });
		fixture.start();
		expect(fixture.phases().at(-1)).toBe('cash_inside');
		fixture.start({ amount: rupiah(TOTAL - 50_000) });
		expect(fixture.requests).toMatchObject([{ request: { type: 'sale', amount: TOTAL - 50_000 } }]);
	});
});

test.each([
	['the invoice is in dispute', { state: 'dispute' }, true],
	['less is due', { due: rupiah(87_500) }, true],
	['the invoice is paid', { state: 'paid', due: rupiah(0) }, true],
	['nothing has changed', {}, false],
] as const)('if %s (%o), a sale that waits for its echo test is withdrawn: %s', (_what, change, isWithdrawn) => {
	fixture.start();
	const balance = { ...fixture.journal.money.balanceOf(keyOf(7)), state: 'open', due: TOTAL, ...change } as const;
	fixture.desk.onInvoiceChanged(paymentOf(8), { ...balance, state: 'dispute' });
	fixture.desk.onInvoiceChanged(sale().payment ?? expect.fail(), balance);
	expect(fixture.withdrawn).toEqual(isWithdrawn ? [fixture.id] : []);
});
