/**
 * Late, repeated and unrequested answers of the terminal, and answers while the disk refuses
 * writes.
 */

import { rupiah } from '@kiosk/contract/money';
import { describe, expect, test, vi } from 'vitest';
import { keyOf, paidBy, paymentOf } from '../journal/payment.fixture.ts';
import { invoiceOf, responseWith, TOTAL } from './card-machine.fixture.ts';
import { ask, cardFixtureOfEachTest, edcStates, fixture, heal, listed, log, sale, settle, staff, why } from './card-steps.fixture.ts';

cardFixtureOfEachTest();

describe('an answer of the terminal', () => {
	test('an answer that is already recorded is acknowledged and ignored', () => {
		const said = responseWith({});
		fixture.start().answer(said).answer(said).answer(said, null);
		const ignored = { type: 'sale', code: '00', amount: TOTAL, why: 'it is already in the journal' };
		expect(log('card.answer_ignored')).toMatchObject([ignored, ignored]);
		expect(fixture.acknowledged).toHaveLength(3);
	});

	test('a repeated decline and an unrequested decline are ignored', () => {
		fixture.start().answer({ code: '51' }).answer({ code: '51' });
		fixture.answer({ code: '55' }, null);
		expect(log('card.answer_ignored')).toMatchObject([
			{ code: '51', why: 'the sale had already ended this way' },
			{ code: '55', why: 'it answers no request' },
		]);
		expect(fixture.journal.cards.unknown()).toEqual([]);
	});

	test.each(['echo', 'settlement', 'void', 'reprint'] as const)(
		'an unrequested answer of type %s changes no sale and adds no charge to the list for staff',
		(type) => {
			fixture.answer({ type, amount: rupiah(1_000) }, null);
			fixture.start().ack();
			fixture.answer({ type, amount: rupiah(1_000) }, null);
			expect(log('card.answer_ignored')).toHaveLength(2);
			expect([sale().state, fixture.journal.cards.unknown()]).toEqual(['sent', []]);
		},
	);

	test.each(['00', '51'])('if the sale is answered %s after a charge of another amount, that charge stays listed for staff', (code) => {
		fixture.start().ack();
		const asked = fixture.id;
		fixture.answer({ amount: rupiah(99_000) }, null);
		fixture.answer({ code }, asked);
		expect(fixture.journal.cards.unknown()).toMatchObject([{ payment: null, amount: 99_000 }]);
		expect(fixture.acknowledged).toHaveLength(2);
		expect(fixture.phases().at(-1)).toBe(code === '00' ? 'approved' : 'declined');
	});

	test('if an answer is recorded as evidence, the log contains its code, amount and invoice', () => {
		fixture.start().restart();
		fixture.answer({ code: '51' }, null);
		const { attempt_id } = sale();
		const what = expect.stringMatching(/Z: the terminal answered sale 51, Rp \?, invoice -$/);
		expect(log('card.evidence')).toMatchObject([{ attempt_id, what, reopens: false }]);
		fixture.answer({ invoice: '000042' }, null);
		expect(log('card.evidence').at(-1)).toMatchObject({ what: expect.stringContaining('sale 00, Rp 137500, invoice 000042') });
		expect(fixture.acknowledged).toEqual(['unknown', 'unknown']);
		expect(sale().state).toBe('unknown');
	});

	test('each unrequested approval of an unexpected amount is listed for staff as a separate charge', () => {
		fixture.start().restart();
		fixture.answer({ amount: rupiah(1_000) }, null).answer({ amount: rupiah(1_000) }, null);
		expect(fixture.journal.cards.unknown().map(({ payment, amount }) => [payment === null, amount])).toEqual([
			[false, TOTAL],
			[true, 1_000],
			[true, 1_000],
		]);
		expect(log('card.unexplained')).toMatchObject([{ amount: 1_000 }, { amount: 1_000 }]);
		expect(fixture.acknowledged).toHaveLength(2);
	});

	test('from the moment of an unrequested approval after a decline, the invoice is held', () => {
		fixture.start().ack().answer({ code: '54' });
		const held: boolean[] = [];
		fixture.onEvent = () => held.push(fixture.desk.isHolding(paymentOf(7)));
		fixture.answer({}, null);
		expect(held.at(-1)).toBe(true);
	});

	test('an unrequested approval after a decline makes the declined sale unknown', async () => {
		fixture.start().ack().answer({ code: '51' });
		expect(sale().state).toBe('declined');
		fixture.answer({ rrn: '000009' }, null);
		expect(fixture.journal.cards.unknown()).toMatchObject([{ payment: { id: 7 }, amount: TOTAL }]);
		expect(fixture.desk.isHolding(paymentOf(7))).toBe(true);
		// An approval of another amount is a separate charge.
		fixture.answer({ amount: rupiah(1_000), rrn: '000010' }, null);
		expect(fixture.journal.cards.unknown().map(({ payment, amount }) => [payment === null, amount])).toEqual([
			[false, TOTAL],
			[true, 1_000],
		]);
	});

	test('a late answer with another amount is recorded as evidence and pays nothing', () => {
		fixture
			.start()
			.silent()
			.answer({ amount: rupiah(1_000) });
		expect(sale()).toMatchObject({ state: 'unknown', response: { amount: 1_000 } });
		expect(log('card.evidence')).toHaveLength(1);
	});

	test('an unrequested approval of another amount makes the running sale unknown', () => {
		fixture
			.start()
			.ack()
			.answer({ amount: rupiah(1_000) }, null);
		expect(why()).toEqual(['the terminal approved Rp 1000 instead of Rp 137500']);
		expect(fixture.acknowledged).toEqual(['unknown']);
	});

	test('an approval of another amount that arrives before the first byte of the sale is listed for staff, and the sale goes on', () => {
		fixture.start().answer({ amount: rupiah(1_000) }, null);
		expect(listed()).toEqual([[null, 1_000]]);
		fixture.ack().answer();
		expect([fixture.journal.cards.last()?.state, fixture.phases().at(-1)]).toEqual(['approved', 'approved']);
	});

	test('after a late approval the screen gets a "paid" message', () => {
		fixture.start().silent().answer();
		expect(fixture.told).toContainEqual({ type: 'payment_notification', id: 7, is_paid: true, noinvoice: 'INV/7' });
	});

	test('the screen gets a late decline, and the invoice does not count as paid', () => {
		fixture.start().silent().answer({ code: '55' });
		expect([fixture.phases().at(-1), fixture.paid(), fixture.relayed]).toEqual(['declined', [], 0]);
	});

	test('a repeated answer to an earlier sale makes the running sale unknown and is recorded as the reason', () => {
		const said = responseWith({});
		fixture.start().answer(said);
		fixture.lookedUp = invoiceOf(8);
		fixture.start().ack().answer(said);
		expect(why()).toEqual(['the terminal repeated the answer of an earlier sale']);
		expect(fixture.acknowledged).toEqual(['approved', 'unknown']);
	});

	test('an approval of a sale that counted as not begun makes the sale unknown', () => {
		fixture.start().report({ kind: 'not_begun', request_id: fixture.id, why: 'closed' });
		fixture.answer();
		expect([sale().state, fixture.phases().at(-1)]).toEqual(['unknown', 'unknown']);
		expect(log('card.evidence')).toMatchObject([{ reopens: true }]);
	});

	test('a second approval of the same request is listed for staff as a charge without an invoice', () => {
		fixture.start().answer();
		fixture.answer();
		expect(fixture.journal.cards.countByState()).toEqual(
			expect.arrayContaining([
				{ state: 'approved', count: 1 },
				{ state: 'unknown', count: 1 },
			]),
		);
		expect(fixture.journal.cards.unknown()).toMatchObject([{ payment: null }]);
	});

	test.each([
		['an approval of a sale that staff settled as charged keeps the sale paid', {}, 'approved'],
		['a decline of a sale that staff settled as charged reopens the sale for staff', { code: '51' }, 'unknown'],
	])('%s', async (_what, fields, state) => {
		fixture.start().silent();
		await settle('charged');
		fixture.answer(fields);
		expect(sale().state).toBe(state);
		expect(log('card.evidence')).toMatchObject([{ reopens: state === 'unknown' }]);
	});

	test('a report about another request changes nothing', () => {
		fixture.start();
		for (const kind of ['silent', 'not_begun'] as const) fixture.report({ kind, request_id: 'another', why: 'x' });
		fixture.report({ kind: 'acked', request_id: 'another' });
		expect([sale().state, fixture.phases()]).toEqual(['sent', ['sent']]);
		fixture.answer();
		fixture.report({ kind: 'silent', request_id: fixture.id, why: 'x' });
		expect(sale().state).toBe('approved');
	});
});

describe('a disk that refuses writes', () => {
	test('if the disk refuses the record of an outcome, this is logged, and the answer is not acknowledged; after recovery, approvals are sent', async () => {
		fixture.start().ack();
		fixture.trouble = 'disk_full';
		fixture.answer();
		expect(log('card.not_recorded')).toMatchObject([{ attempt_id: fixture.id, message: 'no space' }]);
		expect([fixture.acknowledged, edcStates().at(-1)]).toEqual([[], 'disk_full']);
		const { relayed } = fixture;
		fixture.lookedUp = invoiceOf(8);
		fixture.start();
		expect(fixture.phases().at(-1)).toBe('journal');
		await heal();
		expect(fixture.relayed).toBeGreaterThan(relayed + 1);
	});

	test.each([
		['an unrequested charge', () => {}, 1],
		['evidence', () => fixture.start().restart(), 1],
	])('%s is written once after recovery', async (_what, before, unknown) => {
		before();
		fixture.trouble = 'disk_full';
		fixture.answer({}, null);
		expect(fixture.acknowledged).toEqual([]);
		await heal();
		expect(fixture.journal.cards.unknown()).toHaveLength(unknown);
		expect(fixture.journal.cards.unknown()[0]?.response).toMatchObject({ code: '00' });
		expect(fixture.acknowledged).toHaveLength(1);
		await vi.advanceTimersByTimeAsync(60_000);
		expect(fixture.acknowledged).toHaveLength(1);
	});

	test('if the disk refuses the record of a staff request, the request is not sent to the terminal, and the next request is refused at once', async () => {
		fixture.trouble = 'disk_full';
		expect(await ask('settlement')).toEqual({ code: 'journal', text: 'nothing was done: no space', response: null });
		expect(await ask('echo')).toEqual({
			code: 'journal',
			text: 'nothing was done: the journal cannot be written (disk_full)',
			response: null,
		});
		expect(fixture.requests).toEqual([]);
	});

	test('if the disk refuses the record of a staff decision, the sale stays unknown', async () => {
		fixture.start().silent();
		fixture.trouble = 'disk_full';
		expect(await settle('charged')).toEqual({ code: 'journal', text: 'nothing was done: no space', response: null });
		expect(sale().state).toBe('unknown');
	});

	test('if the disk refuses the record of a void’s end, staff get the outcome "unknown", and the sale is unknown after recovery', async () => {
		fixture.start().answer();
		const answer = staff('void');
		fixture.trouble = 'disk_full';
		fixture.answer({ type: 'void' });
		expect(await answer).toMatchObject({
			code: 'unknown',
			text: 'done, but it could not be recorded: no space',
			response: { type: 'void' },
		});
		await heal();
		expect([sale().state, fixture.state()]).toEqual(['unknown', 'unresolved']);
	});

	test('if the disk recovers during a void, the void continues', async () => {
		fixture.start().answer();
		const answer = staff('void');
		fixture.trouble = 'disk_full';
		fixture.answer({ amount: rupiah(1_000) }, null);
		await heal();
		fixture.answer({ type: 'void' }, fixture.requests.at(-1)?.id);
		expect(await answer).toMatchObject({ code: 'done' });
		expect(fixture.journal.cards.ofPayment(keyOf(7))).toMatchObject([{ state: 'voided' }]);
	});

	test('if the disk recovers during a sale, the sale continues', async () => {
		fixture.start().ack();
		fixture.trouble = 'disk_full';
		fixture.answer({}, null);
		await heal();
		fixture.answer();
		expect(paidBy(fixture.journal, 7)).toBe('kiosk');
	});
});
