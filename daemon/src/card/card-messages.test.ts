/** Exact messages and log entries of card payments. */
import { randomUUID } from 'node:crypto';
import { rupiah } from '@kiosk/contract/money';
import { describe, expect, test, vi } from 'vitest';
import { ACCOUNT, paymentOf } from '../journal/payment.fixture.ts';
import { invoiceOf, responseWith, TOTAL } from './card-machine.fixture.ts';
import { ask, bench, benchOfEachTest, edcStates, log, sale, why } from './card-steps.fixture.ts';

benchOfEachTest();

describe('a sale', () => {
	test('from request to approval sends these messages, log entries and records', () => {
		bench.start().ack();
		const said = responseWith({});
		bench.answer(said);
		const attempt_id = bench.id;
		const { code, ...rest } = said;
		expect(bench.told).toEqual([
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
			},
		]);
		expect(bench.logged).toMatchObject([
			['card.terminal', { state: 'ready' }],
			['card.sent', { attempt_id, amount: TOTAL, method: 'card', attempt: 1, invoice: 'INV/7', payment_id: 7 }],
			['card.approved', { attempt_id, late: false, amount: TOTAL, invoice: 'INV/7', payment_id: 7, code: '00' }],
		]);
		expect(bench.cashClosed).toBe(1);
		expect(sale()).toMatchObject({ payment: { id: 7, odoo_id: 'SO7', noinvoice: 'INV/7', total: TOTAL }, response: said });
	});

	test('that is declined or not begun is logged, and not sent to the back office', () => {
		bench.start().answer({ code: '51' });
		expect(log('card.declined')).toMatchObject([
			{ attempt_id: bench.id, late: false, amount: TOTAL, invoice: 'INV/7', payment_id: 7, code: '51' },
		]);
		bench.start().report({ kind: 'not_begun', request_id: bench.id, why: 'the line is closed' });
		expect(log('card.not_begun')).toMatchObject([
			{ attempt_id: bench.id, late: false, amount: TOTAL, invoice: 'INV/7', payment_id: 7, code: undefined },
		]);
		expect([bench.relayed, bench.acknowledged.length]).toEqual([0, 1]);
		expect(bench.desk.greeting()).toEqual([{ type: 'kiosk_edc', state: 'ready' }]);
	});

	test('that is refused is logged with the reason and reported without an attempt id', () => {
		bench.start({ amount: rupiah(1_000) });
		expect(bench.told.at(-1)).toEqual({
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
		expect(bench.paid()).toEqual([]);
	});

	test('a sale whose intent cannot be written is refused without an attempt id and not sent', () => {
		bench.trouble = 'disk_full';
		bench.start();
		expect(bench.told.at(-1)).toMatchObject({ attempt_id: '', phase: 'declined', reason: 'journal' });
		expect(bench.logged).toContainEqual(['journal.unhealthy', expect.objectContaining({ code: 'disk_full', message: 'no space' })]);
		expect(bench.requests).toEqual([]);
	});

	test('that is unknown is logged with the reason and not acknowledged', () => {
		bench.start().ack().silent();
		expect(log('card.unknown')).toMatchObject([{ attempt_id: bench.id, why: 'no answer', amount: TOTAL, invoice: 'INV/7', payment_id: 7 }]);
		expect([bench.acknowledged, why(), bench.relayed]).toEqual([[], ['no answer'], 0]);
		expect(edcStates().at(-1)).toBe('unresolved');
		const late = responseWith({});
		bench.answer(late);
		expect(log('card.approved')).toMatchObject([{ late: true }]);
	});

	test.each([
		['another amount', { amount: rupiah(1_000) }, 'the terminal approved Rp 1000 instead of Rp 137500'],
		['no amount', { amount: null }, 'the terminal approved Rp ? instead of Rp 137500'],
		['another type', { type: 'echo' }, 'the terminal answered a sale with a echo'],
	] as const)('answered with %s is unknown, with the reason for staff', (_what, fields, expected) => {
		bench.start().answer(fields);
		expect(why()).toEqual([expected]);
		expect(bench.acknowledged).toEqual(['unknown']);
	});

	test('that is open when the kiosk stops is unknown, with the reason', () => {
		bench.start().restart();
		expect(why()).toEqual(['the kiosk stopped before the terminal’s answer was on disk']);
	});

	test('of an invoice paid in cash, covered by notes, or with a note in doubt is refused', () => {
		const payment = { account: ACCOUNT, id: 7, odoo_id: 'SO7', noinvoice: 'INV/7', total: TOTAL };
		const take = (nominal: number) => {
			const note_id = randomUUID();
			bench.journal.append({ kind: 'cash_intent', note_id, payment, nominal: rupiah(nominal), code: '0x45', time: '' });
			return note_id;
		};
		bench.journal.append({ kind: 'cash_returned', note_id: take(100_000) });
		const doubt = take(50_000);
		bench.journal.append({ kind: 'cash_in_doubt', note_id: doubt, why: 'silence' });
		bench.start();
		expect(bench.phases()).toEqual(['cash_inside']);
		bench.journal.append({ kind: 'cash_returned', note_id: doubt });
		bench.journal.append({ kind: 'cash_credit', note_id: take(TOTAL), late: false });
		bench.start({ amount: rupiah(0) });
		expect(bench.phases()).toEqual(['cash_inside', 'already_paid']);
		bench.journal.append({ kind: 'invoice_paid', payment, by: 'kiosk' });
		bench.start();
		expect(bench.phases().at(-1)).toBe('already_paid');
		expect(bench.requests).toEqual([]);
	});

	test('of a paid invoice is refused as already paid, even when the disk is full', () => {
		bench.answer({}, null);
		bench.lookedUp = invoiceOf(7, { is_paid: true });
		bench.start();
		bench.trouble = 'disk_full';
		bench.lookedUp = invoiceOf(8, { is_paid: true });
		bench.start();
		expect([bench.phases(), bench.paid()]).toEqual([
			['already_paid', 'already_paid'],
			[7, 8],
		]);
	});

	test('pays the amount that is still due according to the back office', () => {
		bench.lookedUp = invoiceOf(7, { list_pembayaran: [{ nominal: 37_500 }] });
		bench.start();
		expect(bench.phases()).toEqual(['cash_inside']);
		bench.start({ amount: rupiah(100_000) });
		expect(bench.requests).toMatchObject([{ request: { type: 'sale', amount: 100_000 } }]);
	});

	test('is not reduced by a returned note', () => {
		const note_id = randomUUID();
		const payment = { account: ACCOUNT, id: 7, odoo_id: 'SO7', noinvoice: 'INV/7', total: TOTAL };
		bench.journal.append({ kind: 'cash_intent', note_id, payment, nominal: rupiah(50_000), code: '0x45', time: '' });
		bench.journal.append({ kind: 'cash_returned', note_id });
		bench.start();
		expect(bench.requests).toMatchObject([{ request: { type: 'sale', amount: TOTAL } }]);
	});

	test('without an invoice on the screen is refused', () => {
		bench.lookedUp = null;
		bench.start({ id: undefined });
		expect(bench.told.at(-1)).toMatchObject({ id: '', phase: 'declined', reason: 'no_invoice' });
		bench.start({ id: 7 });
		expect(bench.told.at(-1)).toMatchObject({ id: 7, phase: 'declined', reason: 'no_invoice' });
	});

	test('that is open or unknown blocks other methods for its invoice only', () => {
		expect(bench.desk.isHolding(paymentOf(7))).toBe(false);
		bench.start();
		expect([bench.desk.isHolding(paymentOf('7')), bench.desk.isHolding(paymentOf(8))]).toEqual([true, false]);
		bench.answer({ code: '51' });
		expect(bench.desk.isHolding(paymentOf(7))).toBe(false);
		bench.trouble = 'disk_full';
		bench.trouble = null;
		bench.start().ack();
		bench.trouble = 'disk_full';
		bench.answer();
		expect([bench.desk.isHolding(paymentOf(7)), bench.desk.isHolding(paymentOf(8))]).toEqual([true, false]);
	});
});

describe('a terminal', () => {
	test('missing in the settings is reported as not configured and gets no request', async () => {
		bench.hasTerminal = false;
		bench.restart();
		expect(bench.desk.greeting()).toEqual([{ type: 'kiosk_edc', state: 'not_configured' }]);
		bench.start();
		expect(bench.phases()).toEqual(['not_ready']);
		expect(await ask('echo')).toMatchObject({ code: 'not_ready' });
	});

	test('reports its state to screen and log', () => {
		bench.report({ kind: 'state', state: 'disconnected' });
		expect(bench.told.at(-1)).toEqual({ type: 'kiosk_edc', state: 'disconnected' });
		expect(bench.logged.at(-1)).toMatchObject(['card.terminal', { state: 'disconnected' }]);
	});

	test('a stopping daemon waits for the customer at the terminal and begins nothing new', async () => {
		bench.start().ack();
		let left = false;
		const leaving = bench.desk.leave().then(() => {
			left = true;
		});
		await vi.advanceTimersByTimeAsync(10_000);
		expect(left).toBe(false);
		bench.answer();
		await vi.advanceTimersByTimeAsync(100);
		await leaving;
		bench.lookedUp = invoiceOf(8);
		bench.start();
		expect(bench.phases().at(-1)).toBe('not_ready');
		expect(await ask('echo')).toMatchObject({ code: 'not_ready' });
		bench.desk.stop();
		expect(vi.getTimerCount()).toBe(0);
	});

	test('a stopping daemon waits at most half a minute', async () => {
		bench.start().ack();
		const leaving = bench.desk.leave();
		await vi.advanceTimersByTimeAsync(31_000);
		await leaving;
		expect(sale().state).toBe('sent');
	});

	test('a daemon without a running sale stops at once', async () => {
		await bench.desk.leave();
		expect(bench.requests).toEqual([]);
	});
});
