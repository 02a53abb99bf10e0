import { rupiah } from '@kiosk/contract/money';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { paidBy, paymentOf } from '../journal/payment.fixture.ts';
import { paymentKey } from '../journal/records.ts';
import { invoiceOf, responseWith, TOTAL } from './card-machine.fixture.ts';
import {
	ask,
	begun,
	bench,
	benchOfEachTest,
	counts,
	heal,
	quiet,
	sale,
	settle,
	settleUnknown,
	staff,
	useBench,
} from './card-steps.fixture.ts';

benchOfEachTest();

describe('staff', () => {
	test('echo and reprint are answered and not recorded', async () => {
		const answer = ask('echo');
		bench.answer({ type: 'echo' });
		expect(await answer).toMatchObject({ code: 'done' });
		bench.start().answer({ invoice: '000042' });
		const reprint = staff('reprint');
		expect(bench.requests.at(-1)?.request).toEqual({ type: 'reprint', invoice: '000042' });
		bench.answer({ type: 'reprint' });
		expect(await reprint).toMatchObject({ code: 'done' });
		expect(bench.acknowledged).toHaveLength(3);
	});

	test('no request is sent during a sale', async () => {
		bench.start().ack();
		for (const action of ['echo', 'settlement'] as const) expect(await ask(action)).toMatchObject({ code: 'busy' });
		expect(bench.requests).toHaveLength(1);
	});

	test('a void returns the charge: the invoice is unpaid again and may be paid again', async () => {
		bench.start().answer({ invoice: '000042' });
		const answer = staff('void');
		expect(bench.requests.at(-1)?.request).toEqual({ type: 'void', amount: TOTAL, invoice: '000042' });
		expect(bench.state()).toBe('busy');
		bench.answer({ type: 'void' });
		expect(await answer).toMatchObject({ code: 'done' });
		expect(bench.sale()?.state).toBe('voided');
		expect(paidBy(bench.journal, 7)).toBeNull();
		expect(bench.start().sale()).toMatchObject({ state: 'sent', attempt: 2 });
	});

	test('when the disk refuses the end of a void, a reconnecting screen also gets the sale as unknown, never as paid', async () => {
		bench.start().answer({ invoice: '000042' });
		const answer = staff('void');
		bench.trouble = 'disk_full';
		bench.answer({ type: 'void' });
		expect(await answer).toMatchObject({ code: 'unknown' });
		const greeted = () => bench.desk.greeting().flatMap((text) => (text.type === 'kiosk_edc_sale' ? [text.phase] : []));
		bench.trouble = null;
		await vi.advanceTimersByTimeAsync(10_000);
		expect([bench.sale()?.state, greeted()]).toEqual(['unknown', ['unknown']]);
		expect(bench.desk.greeting().map((text) => text.type)).not.toContain('payment_notification');
	});

	test.each([
		['00', 'nothing about the sale', []],
		['no answer', 'that the sale is unknown', ['unknown']],
	])('after a void (%s) a reconnecting screen is told %s, and never that the invoice is paid', async (code, _what, phases) => {
		bench.start().answer();
		expect(bench.desk.greeting().map((text) => text.type)).toContain('payment_notification');
		const answer = staff('void');
		if (code === '00') bench.answer({ type: 'void' });
		else bench.silent();
		await answer;
		const told = bench.desk.greeting();
		expect(told.map((text) => text.type)).not.toContain('payment_notification');
		expect(told.flatMap((text) => (text.type === 'kiosk_edc_sale' ? [text.phase] : []))).toEqual(phases);
	});

	test('a refused void changes nothing; an unanswered void makes the sale unknown', async () => {
		bench.start().answer();
		const refused = staff('void');
		bench.answer({ type: 'void', code: '25' });
		expect(await refused).toMatchObject({ code: 'declined' });
		expect(bench.sale()?.state).toBe('approved');
		const unknown = staff('void');
		bench.silent();
		expect(await unknown).toMatchObject({ code: 'unknown' });
		expect(bench.sale()?.state).toBe('unknown');
		await settleUnknown('charged');
		expect(paidBy(bench.journal, 7)).toBe('kiosk');
	});

	test('a sale that was charged after all does not count as paid twice when "paid" came while its void was unknown', async () => {
		const attempt_id = bench.start().answer().sale()?.attempt_id ?? expect.fail('no sale');
		bench.journal.append({ kind: 'card_approval_sent', attempt_id });
		const unknown = staff('void');
		bench.silent();
		await unknown;
		const { payment } = bench.invoices.lookedUp(paymentOf(7), [], true);
		await settleUnknown('charged');
		expect(bench.invoices.balanceOf(paymentKey(payment))).toMatchObject({ state: 'paid', received: TOTAL, elsewhere: 0 });
	});

	test.each(['charged', 'unknown'] as const)(
		'after a void that the terminal reports late, a sale that was %s is unknown, and its reason names the void',
		async (decided) => {
			bench.start().answer({ invoice: '000042' });
			const { terminal_id = '', batch = '' } = bench.sale()?.response ?? {};
			const unheard = staff('void');
			bench.silent();
			await unheard;
			if (decided === 'charged') await settleUnknown('charged');
			const paidBefore = decided === 'charged' ? 'kiosk' : null;
			expect([bench.sale()?.state, paidBy(bench.journal, 7)]).toEqual([decided === 'charged' ? 'approved' : 'unknown', paidBefore]);
			const late = responseWith({ type: 'void', invoice: '000042', terminal_id, batch });
			bench.report({ kind: 'answer', request_id: null, response: late });
			expect(bench.sale()).toMatchObject({ state: 'unknown', response: { type: 'sale', invoice: '000042' } });
			expect(bench.sale()?.why).toContain('the terminal answered void 00');
			expect(paidBy(bench.journal, 7)).toBeNull();
			await settleUnknown('not_charged');
			bench.report({ kind: 'answer', request_id: null, response: late });
			expect(bench.sale()?.state).toBe('not_charged');
		},
	);

	test('a crash during a void makes the sale unknown', () => {
		bench.start().answer();
		void staff('void');
		bench.restart();
		expect(bench.sale()?.state).toBe('unknown');
	});

	test.each([
		{ total: TOTAL, told: [7] },
		{ total: rupiah(TOTAL + 50_000), told: [] },
	])('settling a sale as charged tells the screen "paid" only if nothing of $total is due', async ({ total, told }) => {
		bench.start().ack().silent();
		bench.lookedUp = invoiceOf(7, { total });
		bench.start();
		await settleUnknown('charged');
		expect(bench.paid()).toEqual(told);
	});

	test('a settlement clears the list of unsettled sales', async () => {
		bench.start().answer();
		expect(bench.journal.cards.unsettled()).toHaveLength(1);
		const answer = ask('settlement');
		bench.answer({ type: 'settlement', amount: TOTAL });
		expect(await answer).toMatchObject({ code: 'done', response: { amount: TOTAL } });
		expect(bench.journal.cards.unsettled()).toEqual([]);
	});

	test('a sale that staff settle as charged after the settlement belongs to the closed batch', async () => {
		bench.start().ack().silent();
		const answer = ask('settlement');
		bench.answer({ type: 'settlement', amount: TOTAL });
		expect(await answer).toMatchObject({ code: 'done' });
		await settleUnknown('charged');
		expect(bench.sale()?.state).toBe('approved');
		expect(bench.journal.cards.unsettled()).toEqual([]);
		bench.lookedUp = invoiceOf(8);
		bench.start().ack().answer();
		expect(bench.journal.cards.unsettled()).toMatchObject([{ payment: { id: 8 } }]);
	});

	test('a settled sale is not voided while a newer sale has its number: the void would give back that sale', async () => {
		bench.start().ack().answer({ invoice: '000001' });
		const settled = sale();
		const answer = ask('settlement');
		bench.answer({ type: 'settlement', amount: TOTAL });
		await answer;
		bench.lookedUp = invoiceOf(8);
		bench.start().ack().answer({ invoice: '000001', batch: '000002' });
		const sent = bench.requests.length;
		expect(await staff('void', settled)).toMatchObject({ code: 'not_possible', text: expect.stringContaining('INV/8') });
		expect(bench.requests).toHaveLength(sent);
		const voided = staff('void');
		bench.answer({ type: 'void', invoice: '000001', batch: '000002' });
		expect(await voided).toMatchObject({ code: 'done' });
		expect(counts()).toEqual([
			{ state: 'approved', count: 1 },
			{ state: 'voided', count: 1 },
		]);
	});

	test('a sale is not voided after the terminal has closed its batch and given the sale’s number to a newer sale', async () => {
		bench.start().ack().answer({ invoice: '000001', batch: '000001' });
		const settled = sale();
		bench.lookedUp = invoiceOf(8);
		bench.start().ack().answer({ invoice: '000001', batch: '000002' });
		expect(await staff('void', settled)).toMatchObject({ code: 'not_possible', text: expect.stringContaining('INV/8') });
	});

	test('a decision that is on disk although its write failed is not reported as undone', async () => {
		bench.start().silent();
		bench.trouble = 'broken_but_kept';
		const decided = await settle('charged');
		expect(decided).toMatchObject({ code: 'journal', text: expect.stringContaining('may be recorded or not') });
		await heal();
		expect(bench.sale()?.state).toBe('approved');
	});

	test('a request that cannot be recorded is not sent to the terminal', async () => {
		bench.trouble = 'disk_full';
		expect(await ask('settlement')).toMatchObject({ code: 'journal' });
		expect(bench.requests).toEqual([]);
	});
});

describe('an inquiry', () => {
	test('is not sent unless the settings allow it', async () => {
		bench.start().silent();
		await quiet();
		expect(bench.requests).toHaveLength(1);
	});

	test('answered after the sale has ended changes nothing', async () => {
		useBench({ inquiry: 'reprint' });
		bench.start().silent();
		const first = bench.id;
		await quiet();
		bench.answer({}, first);
		expect(bench.sale()?.state).toBe('approved');
		bench.answer({ type: 'reprint' });
		expect(counts()).toEqual([{ state: 'approved', count: 1 }]);
		expect([bench.acknowledged.length, bench.state()]).toEqual([2, 'ready']);
	});

	test('for the last slip settles a sale of the amount on the slip, if the slip is not recorded yet', async () => {
		useBench({ inquiry: 'reprint' });
		bench.start();
		begun(Date.parse('2026-11-21T14:31:00.000Z'));
		bench.silent();
		await quiet();
		expect(bench.requests.at(-1)?.request).toEqual({ type: 'reprint', invoice: '000000' });
		bench.answer({ type: 'reprint' });
		expect(bench.sale()?.state).toBe('approved');
	});

	test.each([
		['another amount', { amount: rupiah(1_000) }],
		['a slip of yesterday', { date: '20200101' }],
		['no slip', { code: '25' }],
	])('that finds %s proves nothing and is not repeated', async (_, fields) => {
		useBench({ inquiry: 'reprint' });
		bench.start();
		begun(Date.parse('2026-11-21T14:31:00.000Z'));
		bench.silent();
		await quiet();
		bench.answer({ type: 'reprint', ...fields });
		expect(bench.journal.cards.unknown()).toMatchObject([{ why: expect.stringContaining('the terminal answered reprint') }]);
		await quiet();
		expect(bench.requests).toHaveLength(2);
	});
});

describe('QRIS on the terminal', () => {
	beforeEach(() => {
		bench.qris = true;
		bench.restart();
	});
	const shown = () => bench.start({ method: 'qris' }).ack().answer({ type: 'qris', rrn: '600000000001' });
	const look = async (fields: object) => {
		await vi.advanceTimersByTimeAsync(46_000);
		bench.answer({ type: 'qris_inquiry', rrn: '600000000001', ...fields });
	};

	test('response 00 to the sale only shows the QR code; response 00 to the inquiry with its reference is the payment', async () => {
		shown();
		expect(bench.sale()?.state).toBe('sent');
		expect(paidBy(bench.journal, 7)).toBeNull();
		await look({ code: 'S3' });
		expect(bench.requests.at(-1)?.request).toEqual({ type: 'qris_inquiry', amount: TOTAL, reference: '600000000001' });
		await look({});
		expect(bench.sale()?.state).toBe('approved');
		expect(bench.responses()).toMatchObject([{ respCode: '00', type: 'qris_inquiry' }]);
	});

	test('an expired code is declined; a code that is not paid in time is unknown and polled until it ends', async () => {
		shown();
		await look({ code: 'S4' });
		expect(bench.sale()?.state).toBe('declined');
		shown();
		for (const code of ['S3', 'PT', 'S3']) await look({ code });
		expect(bench.sale()?.state).toBe('unknown');
		await vi.advanceTimersByTimeAsync(61_000);
		bench.answer({ type: 'qris_inquiry', rrn: '600000000001' });
		expect(bench.sale()?.state).toBe('approved');
	});

	test('a payment in a late answer to a poll still counts, once', async () => {
		shown();
		await vi.advanceTimersByTimeAsync(46_000);
		bench.silent();
		const paid = { type: 'qris_inquiry', rrn: '600000000001', approval: 'Q1', invoice: '000000' } as const;
		bench.answer(paid, null);
		expect(bench.sale()?.state).toBe('approved');
		bench.answer(paid, null);
		expect(counts()).toEqual([{ state: 'approved', count: 1 }]);
	});

	test('after a restart the terminal is polled about a code that it still shows', async () => {
		shown().restart();
		expect(bench.state()).toBe('unresolved');
		await vi.advanceTimersByTimeAsync(61_000);
		bench.answer({ type: 'qris_inquiry', code: 'S4' });
		expect(bench.state()).toBe('ready');
	});
});
