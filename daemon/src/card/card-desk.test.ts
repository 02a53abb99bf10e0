import { randomUUID } from 'node:crypto';
import { rupiah } from '@kiosk/contract/money';
import { describe, expect, test, vi } from 'vitest';
import { ACCOUNT, paidBy, paymentOf } from '../journal/payment.fixture.ts';
import { invoiceOf, TOTAL } from './card-machine.fixture.ts';
import { bench, benchOfEachTest, useBench } from './card-steps.fixture.ts';

benchOfEachTest();

describe('a sale', () => {
	test('writes the intent before the request, the outcome before the acknowledgement, and then tells the screen', () => {
		const order: string[] = [];
		bench.onWrite = (when, { kind }) => void (when === 'after' && order.push(kind));
		bench.onRequest = (_, { type }) => void order.push(type);
		bench.start().ack().answer();
		expect(order).toEqual(['card_sale', 'sale', 'card_outcome']);
		expect(bench.acknowledged).toEqual(['approved']);
		expect(bench.phases()).toEqual(['sent', 'acked', 'approved']);
		expect(bench.responses()).toMatchObject([
			{ respCode: '00', attempt_id: bench.id, retry: false, amount: TOTAL, masked_pan: '************3367' },
		]);
		expect(bench.relayed).toBe(1);
		expect(paidBy(bench.journal, 7)).toBe('kiosk');
		expect(bench.state()).toBe('ready');
	});

	test('sends the transaction_response once and without card digits beyond the mask', () => {
		bench.start().ack().answer();
		expect(bench.responses()).toHaveLength(1);
		expect(Object.keys(bench.responses()[0] ?? {}).sort()).toEqual(
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
	])('[spec 8.15, 8.16] declined with %s may be retried: %s; the next sale is attempt 2', (code, retry) => {
		bench.start().ack().answer({ code });
		expect(bench.responses()).toMatchObject([{ respCode: code, retry }]);
		expect(bench.phases().at(-1)).toBe('declined');
		expect(bench.acknowledged).toEqual(['declined']);
		expect(bench.start().sale()).toMatchObject({ state: 'sent', attempt: 2 });
		expect(bench.requests).toHaveLength(2);
	});

	test('only the codes in retry_codes are retried', () => {
		useBench({ retryCodes: new Set(['55']) });
		bench.start().answer({ code: '55' }).start().answer({ code: '51' });
		expect(bench.responses()).toMatchObject([{ retry: true }, { retry: false }]);
	});

	test('that breaks off with an exception after its intent is on disk holds the invoice, and is unknown after a restart', () => {
		bench.onRequest = () => expect.fail('the driver is broken');
		expect(() => bench.start()).toThrow('the driver is broken');
		bench.onRequest = () => {};
		bench.start();
		expect([bench.requests.length, bench.state(), bench.desk.isHolding(paymentOf(7))]).toEqual([1, 'busy', true]);
		bench.restart();
		expect([bench.sale()?.state, bench.state(), bench.desk.isHolding(paymentOf(7))]).toEqual(['unknown', 'unresolved', true]);
	});

	test('requested again before or after its answer is still one sale', () => {
		bench.start().start().ack().start();
		expect(bench.phases()).toEqual(['sent', 'sent', 'acked', 'acked']);
		bench.answer().start();
		expect(bench.requests).toHaveLength(1);
		expect(bench.phases().at(-1)).toBe('approved');
		expect(bench.paid()).toEqual([7]);
	});

	test('a sale that was not begun may be requested again', () => {
		bench.start().report({ kind: 'not_begun', request_id: bench.id, why: 'the line is closed' });
		expect(bench.sale()?.state).toBe('not_begun');
		expect(bench.phases()).toEqual(['sent', 'not_ready']);
		bench.start().answer();
		expect(bench.sale()).toMatchObject({ state: 'approved', attempt: 2 });
	});

	test.each([
		['that has grown since pays only the amount of the sale: the screen is told what is still due', 50_000, false],
		['that kept its total pays the whole invoice', 0, true],
	])('of an invoice %s', (_, grown, paid) => {
		bench.start().ack();
		bench.invoices.lookedUp({ ...paymentOf(7), total: rupiah(TOTAL + grown) });
		bench.answer();
		const covered = { due: grown, paid };
		const answer = bench.told.find((text) => text.type === 'payment_edc_bca_notification');
		expect(answer).toMatchObject({ data: { respCode: '00' }, ...covered });
		expect(bench.told.at(-1)).toMatchObject({ type: 'kiosk_edc_sale', phase: 'approved', amount: TOTAL, ...covered });
		expect([bench.paid(), bench.desk.greeting().length]).toEqual([[], paid ? 3 : 1]);
	});

	test('the invoice of an approved sale, which may have grown, is looked up before the screen is told that it is paid', async () => {
		bench.start().ack();
		bench.isFresh = false;
		bench.answer();
		// The answer to the look-up has a larger total.
		bench.invoices.lookedUp({ ...paymentOf(7), total: rupiah(TOTAL + 50_000) });
		expect([bench.phases().at(-1), bench.invoices.refreshed]).toEqual(['acked', ['INV/7']]);
		await vi.advanceTimersByTimeAsync(0);
		expect(bench.told.at(-1)).toMatchObject({ type: 'kiosk_edc_sale', phase: 'approved', paid: false, due: 50_000 });
		expect(bench.paid()).toEqual([]);
	});

	/**
	 * The back office answers each look-up when the test calls the function, with 50,000 more to
	 * pay.
	 */
	const growing = (): (() => Promise<unknown>) => {
		const answers: (() => void)[] = [];
		bench.invoices.refresh = (payment) => {
			bench.invoices.refreshed.push(payment.noinvoice);
			return new Promise((resolve) => {
				answers.push(() => {
					bench.invoices.lookedUp({ ...payment, total: rupiah(TOTAL + 50_000) });
					resolve('answered');
				});
			});
		};
		bench.isFresh = false;
		bench.restart();
		return () => {
			answers.shift()?.();
			return vi.advanceTimersByTimeAsync(0);
		};
	};

	test('a screen that connects while the invoice is looked up does not get the approval yet', async () => {
		const answerLookUp = growing();
		bench.start().ack().answer();
		expect(bench.desk.greeting().map((text) => text.type)).toEqual(['kiosk_edc']);
		await answerLookUp();
		expect(bench.told.at(-1)).toMatchObject({ phase: 'approved', paid: false, due: 50_000 });
		expect(bench.paid()).toEqual([]);
	});

	test('a screen that connects later gets the approval after a look-up, as the invoice may have grown', async () => {
		bench.start().ack().answer();
		const answerLookUp = growing();
		expect(bench.desk.greeting().map((text) => text.type)).toEqual(['kiosk_edc']);
		expect(bench.desk.greeting().map((text) => text.type)).toEqual(['kiosk_edc']);
		expect(bench.invoices.refreshed).toEqual(['INV/7']);
		bench.told = [];
		await answerLookUp();
		expect(bench.told).toEqual([]);
		expect(bench.desk.greeting().map((text) => text.type)).toEqual(['kiosk_edc']);
	});

	test('a screen that connects later gets the approval of an invoice that is still paid', async () => {
		bench.start().ack().answer();
		bench.isFresh = false;
		bench.restart();
		bench.told = [];
		bench.desk.greeting();
		await vi.advanceTimersByTimeAsync(0);
		expect(bench.told).toMatchObject([{ type: 'kiosk_edc_sale', phase: 'approved', paid: true }, { type: 'payment_notification' }]);
	});

	test('a sale that becomes unknown during the look-up for a connecting screen is reported as unknown, not as paid', async () => {
		bench.start().ack().answer();
		const answerLookUp = growing();
		bench.desk.greeting();
		const sale = bench.sale() ?? expect.fail('no sale');
		const voided = bench.desk.carryOut({ action: 'void', sale, by: 'Sari', why: 'wrong bike' });
		bench.silent();
		await voided;
		expect(bench.sale()?.state).toBe('unknown');
		bench.told = [];
		await answerLookUp();
		expect([bench.phases(), bench.paid()]).toEqual([['unknown'], []]);
	});

	test('a sale that the screen asks for again is reported as paid only if its invoice has not grown since', async () => {
		bench.start().answer();
		const answerLookUp = growing();
		bench.start();
		await answerLookUp();
		expect(bench.told.at(-1)).toMatchObject({ phase: 'approved', paid: false, due: 50_000 });
		expect(bench.paid()).toEqual([]);
	});

	test('an approval during the look-up of another invoice starts a separate look-up', async () => {
		const answerLookUp = growing();
		bench.start().ack().answer();
		bench.lookedUp = invoiceOf(8);
		bench.start().ack().answer();
		await answerLookUp();
		expect(bench.invoices.refreshed).toEqual(['INV/7', 'INV/8']);
		await answerLookUp();
		expect(bench.told.at(-1)).toMatchObject({ id: 8, phase: 'approved', paid: false, due: 50_000 });
	});

	test('a screen that shows a later invoice with the same id does not get the sale', () => {
		bench.start().answer();
		expect(bench.desk.greeting()).toHaveLength(3);
		bench.lookedUp = invoiceOf(7, { noinvoice: 'INV/7-B' });
		bench.start({ method: 'card' });
		bench.report({ kind: 'not_begun', request_id: bench.id, why: 'the line is closed' });
		expect(bench.desk.greeting().some((text) => text.type === 'payment_notification')).toBe(false);
	});

	test('requested by a screen that names no invoice belongs to the looked-up invoice with the same total', () => {
		bench.start({ id: undefined }).answer();
		expect(bench.sale()).toMatchObject({ state: 'approved', payment: { id: 7, noinvoice: 'INV/7' } });
	});
});

describe('a sale is refused without a request to the terminal, with the reason', () => {
	const refused = (reason: string) => {
		expect(bench.phases()).toEqual([reason]);
		expect(bench.requests).toEqual([]);
		expect(bench.sale()).toBeNull();
	};

	test.each([
		['no_invoice', () => bench.start({ id: 8 })],
		['no_invoice', () => bench.start({ id: undefined, amount: rupiah(1_000) })],
		['no_invoice', () => bench.start({ noinvoice: 'INV/earlier' })],
		['bad_amount', () => bench.start({ amount: rupiah(0) })],
		['bad_amount', () => bench.start({ amount: rupiah(TOTAL + 1) })],
		['bad_amount', () => bench.start({ amount: rupiah(TOTAL - 1) })],
	])('%s, when the request does not match the invoice on the screen', (reason, act) => {
		act();
		refused(reason);
	});

	test('already_paid, and the screen is told that the invoice is paid', () => {
		bench.lookedUp = invoiceOf(7, { is_paid: true });
		bench.start();
		refused('already_paid');
		expect(bench.paid()).toEqual([7]);
	});

	test('not_ready, while the terminal is disconnected', () => {
		bench.report({ kind: 'state', state: 'disconnected' });
		bench.start();
		refused('not_ready');
	});

	test('journal, while the disk is full', () => {
		bench.trouble = 'disk_full';
		bench.start();
		refused('journal');
		expect(bench.state()).toBe('disk_full');
	});

	test('cash_inside, unless the card pays exactly the rest', () => {
		const note_id = randomUUID();
		const payment = { account: ACCOUNT, id: 7, odoo_id: 'SO7', noinvoice: 'INV/7', total: TOTAL };
		bench.journal.append({ kind: 'cash_intent', note_id, payment, nominal: rupiah(50_000), code: '0x45', time: '' });
		bench.start();
		refused('cash_inside');
		bench.journal.append({ kind: 'cash_credit', note_id, late: false });
		bench.start();
		expect(bench.phases().at(-1)).toBe('cash_inside');
		bench.start({ amount: rupiah(TOTAL - 50_000) });
		expect(bench.requests).toMatchObject([{ request: { type: 'sale', amount: TOTAL - 50_000 } }]);
	});
});
