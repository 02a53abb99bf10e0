import { rupiah } from '@kiosk/contract/money';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { paidBy, paymentOf } from '../journal/payment.fixture.ts';
import { paymentKey } from '../journal/records.ts';
import { invoiceOf, responseWith, TOTAL } from './card-machine.fixture.ts';
import {
	ask,
	begun,
	cardFixtureOfEachTest,
	counts,
	fixture,
	heal,
	quiet,
	sale,
	settle,
	settleUnknown,
	staff,
	useCardFixture,
} from './card-steps.fixture.ts';

cardFixtureOfEachTest();

describe('staff', () => {
	test('echo and reprint are answered as done, and the terminal’s responses are acknowledged', async () => {
		const answer = ask('echo');
		fixture.answer({ type: 'echo' });
		expect(await answer).toMatchObject({ code: 'done' });
		fixture.start().answer({ invoice: '000042' });
		const reprint = staff('reprint');
		expect(fixture.requests.at(-1)?.request).toEqual({ type: 'reprint', invoice: '000042' });
		fixture.answer({ type: 'reprint' });
		expect(await reprint).toMatchObject({ code: 'done' });
		expect(fixture.acknowledged).toHaveLength(3);
	});

	test('no staff request is sent during a sale', async () => {
		fixture.start().ack();
		for (const action of ['echo', 'settlement'] as const) expect(await ask(action)).toMatchObject({ code: 'busy' });
		expect(fixture.requests).toHaveLength(1);
	});

	test('after a void the invoice is unpaid and may be paid again', async () => {
		fixture.start().answer({ invoice: '000042' });
		const answer = staff('void');
		expect(fixture.requests.at(-1)?.request).toEqual({ type: 'void', amount: TOTAL, invoice: '000042' });
		expect(fixture.state()).toBe('busy');
		fixture.answer({ type: 'void' });
		expect(await answer).toMatchObject({ code: 'done' });
		expect(fixture.sale()?.state).toBe('voided');
		expect(paidBy(fixture.journal, 7)).toBeNull();
		expect(fixture.start().sale()).toMatchObject({ state: 'sent', attempt: 2 });
	});

	test('if the disk refuses the record of a void’s end, a reconnecting screen gets the sale as unknown, never as paid', async () => {
		fixture.start().answer({ invoice: '000042' });
		const answer = staff('void');
		fixture.trouble = 'disk_full';
		fixture.answer({ type: 'void' });
		expect(await answer).toMatchObject({ code: 'unknown' });
		const greeted = () => fixture.desk.greeting().flatMap((text) => (text.type === 'kiosk_edc_sale' ? [text.phase] : []));
		fixture.trouble = null;
		await vi.advanceTimersByTimeAsync(10_000);
		expect([fixture.sale()?.state, greeted()]).toEqual(['unknown', ['unknown']]);
		expect(fixture.desk.greeting().map((text) => text.type)).not.toContain('payment_notification');
	});

	test.each([
		['00', 'no message about the sale', []],
		['no answer', 'the sale as unknown', ['unknown']],
	])('after a void (%s) a reconnecting screen gets %s and no "paid" message', async (code, _what, phases) => {
		fixture.start().answer();
		expect(fixture.desk.greeting().map((text) => text.type)).toContain('payment_notification');
		const answer = staff('void');
		if (code === '00') fixture.answer({ type: 'void' });
		else fixture.silent();
		await answer;
		const told = fixture.desk.greeting();
		expect(told.map((text) => text.type)).not.toContain('payment_notification');
		expect(told.flatMap((text) => (text.type === 'kiosk_edc_sale' ? [text.phase] : []))).toEqual(phases);
	});

	test.each([
		['00', 'the phase "declined"', ['declined']],
		['25', 'no message about the sale', []],
		['no answer', 'the phase "unknown"', ['unknown']],
	])('after a void (%s) the connected screens get %s', async (code, _what, phases) => {
		fixture.start().answer();
		const answer = staff('void');
		fixture.told = [];
		if (code === 'no answer') fixture.silent();
		else fixture.answer({ type: 'void', code });
		await answer;
		expect(fixture.phases()).toEqual(phases);
	});

	test('a refused void changes nothing, but an unanswered void makes the sale unknown', async () => {
		fixture.start().answer();
		const refused = staff('void');
		fixture.answer({ type: 'void', code: '25' });
		expect(await refused).toMatchObject({ code: 'declined' });
		expect(fixture.sale()?.state).toBe('approved');
		const unknown = staff('void');
		fixture.silent();
		expect(await unknown).toMatchObject({ code: 'unknown' });
		expect(fixture.sale()?.state).toBe('unknown');
		await settleUnknown('charged');
		expect(paidBy(fixture.journal, 7)).toBe('kiosk');
	});

	test('if the back office reports "paid" while the outcome of a void is unknown, and staff then settle the sale as charged, the invoice does not count as paid twice', async () => {
		const attempt_id = fixture.start().answer().sale()?.attempt_id ?? expect.fail('no sale');
		fixture.journal.append({ kind: 'card_approval_sent', attempt_id });
		const unknown = staff('void');
		fixture.silent();
		await unknown;
		const { payment } = fixture.invoices.lookedUp(paymentOf(7), [], true);
		await settleUnknown('charged');
		expect(fixture.invoices.balanceOf(paymentKey(payment))).toMatchObject({ state: 'paid', received: TOTAL, elsewhere: 0 });
	});

	test.each(['charged', 'unknown'] as const)(
		'a late report that a void succeeded makes the sale (before: %s) unknown, and the reason names the void',
		async (decided) => {
			fixture.start().answer({ invoice: '000042' });
			const { terminal_id = '', batch = '' } = fixture.sale()?.response ?? {};
			const unheard = staff('void');
			fixture.silent();
			await unheard;
			if (decided === 'charged') await settleUnknown('charged');
			const paidBefore = decided === 'charged' ? 'kiosk' : null;
			expect([fixture.sale()?.state, paidBy(fixture.journal, 7)]).toEqual([decided === 'charged' ? 'approved' : 'unknown', paidBefore]);
			const late = responseWith({ type: 'void', invoice: '000042', terminal_id, batch });
			fixture.report({ kind: 'answer', request_id: null, response: late });
			expect(fixture.sale()).toMatchObject({ state: 'unknown', response: { type: 'sale', invoice: '000042' } });
			expect(fixture.sale()?.why).toContain('the terminal answered void 00');
			expect(paidBy(fixture.journal, 7)).toBeNull();
			await settleUnknown('not_charged');
			fixture.report({ kind: 'answer', request_id: null, response: late });
			expect(fixture.sale()?.state).toBe('not_charged');
		},
	);

	test('a crash during a void makes the sale unknown', () => {
		fixture.start().answer();
		void staff('void');
		fixture.restart();
		expect(fixture.sale()?.state).toBe('unknown');
	});

	test.each([
		{ total: TOTAL, told: [7] },
		{ total: rupiah(TOTAL + 50_000), told: [] },
	])('after staff settle a sale as charged, the screen gets "paid" only if nothing is due (total $total)', async ({ total, told }) => {
		fixture.start().ack().silent();
		fixture.lookedUp = invoiceOf(7, { total });
		fixture.start();
		await settleUnknown('charged');
		expect(fixture.paid()).toEqual(told);
	});

	test('a settlement of the terminal clears the list of unsettled sales', async () => {
		fixture.start().answer();
		expect(fixture.journal.cards.unsettled()).toHaveLength(1);
		const answer = ask('settlement');
		fixture.answer({ type: 'settlement', amount: TOTAL });
		expect(await answer).toMatchObject({ code: 'done', response: { amount: TOTAL } });
		expect(fixture.journal.cards.unsettled()).toEqual([]);
	});

	test('if staff settle a sale as charged only after the terminal’s settlement, the sale belongs to the closed batch', async () => {
		fixture.start().ack().silent();
		const answer = ask('settlement');
		fixture.answer({ type: 'settlement', amount: TOTAL });
		expect(await answer).toMatchObject({ code: 'done' });
		await settleUnknown('charged');
		expect(fixture.sale()?.state).toBe('approved');
		expect(fixture.journal.cards.unsettled()).toEqual([]);
		fixture.lookedUp = invoiceOf(8);
		fixture.start().ack().answer();
		expect(fixture.journal.cards.unsettled()).toMatchObject([{ payment: { id: 8 } }]);
	});

	test('a sale of a closed batch is not voided if a newer sale has its number, because the void would return the newer charge', async () => {
		fixture.start().ack().answer({ invoice: '000001' });
		const settled = sale();
		const answer = ask('settlement');
		fixture.answer({ type: 'settlement', amount: TOTAL });
		await answer;
		fixture.lookedUp = invoiceOf(8);
		fixture.start().ack().answer({ invoice: '000001', batch: '000002' });
		const sent = fixture.requests.length;
		expect(await staff('void', settled)).toMatchObject({ code: 'not_possible', text: expect.stringContaining('INV/8') });
		expect(fixture.requests).toHaveLength(sent);
		const voided = staff('void');
		fixture.answer({ type: 'void', invoice: '000001', batch: '000002' });
		expect(await voided).toMatchObject({ code: 'done' });
		expect(counts()).toEqual([
			{ state: 'approved', count: 1 },
			{ state: 'voided', count: 1 },
		]);
	});

	test('a sale is not voided if a newer sale of another batch has its number, even if the kiosk did not request the settlement', async () => {
		fixture.start().ack().answer({ invoice: '000001', batch: '000001' });
		const settled = sale();
		fixture.lookedUp = invoiceOf(8);
		fixture.start().ack().answer({ invoice: '000001', batch: '000002' });
		expect(await staff('void', settled)).toMatchObject({ code: 'not_possible', text: expect.stringContaining('INV/8') });
	});

	test('a staff decision that is on disk although its write failed is reported as possibly recorded, and it applies after recovery', async () => {
		fixture.start().silent();
		fixture.trouble = 'broken_but_kept';
		const decided = await settle('charged');
		expect(decided).toMatchObject({ code: 'journal', text: expect.stringContaining('may be recorded or not') });
		await heal();
		expect(fixture.sale()?.state).toBe('approved');
	});

	test('a staff request that cannot be recorded is not sent to the terminal', async () => {
		fixture.trouble = 'disk_full';
		expect(await ask('settlement')).toMatchObject({ code: 'journal' });
		expect(fixture.requests).toEqual([]);
	});
});

describe('an inquiry', () => {
	test('if the settings do not allow inquiries, none is sent', async () => {
		fixture.start().silent();
		await quiet();
		expect(fixture.requests).toHaveLength(1);
	});

	test('if the sale has ended, the answer to an inquiry changes nothing', async () => {
		useCardFixture({ inquiry: 'reprint' });
		fixture.start().silent();
		const first = fixture.id;
		await quiet();
		fixture.answer({}, first);
		expect(fixture.sale()?.state).toBe('approved');
		fixture.answer({ type: 'reprint' });
		expect(counts()).toEqual([{ state: 'approved', count: 1 }]);
		expect([fixture.acknowledged.length, fixture.state()]).toEqual([2, 'ready']);
	});

	test('an inquiry approves the sale if the last slip shows the sale’s amount, and the slip’s charge is not recorded yet', async () => {
		useCardFixture({ inquiry: 'reprint' });
		fixture.start();
		begun(Date.parse('2026-11-21T14:31:00.000Z'));
		fixture.silent();
		await quiet();
		expect(fixture.requests.at(-1)?.request).toEqual({ type: 'reprint', invoice: '000000' });
		fixture.answer({ type: 'reprint' });
		expect(fixture.sale()?.state).toBe('approved');
	});

	test.each([
		['another amount', { amount: rupiah(1_000) }],
		['a slip of an earlier day', { date: '20200101' }],
		['no slip', { code: '25' }],
	])('an inquiry that finds %s proves nothing and is not repeated', async (_, fields) => {
		useCardFixture({ inquiry: 'reprint' });
		fixture.start();
		begun(Date.parse('2026-11-21T14:31:00.000Z'));
		fixture.silent();
		await quiet();
		fixture.answer({ type: 'reprint', ...fields });
		expect(fixture.journal.cards.unknown()).toMatchObject([{ why: expect.stringContaining('the terminal answered reprint') }]);
		await quiet();
		expect(fixture.requests).toHaveLength(2);
	});
});

describe('QRIS on the terminal', () => {
	beforeEach(() => {
		fixture.qris = true;
		fixture.restart();
	});
	const shown = () => fixture.start({ method: 'qris' }).ack().answer({ type: 'qris', rrn: '600000000001' });
	const look = async (fields: object) => {
		await vi.advanceTimersByTimeAsync(46_000);
		fixture.answer({ type: 'qris_inquiry', rrn: '600000000001', ...fields });
	};

	test('response 00 to a QRIS sale means only that the code is shown; response 00 to the inquiry about the code is the payment', async () => {
		shown();
		expect(fixture.sale()?.state).toBe('sent');
		expect(paidBy(fixture.journal, 7)).toBeNull();
		await look({ code: 'S3' });
		expect(fixture.requests.at(-1)?.request).toEqual({ type: 'qris_inquiry', amount: TOTAL, reference: '600000000001' });
		await look({});
		expect(fixture.sale()?.state).toBe('approved');
		expect(fixture.responses()).toMatchObject([{ respCode: '00', type: 'qris_inquiry' }]);
	});

	test('an expired code declines the sale, but a code that is not paid in time makes the sale unknown, and the inquiries continue', async () => {
		shown();
		await look({ code: 'S4' });
		expect(fixture.sale()?.state).toBe('declined');
		shown();
		for (const code of ['S3', 'PT', 'S3']) await look({ code });
		expect(fixture.sale()?.state).toBe('unknown');
		await vi.advanceTimersByTimeAsync(61_000);
		fixture.answer({ type: 'qris_inquiry', rrn: '600000000001' });
		expect(fixture.sale()?.state).toBe('approved');
	});

	test('a late answer to a QR inquiry still pays the invoice, and a repetition of the answer changes nothing', async () => {
		shown();
		await vi.advanceTimersByTimeAsync(46_000);
		fixture.silent();
		const paid = { type: 'qris_inquiry', rrn: '600000000001', approval: 'Q1', invoice: '000000' } as const;
		fixture.answer(paid, null);
		expect(fixture.sale()?.state).toBe('approved');
		fixture.answer(paid, null);
		expect(counts()).toEqual([{ state: 'approved', count: 1 }]);
	});

	test('after a restart the kiosk inquires about a code that the terminal still shows', async () => {
		shown().restart();
		expect(fixture.state()).toBe('unresolved');
		await vi.advanceTimersByTimeAsync(61_000);
		fixture.answer({ type: 'qris_inquiry', code: 'S4' });
		expect(fixture.state()).toBe('ready');
	});
});
