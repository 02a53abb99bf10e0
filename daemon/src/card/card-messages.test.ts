/** Exact messages and log entries of card payments. */
import { randomUUID } from 'node:crypto';
import { rupiah } from '@kiosk/contract/money';
import { describe, expect, test, vi } from 'vitest';
import { ACCOUNT, paymentOf } from '../journal/payment.fixture.ts';
import { invoiceOf, responseWith, TOTAL } from './card-machine.fixture.ts';
import { ask, cardFixtureOfEachTest, edcStates, fixture, log, sale, why } from './card-steps.fixture.ts';

cardFixtureOfEachTest();

describe('a sale', () => {
	test('an approved sale causes exactly these messages, log entries and records', () => {
		fixture.start().ack();
		const said = responseWith({});
		fixture.answer(said);
		const attempt_id = fixture.id;
		const { code, ...rest } = said;
		expect(fixture.told).toEqual([
			{ type: 'kiosk_edc', state: 'ready' },
			{ type: 'kiosk_edc', state: 'busy' },
			{ type: 'kiosk_edc_sale', id: 7, noinvoice: 'INV/7', attempt_id, phase: 'sent', amount: TOTAL, method: 'card' },
			{ type: 'kiosk_edc_sale', id: 7, noinvoice: 'INV/7', attempt_id, phase: 'acked', amount: TOTAL, method: 'card' },
			{ type: 'kiosk_edc', state: 'ready' },
			{
				type: 'payment_edc_bca_notification',
				event: 'transaction_response',
				data: { respCode: code, attempt_id, id: 7, retry: false, ...rest },
				paid: true,
				due: 0,
				total: 137_500,
			},
			{
				type: 'kiosk_edc_sale',
				id: 7,
				noinvoice: 'INV/7',
				attempt_id,
				phase: 'approved',
				amount: TOTAL,
				method: 'card',
				paid: true,
				due: 0,
				total: 137_500,
			},
		]);
		expect(fixture.logged).toMatchObject([
			['card.terminal', { state: 'ready' }],
			['card.sent', { attempt_id, amount: TOTAL, method: 'card', attempt: 1, invoice: 'INV/7', payment_id: 7 }],
			['card.approved', { attempt_id, late: false, amount: TOTAL, invoice: 'INV/7', payment_id: 7, code: '00' }],
		]);
		expect(fixture.cashClosed).toBe(1);
		expect(sale()).toMatchObject({ payment: { id: 7, odoo_id: 'SO7', noinvoice: 'INV/7', total: TOTAL }, response: said });
	});

	test('a sale that is declined or not begun is logged and not sent to the back office', () => {
		fixture.start().answer({ code: '51' });
		expect(log('card.declined')).toMatchObject([
			{ attempt_id: fixture.id, late: false, amount: TOTAL, invoice: 'INV/7', payment_id: 7, code: '51' },
		]);
		fixture.start().report({ kind: 'not_begun', request_id: fixture.id, why: 'the line is closed' });
		expect(log('card.not_begun')).toMatchObject([
			{ attempt_id: fixture.id, late: false, amount: TOTAL, invoice: 'INV/7', payment_id: 7, code: undefined },
		]);
		expect([fixture.relayed, fixture.acknowledged.length]).toEqual([0, 1]);
		expect(fixture.desk.greeting()).toEqual([{ type: 'kiosk_edc', state: 'ready' }]);
	});

	test('a refused sale is logged with the reason and reported without an attempt id', () => {
		fixture.start({ amount: rupiah(1_000) });
		expect(fixture.told.at(-1)).toEqual({
			type: 'kiosk_edc_sale',
			noinvoice: 'INV/7',
			id: 7,
			attempt_id: '',
			phase: 'declined',
			amount: 1_000,
			method: 'card',
			reason: 'bad_amount',
		});
		expect(log('card.refused')).toMatchObject([{ invoice: 'INV/7', amount: 1_000, reason: 'bad_amount' }]);
		expect(fixture.paid()).toEqual([]);
	});

	test('a sale whose intent cannot be written is refused and not sent to the terminal', () => {
		fixture.trouble = 'disk_full';
		fixture.start();
		expect(fixture.told.at(-1)).toMatchObject({ attempt_id: '', phase: 'declined', reason: 'journal' });
		expect(fixture.logged).toContainEqual(['journal.unhealthy', expect.objectContaining({ code: 'disk_full', message: 'no space' })]);
		expect(fixture.requests).toEqual([]);
	});

	test('a sale without an answer is unknown, logged with the reason and not acknowledged; a later approval is logged as late', () => {
		fixture.start().ack().silent();
		expect(log('card.unknown')).toMatchObject([
			{ attempt_id: fixture.id, why: 'no answer', amount: TOTAL, invoice: 'INV/7', payment_id: 7 },
		]);
		expect([fixture.acknowledged, why(), fixture.relayed]).toEqual([[], ['no answer'], 0]);
		expect(edcStates().at(-1)).toBe('unresolved');
		const late = responseWith({});
		fixture.answer(late);
		expect(log('card.approved')).toMatchObject([{ late: true }]);
	});

	test.each([
		['another amount', { amount: rupiah(1_000) }, 'the terminal approved Rp 1000 instead of Rp 137500'],
		['no amount', { amount: null }, 'the terminal approved Rp ? instead of Rp 137500'],
		['another type', { type: 'echo' }, 'the terminal answered "sale" with "echo"'],
	] as const)('a sale answered with %s is unknown, with the reason for staff', (_what, fields, expected) => {
		fixture.start().answer(fields);
		expect(why()).toEqual([expected]);
		expect(fixture.acknowledged).toEqual(['unknown']);
	});

	test('a sale that is open when the daemon stops is unknown, with the reason', () => {
		fixture.start().restart();
		expect(why()).toEqual(['the kiosk stopped before the terminal’s answer was on disk']);
	});

	test('a sale is refused if its invoice is paid, is covered by notes, or has a note in doubt', () => {
		const payment = { account: ACCOUNT, id: 7, odoo_id: 'SO7', noinvoice: 'INV/7', total: TOTAL };
		const take = (nominal: number) => {
			const note_id = randomUUID();
			fixture.journal.append({ kind: 'cash_intent', note_id, payment, nominal: rupiah(nominal), code: '0x45', time: '' });
			return note_id;
		};
		fixture.journal.append({ kind: 'cash_returned', note_id: take(100_000) });
		const doubt = take(50_000);
		fixture.journal.append({ kind: 'cash_in_doubt', note_id: doubt, why: 'silence' });
		fixture.start();
		expect(fixture.phases()).toEqual(['cash_inside']);
		fixture.journal.append({ kind: 'cash_returned', note_id: doubt });
		fixture.journal.append({ kind: 'cash_credit', note_id: take(TOTAL), late: false });
		fixture.start({ amount: rupiah(0) });
		expect(fixture.phases()).toEqual(['cash_inside', 'already_paid']);
		fixture.journal.append({ kind: 'invoice_paid', payment, by: 'kiosk' });
		fixture.start();
		expect(fixture.phases().at(-1)).toBe('already_paid');
		expect(fixture.requests).toEqual([]);
	});

	test('a sale of a paid invoice is refused as already paid, even while a charge waits for staff or the disk is full', () => {
		fixture.answer({}, null);
		fixture.lookedUp = invoiceOf(7, { is_paid: true });
		fixture.start();
		fixture.trouble = 'disk_full';
		fixture.lookedUp = invoiceOf(8, { is_paid: true });
		fixture.start();
		expect([fixture.phases(), fixture.paid()]).toEqual([
			['already_paid', 'already_paid'],
			[7, 8],
		]);
	});

	test('a sale must pay exactly the amount that is still due according to the back office', () => {
		fixture.lookedUp = invoiceOf(7, { list_pembayaran: [{ nominal: 37_500 }] });
		fixture.start();
		expect(fixture.phases()).toEqual(['cash_inside']);
		fixture.start({ amount: rupiah(100_000) });
		expect(fixture.requests).toMatchObject([{ request: { type: 'sale', amount: 100_000 } }]);
	});

	test('a returned note does not reduce the amount of a sale', () => {
		const note_id = randomUUID();
		const payment = { account: ACCOUNT, id: 7, odoo_id: 'SO7', noinvoice: 'INV/7', total: TOTAL };
		fixture.journal.append({ kind: 'cash_intent', note_id, payment, nominal: rupiah(50_000), code: '0x45', time: '' });
		fixture.journal.append({ kind: 'cash_returned', note_id });
		fixture.start();
		expect(fixture.requests).toMatchObject([{ request: { type: 'sale', amount: TOTAL } }]);
	});

	test('a sale is refused if no invoice was looked up', () => {
		fixture.lookedUp = null;
		fixture.start({ id: undefined });
		expect(fixture.told.at(-1)).toMatchObject({ id: '', phase: 'declined', reason: 'no_invoice' });
		fixture.start({ id: 7 });
		expect(fixture.told.at(-1)).toMatchObject({ id: 7, phase: 'declined', reason: 'no_invoice' });
	});

	test('an open or unknown sale blocks other methods for its invoice only', () => {
		expect(fixture.desk.isHolding(paymentOf(7))).toBe(false);
		fixture.start();
		expect([fixture.desk.isHolding(paymentOf('7')), fixture.desk.isHolding(paymentOf(8))]).toEqual([true, false]);
		fixture.answer({ code: '51' });
		expect(fixture.desk.isHolding(paymentOf(7))).toBe(false);
		fixture.start().ack();
		fixture.trouble = 'disk_full';
		fixture.answer();
		expect([fixture.desk.isHolding(paymentOf(7)), fixture.desk.isHolding(paymentOf(8))]).toEqual([true, false]);
	});
});

describe('a terminal', () => {
	test('a terminal that is missing in the settings is reported as not configured and gets no request', async () => {
		fixture.hasTerminal = false;
		fixture.restart();
		expect(fixture.desk.greeting()).toEqual([{ type: 'kiosk_edc', state: 'not_configured' }]);
		fixture.start();
		expect(fixture.phases()).toEqual(['not_ready']);
		expect(await ask('echo')).toMatchObject({ code: 'not_ready' });
	});

	test('the state of the terminal is sent to the screen and logged', () => {
		fixture.report({ kind: 'state', state: 'disconnected' });
		expect(fixture.told.at(-1)).toEqual({ type: 'kiosk_edc', state: 'disconnected' });
		expect(fixture.logged.at(-1)).toMatchObject(['card.terminal', { state: 'disconnected' }]);
	});

	test('a stopping daemon waits for the open sale and begins no new request', async () => {
		fixture.start().ack();
		let left = false;
		const leaving = fixture.desk.leave().then(() => {
			left = true;
		});
		await vi.advanceTimersByTimeAsync(10_000);
		expect(left).toBe(false);
		fixture.answer();
		await vi.advanceTimersByTimeAsync(100);
		await leaving;
		fixture.lookedUp = invoiceOf(8);
		fixture.start();
		expect(fixture.phases().at(-1)).toBe('not_ready');
		expect(await ask('echo')).toMatchObject({ code: 'not_ready' });
		fixture.desk.stop();
		expect(vi.getTimerCount()).toBe(0);
	});

	test('a stopping daemon waits at most half a minute for the open sale', async () => {
		fixture.start().ack();
		const leaving = fixture.desk.leave();
		await vi.advanceTimersByTimeAsync(31_000);
		await leaving;
		expect(sale().state).toBe('sent');
	});

	test('a daemon without a running sale stops at once', async () => {
		await fixture.desk.leave();
		expect(fixture.requests).toEqual([]);
	});
});
