/** Sales of unknown outcome, and answers of the terminal that belong to no sale. */
import { rupiah } from '@kiosk/contract/money';
import { describe, expect, test } from 'vitest';
import { paidBy, paymentOf } from '../journal/payment.fixture.ts';
import { invoiceOf, responseWith, TOTAL } from './card-machine.fixture.ts';
import { begun, cardFixtureOfEachTest, counts, fixture, settleUnknown, staff, useCardFixture } from './card-steps.fixture.ts';

cardFixtureOfEachTest();

describe('an unknown sale', () => {
	test.each([
		['silence', () => fixture.silent()],
		['00 with another amount', () => fixture.answer({ amount: rupiah(TOTAL + 1_000) })],
		['an unrequested 00 with another amount', () => fixture.answer({ amount: rupiah(TOTAL + 1_000) }, null)],
		['00 without an amount', () => fixture.answer({ amount: null })],
		['an answer of another type', () => fixture.answer({ type: 'echo' })],
		['a restart', () => fixture.restart()],
	])('a sale that is unknown after %s is reported to the screen, listed for staff, and blocks further cards', (_, act) => {
		fixture.start().ack();
		act();
		expect(fixture.sale()).toMatchObject({ state: 'unknown', amount: TOTAL });
		expect(fixture.desk.greeting()).toContainEqual(expect.objectContaining({ type: 'kiosk_edc_sale', id: 7, phase: 'unknown' }));
		expect(fixture.responses()).toEqual([]);
		expect(fixture.state()).toBe('unresolved');
		expect(fixture.desk.isHolding(paymentOf('7'))).toBe(true);
		fixture.told = [];
		fixture.start();
		expect(fixture.phases()).toEqual(['unknown']);
		fixture.lookedUp = invoiceOf(8);
		fixture.start();
		expect(fixture.phases()).toEqual(['unknown', 'unresolved']);
		expect(fixture.requests).toHaveLength(1);
		expect(paidBy(fixture.journal, 7)).toBeNull();
	});

	test('codes in unknown_codes make a sale unknown', () => {
		useCardFixture({ unknownCodes: new Set(['TO']) });
		fixture.start().answer({ code: 'TO' });
		expect(fixture.sale()).toMatchObject({ state: 'unknown', why: 'the terminal answered TO' });
		expect(fixture.acknowledged).toEqual(['unknown']);
	});

	test('after a late approval the sale is approved and its invoice paid, but no transaction_response is sent', () => {
		fixture.start().ack().silent().answer();
		expect(fixture.sale()?.state).toBe('approved');
		expect(fixture.phases()).toEqual(['sent', 'acked', 'unknown', 'approved']);
		expect(fixture.paid()).toEqual([7]);
		expect(fixture.responses()).toEqual([]);
		expect([fixture.relayed, fixture.state()]).toEqual([1, 'ready']);
	});

	test('an unknown sale delays a restart even while the disk refuses its record', () => {
		fixture.start();
		begun(null);
		fixture.trouble = 'disk_full';
		fixture.silent();
		expect(fixture.desk.progress()).toEqual(['card_unknown']);
	});

	test('after a late decline the terminal is ready for the next sale', () => {
		fixture.start().ack().silent().answer({ code: '55' });
		expect(fixture.sale()?.state).toBe('declined');
		expect(fixture.state()).toBe('ready');
	});

	test('a sale that staff settle as charged is paid and reported to the back office', async () => {
		fixture.start().ack().silent();
		expect(await settleUnknown('charged')).toMatchObject({ code: 'done' });
		expect(fixture.sale()).toMatchObject({ state: 'approved', why: expect.stringContaining('Sari: the slip says so') });
		expect(fixture.phases().at(-1)).toBe('approved');
		expect([fixture.paid(), fixture.relayed, fixture.state()]).toEqual([[7], 1, 'ready']);
	});

	test('if staff settle a sale as not charged, the customer can pay again', async () => {
		fixture.start().ack().silent();
		await settleUnknown('not_charged');
		fixture.start().answer();
		expect(fixture.sale()).toMatchObject({ state: 'approved', attempt: 2 });
	});

	test('a late approval that contradicts the decision of staff makes the sale unknown again', async () => {
		fixture.start().ack().silent();
		const first = fixture.id;
		await settleUnknown('not_charged');
		fixture.answer({}, first);
		expect(fixture.journal.cards.unknown()).toMatchObject([{ attempt_id: first, response: { code: '00' } }]);
		await settleUnknown('charged');
		expect(paidBy(fixture.journal, 7)).toBe('kiosk');
	});

	test('if a declined sale is then approved, it becomes unknown, and no second sale is sent to the terminal', () => {
		fixture.start().answer({ code: '51' }).answer();
		expect(fixture.sale()).toMatchObject({ state: 'unknown', response: { code: '00' } });
		expect(fixture.phases().at(-1)).toBe('unknown');
		fixture.start();
		expect(fixture.requests).toHaveLength(1);
	});

	test('after a restart an unrequested approval of the same amount is recorded as evidence for staff', () => {
		fixture.start().ack().restart();
		fixture.answer({}, null);
		expect(fixture.journal.cards.unknown()).toMatchObject([
			{ why: expect.stringContaining('sale 00, Rp 137500'), response: { code: '00' } },
		]);
		expect(fixture.acknowledged).toHaveLength(1);
	});

	test('settling a sale that is not unknown is refused', async () => {
		fixture.start().answer();
		const sale = fixture.sale();
		if (!sale) throw new Error('no sale');
		expect(await fixture.desk.carryOut({ action: 'settle', sale, outcome: 'not_charged', by: 'Sari', why: 'x' })).toMatchObject({
			code: 'not_possible',
		});
	});
});

describe('answers that belong to no sale', () => {
	test('a repeated approval changes nothing, even after a restart', () => {
		const said = responseWith({});
		fixture.start().answer(said).answer(said).answer(said, null).restart();
		fixture.answer(said, null);
		expect(counts()).toEqual([{ state: 'approved', count: 1 }]);
		expect(fixture.acknowledged).toHaveLength(4);
	});

	test('the approval of an earlier sale, repeated after a restart, makes the running sale unknown and does not pay it', () => {
		const said = responseWith({});
		fixture.start().answer(said).restart();
		fixture.lookedUp = invoiceOf(8);
		fixture.start().ack().answer(said);
		expect(fixture.sale()).toMatchObject({ state: 'unknown', payment: { id: 8 }, response: null });
		expect(paidBy(fixture.journal, 8)).toBeNull();
	});

	test('an unrequested approval of the running sale’s amount is a separate charge, and the running sale continues', () => {
		fixture.start().answer({}, null).ack();
		expect(fixture.journal.cards.unknown()).toMatchObject([{ payment: null, amount: TOTAL }]);
		fixture.answer();
		expect(paidBy(fixture.journal, 7)).toBe('kiosk');
		expect(fixture.state()).toBe('unresolved');
	});

	test('an unrequested charge is listed for staff with its amount and without an invoice', async () => {
		fixture.answer({ amount: rupiah(20_000) }, null);
		expect(fixture.journal.cards.unknown()).toMatchObject([{ payment: null, amount: 20_000 }]);
		expect(fixture.state()).toBe('unresolved');
		await settleUnknown('charged');
		expect(fixture.state()).toBe('ready');
		expect(fixture.journal.cards.waitingApprovals()).toBe(0);
	});
});

test.each([
	['during a sale', () => void fixture.start().ack()],
	['just after the line was lost during a sale', () => void fixture.start().ack().silent('the line was lost')],
	[
		'during a void',
		() => {
			fixture.start().ack().answer();
			void staff('void');
		},
	],
])('after a restart %s, the terminal gets no echo test for a while', (_when, happens) => {
	expect(fixture.midSale).toBe(false);
	happens();
	fixture.restart();
	expect(fixture.midSale).toBe(true);
});
