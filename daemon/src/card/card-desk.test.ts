import { randomUUID } from 'node:crypto';
import { rupiah } from '@kiosk/contract/money';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ACCOUNT, paidBy, paymentOf } from '../journal/payment.fixture.ts';
import { Bench, benchForTest, Crash, invoiceOf, responseWith, TERMINAL_ID, TOTAL } from './card-machine.fixture.ts';

let bench: Bench;
beforeEach(() => {
	bench = benchForTest();
});

const settle = (outcome: 'charged' | 'not_charged') => {
	const sale = bench.journal.cards.unknown()[0];
	if (!sale) throw new Error('nothing is unknown');
	return bench.desk.carryOut({ action: 'settle', sale, outcome, by: 'Sari', why: 'the slip says so' });
};

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
	])('[spec 8.15, 8.16] declined with %s: retry %s, and the next sale is attempt 2', (code, retry) => {
		bench.start().ack().answer({ code });
		expect(bench.responses()).toMatchObject([{ respCode: code, retry }]);
		expect(bench.phases().at(-1)).toBe('declined');
		expect(bench.acknowledged).toEqual(['declined']);
		expect(bench.start().sale()).toMatchObject({ state: 'sent', attempt: 2 });
		expect(bench.requests).toHaveLength(2);
	});

	test('only the codes in retry_codes are retried', () => {
		bench.close();
		bench = new Bench({ retryCodes: new Set(['55']) });
		bench.start().answer({ code: '55' }).start().answer({ code: '51' });
		expect(bench.responses()).toMatchObject([{ retry: true }, { retry: false }]);
	});

	test('requested twice is one sale, before and after its answer', () => {
		bench.start().start().ack().start();
		expect(bench.phases()).toEqual(['sent', 'sent', 'acked', 'acked']);
		bench.answer().start();
		expect(bench.requests).toHaveLength(1);
		expect(bench.phases().at(-1)).toBe('approved');
		expect(bench.paid()).toEqual([7]);
	});

	test('a sale that was not begun may begin again', () => {
		bench.start().report({ kind: 'not_begun', request_id: bench.id, why: 'the line is closed' });
		expect(bench.sale()?.state).toBe('not_begun');
		expect(bench.phases()).toEqual(['sent', 'not_ready']);
		bench.start().answer();
		expect(bench.sale()).toMatchObject({ state: 'approved', attempt: 2 });
	});

	test.each([
		['that grew meanwhile is an approval of its amount: the screen is told what is still due', 50_000, false],
		['that kept its total pays it', 0, true],
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

	test('a sale whose invoice may have grown is looked up before the screen hears that it is paid', async () => {
		bench.start().ack();
		bench.isFresh = false;
		bench.answer();
		// The answer to the look-up says that more is due.
		bench.invoices.lookedUp({ ...paymentOf(7), total: rupiah(TOTAL + 50_000) });
		expect([bench.phases().at(-1), bench.invoices.refreshed]).toEqual(['acked', ['INV/7']]);
		await vi.advanceTimersByTimeAsync(0);
		expect(bench.told.at(-1)).toMatchObject({ type: 'kiosk_edc_sale', phase: 'approved', paid: false, due: 50_000 });
		expect(bench.paid()).toEqual([]);
	});

	/** The back office answers each look-up when the test says so, with 50,000 more to pay. */
	const growing = (): (() => Promise<unknown>) => {
		const answers: (() => void)[] = [];
		bench.invoices.refresh = (payment) => {
			bench.invoices.refreshed.push(payment.noinvoice);
			return new Promise((resolve) => {
				answers.push(() => {
					bench.invoices.lookedUp({ ...payment, total: rupiah(TOTAL + 50_000) });
					resolve(true);
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

	test('a sale that the screen asks for again is paid only if its invoice has not grown since', async () => {
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

	test('of a screen that names no invoice belongs to the looked-up invoice with this total', () => {
		bench.start({ id: undefined }).answer();
		expect(bench.sale()).toMatchObject({ state: 'approved', payment: { id: 7, noinvoice: 'INV/7' } });
	});
});

describe('a sale is refused without a request to the terminal', () => {
	const refused = (reason: string) => {
		expect(bench.phases()).toEqual([reason]);
		expect(bench.requests).toEqual([]);
		expect(bench.sale()).toBeNull();
	};

	test.each([
		['no_invoice', () => bench.start({ id: 8 })],
		['no_invoice', () => bench.start({ id: undefined, amount: rupiah(1_000) })],
		['bad_amount', () => bench.start({ amount: rupiah(0) })],
		['bad_amount', () => bench.start({ amount: rupiah(TOTAL + 1) })],
		['bad_amount', () => bench.start({ amount: rupiah(TOTAL - 1) })],
	])('%s', (reason, act) => {
		act();
		refused(reason);
	});

	test('already_paid, and the screen is told that it is paid', () => {
		bench.lookedUp = invoiceOf(7, { is_paid: true });
		bench.start();
		refused('already_paid');
		expect(bench.paid()).toEqual([7]);
	});

	test('not_ready', () => {
		bench.report({ kind: 'state', state: 'disconnected' });
		bench.start();
		refused('not_ready');
	});

	test('journal', () => {
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

describe('an unknown sale', () => {
	test.each([
		['silence', () => bench.silent()],
		['00 with another amount', () => bench.answer({ amount: rupiah(TOTAL + 1_000) })],
		['an unrequested 00 with another amount', () => bench.answer({ amount: rupiah(TOTAL + 1_000) }, null)],
		['00 without an amount', () => bench.answer({ amount: null })],
		['an answer of another type', () => bench.answer({ type: 'echo' })],
		['a restart', () => bench.restart()],
	])('after %s is reported, listed, and blocks further cards', (_, act) => {
		bench.start().ack();
		act();
		expect(bench.sale()).toMatchObject({ state: 'unknown', amount: TOTAL });
		expect(bench.desk.greeting()).toContainEqual(expect.objectContaining({ type: 'kiosk_edc_sale', id: 7, phase: 'unknown' }));
		expect(bench.responses()).toEqual([]);
		expect(bench.state()).toBe('unresolved');
		expect(bench.desk.isHolding(paymentOf('7'))).toBe(true);
		bench.told = [];
		bench.start();
		expect(bench.phases()).toEqual(['unknown']);
		bench.lookedUp = invoiceOf(8);
		bench.start();
		expect(bench.phases()).toEqual(['unknown', 'unresolved']);
		expect(bench.requests).toHaveLength(1);
		expect(paidBy(bench.journal, 7)).toBeNull();
	});

	test('codes in unknown_codes make a sale unknown', () => {
		bench.close();
		bench = new Bench({ unknownCodes: new Set(['TO']) });
		bench.start().answer({ code: 'TO' });
		expect(bench.sale()).toMatchObject({ state: 'unknown', why: 'the terminal answered TO' });
		expect(bench.acknowledged).toEqual(['unknown']);
	});

	test('a late approval pays it without a transaction_response', () => {
		bench.start().ack().silent().answer();
		expect(bench.sale()?.state).toBe('approved');
		expect(bench.phases()).toEqual(['sent', 'acked', 'unknown', 'approved']);
		expect(bench.paid()).toEqual([7]);
		expect(bench.responses()).toEqual([]);
		expect([bench.relayed, bench.state()]).toEqual([1, 'ready']);
	});

	test('delays a restart even while the disk refuses the record', () => {
		bench.start();
		bench.report({ kind: 'begun', request_id: bench.id, clock: null, terminal_id: TERMINAL_ID });
		bench.trouble = 'disk_full';
		bench.silent();
		expect(bench.desk.progress()).toEqual(['card_unknown']);
	});

	test('a late decline frees the terminal', () => {
		bench.start().ack().silent().answer({ code: '55' });
		expect(bench.sale()?.state).toBe('declined');
		expect(bench.state()).toBe('ready');
	});

	test('that staff settle as charged is paid, and the back office is told', async () => {
		bench.start().ack().silent();
		expect(await settle('charged')).toMatchObject({ code: 'done' });
		expect(bench.sale()).toMatchObject({ state: 'approved', why: expect.stringContaining('Sari: the slip says so') });
		expect(bench.phases().at(-1)).toBe('approved');
		expect([bench.paid(), bench.relayed, bench.state()]).toEqual([[7], 1, 'ready']);
	});

	test('that staff settle as not charged lets the customer pay again', async () => {
		bench.start().ack().silent();
		await settle('not_charged');
		bench.start().answer();
		expect(bench.sale()).toMatchObject({ state: 'approved', attempt: 2 });
	});

	test('a late approval against the staff’s decision makes it unknown again', async () => {
		bench.start().ack().silent();
		const first = bench.id;
		await settle('not_charged');
		bench.answer({}, first);
		expect(bench.journal.cards.unknown()).toMatchObject([{ attempt_id: first, response: { code: '00' } }]);
		await settle('charged');
		expect(paidBy(bench.journal, 7)).toBe('kiosk');
	});

	test('that was declined and is then approved is one charge for staff to settle', () => {
		bench.start().answer({ code: '51' }).answer();
		expect(bench.sale()).toMatchObject({ state: 'unknown', response: { code: '00' } });
		expect(bench.phases().at(-1)).toBe('unknown');
		bench.start();
		expect(bench.requests).toHaveLength(1);
	});

	test('after a restart an approval of the same amount is evidence for staff to decide', () => {
		bench.start().ack().restart();
		bench.answer({}, null);
		expect(bench.journal.cards.unknown()).toMatchObject([{ why: expect.stringContaining('sale 00, Rp 137500'), response: { code: '00' } }]);
		expect(bench.acknowledged).toHaveLength(1);
	});

	test('settling a sale that is not unknown is refused', async () => {
		bench.start().answer();
		const sale = bench.sale();
		if (!sale) throw new Error('no sale');
		expect(await bench.desk.carryOut({ action: 'settle', sale, outcome: 'not_charged', by: 'Sari', why: 'x' })).toMatchObject({
			code: 'not_possible',
		});
	});
});

describe('answers to no sale', () => {
	test('a repeated approval changes nothing, even after a restart', () => {
		const said = responseWith({});
		bench.start().answer(said).answer(said).answer(said, null).restart();
		bench.answer(said, null);
		expect(bench.journal.cards.countByState().filter(({ count }) => count > 0)).toEqual([{ state: 'approved', count: 1 }]);
		expect(bench.acknowledged).toHaveLength(4);
	});

	test('an earlier sale’s approval does not pay this sale', () => {
		const said = responseWith({});
		bench.start().answer(said).restart();
		bench.lookedUp = invoiceOf(8);
		bench.start().ack().answer(said);
		expect(bench.sale()).toMatchObject({ state: 'unknown', payment: { id: 8 }, response: null });
		expect(paidBy(bench.journal, 8)).toBeNull();
	});

	test('an approval that may belong to an earlier sale of this amount is a separate charge; the running sale continues', () => {
		bench.start().answer({}, null).ack();
		expect(bench.journal.cards.unknown()).toMatchObject([{ payment: null, amount: TOTAL }]);
		bench.answer();
		expect(paidBy(bench.journal, 7)).toBe('kiosk');
		expect(bench.state()).toBe('unresolved');
	});

	test('an unrequested charge is listed with its amount and without an invoice', async () => {
		bench.answer({ amount: rupiah(20_000) }, null);
		expect(bench.journal.cards.unknown()).toMatchObject([{ payment: null, amount: 20_000 }]);
		expect(bench.state()).toBe('unresolved');
		await settle('charged');
		expect(bench.state()).toBe('ready');
		expect(bench.journal.cards.waitingApprovals()).toBe(0);
	});
});

describe('a journal that fails', () => {
	test('before the outcome: the sale is unknown and not acknowledged; after recovery the answer counts', async () => {
		for (const trouble of ['disk_full', 'broken'] as const) {
			bench = benchForTest();
			bench.start().ack();
			bench.trouble = trouble;
			bench.answer();
			expect(bench.phases().at(-1)).toBe('unknown');
			expect([bench.acknowledged, bench.responses()]).toEqual([[], []]);
			bench.trouble = null;
			bench.journal.reopen();
			await vi.advanceTimersByTimeAsync(10_000);
			expect(bench.sale()?.state).toBe('approved');
			expect(bench.acknowledged).toEqual(['approved']);
			expect([bench.phases().at(-1), bench.state(), bench.relayed > 0]).toEqual(['approved', 'ready', true]);
		}
	});

	test('at a start: no card is accepted before the running sale is recorded as unknown', async () => {
		bench.start().ack();
		bench.trouble = 'disk_full';
		bench.restart();
		expect(bench.state()).toBe('disk_full');
		bench.start();
		expect(bench.phases()).toEqual(['unknown']);
		bench.trouble = null;
		await vi.advanceTimersByTimeAsync(10_000);
		expect([bench.sale()?.state, bench.state()]).toEqual(['unknown', 'unresolved']);
	});

	test('before the record of silence: the sale is unknown after recovery', async () => {
		bench.start().ack();
		bench.trouble = 'disk_full';
		bench.silent();
		bench.trouble = null;
		await vi.advanceTimersByTimeAsync(10_000);
		expect(bench.sale()?.state).toBe('unknown');
		expect(bench.state()).toBe('unresolved');
	});
});

describe('the process dies at the n-th write', () => {
	const story = (): void => void bench.start().ack().answer();

	for (const when of ['before', 'after'] as const)
		for (const n of [1, 2])
			test(`${when} write ${n}: no second charge, and every possible charge is listed or paid`, () => {
				let writes = 0;
				bench.onWrite = (at, record) => {
					if (record.kind.startsWith('card_') && at === when && ++writes === n) throw new Crash();
				};
				expect(story).toThrow(Crash);
				bench.onWrite = () => {};
				bench.restart();
				const asked = bench.requests.length;
				const approved = bench.sale()?.state === 'approved';
				expect(approved).toBe(when === 'after' && n === 2);
				if (asked > 0 && !approved) expect(bench.journal.cards.unknown()).toHaveLength(1);
				bench.start();
				expect(bench.requests).toHaveLength(asked > 0 || when === 'after' ? asked : 1);
				if (approved) expect(bench.paid()).toEqual([7]);
			});
});
