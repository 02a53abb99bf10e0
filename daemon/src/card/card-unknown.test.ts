/** Sales of unknown outcome, and answers of the terminal that belong to no sale. */
import { rupiah } from '@kiosk/contract/money';
import { describe, expect, test } from 'vitest';
import { paidBy, paymentOf } from '../journal/payment.fixture.ts';
import { invoiceOf, responseWith, TOTAL } from './card-machine.fixture.ts';
import { begun, bench, benchOfEachTest, counts, settleUnknown, useBench } from './card-steps.fixture.ts';

benchOfEachTest();

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
		useBench({ unknownCodes: new Set(['TO']) });
		bench.start().answer({ code: 'TO' });
		expect(bench.sale()).toMatchObject({ state: 'unknown', why: 'the terminal answered TO' });
		expect(bench.acknowledged).toEqual(['unknown']);
	});

	test('a late approval makes the sale approved and its invoice paid, without a transaction_response', () => {
		bench.start().ack().silent().answer();
		expect(bench.sale()?.state).toBe('approved');
		expect(bench.phases()).toEqual(['sent', 'acked', 'unknown', 'approved']);
		expect(bench.paid()).toEqual([7]);
		expect(bench.responses()).toEqual([]);
		expect([bench.relayed, bench.state()]).toEqual([1, 'ready']);
	});

	test('delays a restart even while the disk refuses the record', () => {
		bench.start();
		begun(null);
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
		expect(await settleUnknown('charged')).toMatchObject({ code: 'done' });
		expect(bench.sale()).toMatchObject({ state: 'approved', why: expect.stringContaining('Sari: the slip says so') });
		expect(bench.phases().at(-1)).toBe('approved');
		expect([bench.paid(), bench.relayed, bench.state()]).toEqual([[7], 1, 'ready']);
	});

	test('that staff settle as not charged lets the customer pay again', async () => {
		bench.start().ack().silent();
		await settleUnknown('not_charged');
		bench.start().answer();
		expect(bench.sale()).toMatchObject({ state: 'approved', attempt: 2 });
	});

	test('a late approval that contradicts the decision of staff makes the sale unknown again', async () => {
		bench.start().ack().silent();
		const first = bench.id;
		await settleUnknown('not_charged');
		bench.answer({}, first);
		expect(bench.journal.cards.unknown()).toMatchObject([{ attempt_id: first, response: { code: '00' } }]);
		await settleUnknown('charged');
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

describe('answers that belong to no sale', () => {
	test('a repeated approval changes nothing, even after a restart', () => {
		const said = responseWith({});
		bench.start().answer(said).answer(said).answer(said, null).restart();
		bench.answer(said, null);
		expect(counts()).toEqual([{ state: 'approved', count: 1 }]);
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
		await settleUnknown('charged');
		expect(bench.state()).toBe('ready');
		expect(bench.journal.cards.waitingApprovals()).toBe(0);
	});
});
