/**
 * Staff requests and their answers, inquiries about unknown sales, and QR codes on the terminal.
 */

import { rupiah } from '@kiosk/contract/money';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { paymentOf } from '../journal/payment.fixture.ts';
import { invoiceOf, TOTAL } from './card-machine.fixture.ts';
import { ask, begun, bench, benchOfEachTest, heal, log, quiet, sale, settle, staff, useBench, why } from './card-steps.fixture.ts';

benchOfEachTest();

describe('staff', () => {
	test('requests and their outcomes are logged', async () => {
		bench.start().answer();
		const voided = staff('void');
		expect(log('card.staff_asked')).toMatchObject([{ action: 'void', by: 'Sari', why: 'wrong bike' }]);
		bench.answer({ type: 'void', code: '25' });
		expect(await voided).toMatchObject({ code: 'declined', text: 'the terminal answered 25', response: { code: '25' } });
		expect(log('card.staff_answered')).toMatchObject([{ outcome: 'refused', why: 'the terminal answered 25' }]);
	});

	test('echo and settlement are answered as done', async () => {
		for (const action of ['echo', 'settlement'] as const) {
			const answer = ask(action);
			expect(bench.requests.at(-1)?.request).toEqual({ type: action });
			bench.answer({ type: action });
			expect(await answer).toMatchObject({ code: 'done', text: '', response: { type: action } });
		}
	});

	test('requests are sent one at a time, none during a sale, none to a disconnected terminal', async () => {
		void ask('echo');
		expect(await ask('settlement')).toMatchObject({ code: 'busy', text: 'the terminal is busy with another request of the kiosk' });
		bench.answer({ type: 'echo' }).start();
		expect(await ask('echo')).toMatchObject({ code: 'busy', text: 'a customer is paying at the terminal' });
		bench.answer().report({ kind: 'state', state: 'disconnected' });
		expect(await ask('echo')).toEqual({ code: 'not_ready', text: 'the terminal is disconnected', response: null });
		expect(bench.requests).toHaveLength(2);
	});

	test('without the terminal’s invoice number no void or reprint is sent, and a sale without a charge is not voided', async () => {
		for (const invoice of ['', '000000']) {
			bench.start().answer({ invoice });
			for (const action of ['void', 'reprint'] as const)
				expect(await staff(action)).toMatchObject({ code: 'not_possible', text: expect.stringContaining('no invoice number') });
			bench.lookedUp = invoiceOf(8);
		}
		bench.lookedUp = invoiceOf(9);
		bench.start().answer({ code: '51', invoice: '000042' });
		expect(await staff('void')).toMatchObject({ code: 'not_possible', text: 'the sale is declined: there is no charge to give back' });
		void staff('reprint');
		expect(bench.requests.at(-1)?.request).toEqual({ type: 'reprint', invoice: '000042' });
	});

	test('cannot void a sale without any answer, because it has no number', async () => {
		bench.start().silent();
		expect(await staff('void')).toMatchObject({ code: 'not_possible' });
	});

	test('a void names the amount that the terminal charged', async () => {
		bench.start().answer({ amount: rupiah(1_000), invoice: '000042' });
		void staff('void');
		expect(bench.requests.at(-1)?.request).toEqual({ type: 'void', amount: 1_000, invoice: '000042' });
	});

	test('a void answered with another type is unknown', async () => {
		bench.start().answer();
		const answer = staff('void');
		bench.answer({ type: 'echo' });
		expect(await answer).toMatchObject({ code: 'unknown', text: 'the terminal answered with a echo' });
		expect(sale().state).toBe('unknown');
	});

	test('a void that was not begun changes nothing; a reconnecting screen is still told that the sale is paid', async () => {
		bench.start().answer();
		const answer = staff('void');
		bench.report({ kind: 'not_begun', request_id: bench.id, why: 'closed' });
		expect(await answer).toMatchObject({ code: 'not_begun', text: 'closed' });
		expect(sale().state).toBe('approved');
		expect(bench.desk.greeting().map(({ type }) => type)).toContain('payment_notification');
	});

	test('a void of an older sale does not change the screen’s messages about the newest sale', async () => {
		bench.start().answer();
		const first = sale();
		bench.lookedUp = invoiceOf(8);
		bench.start().answer();
		void bench.desk.carryOut({ action: 'void', sale: first, by: 'Sari', why: 'wrong bike' });
		bench.answer({ type: 'void' });
		expect(bench.desk.greeting()).toContainEqual(expect.objectContaining({ type: 'kiosk_edc_sale', id: 8, phase: 'approved' }));
	});

	test('settling a sale that is not unknown is refused with its state', async () => {
		bench.start().answer();
		expect(await settle('charged')).toEqual({ code: 'not_possible', text: 'the sale is not unknown but approved', response: null });
	});

	test.each([
		['charged', 'approved', [7], 1],
		['not_charged', 'declined', [], 0],
	] as const)('settling as %s is logged and reported as %s', async (outcome, phase, paid, relayed) => {
		bench.start().silent();
		const { attempt_id } = sale();
		expect(await settle(outcome)).toEqual({ code: 'done', text: '', response: null });
		expect(log('card.settled')).toMatchObject([{ attempt_id, outcome, by: 'Sari', why: 'the slip says so' }]);
		expect([bench.phases().at(-1), bench.paid(), bench.relayed]).toEqual([phase, paid, relayed]);
	});

	test('settling an older unknown sale reports that sale to the screen', async () => {
		bench.start().silent();
		bench.answer({ amount: rupiah(1_000) }, null);
		const [own, stray] = bench.journal.cards.unknown();
		if (!own || !stray) throw new Error('two are unknown');
		await bench.desk.carryOut({ action: 'settle', sale: stray, outcome: 'charged', by: 'Sari', why: 'x' });
		expect([bench.state(), bench.paid(), bench.phases().at(-1)]).toEqual(['unresolved', [], 'unknown']);
		await bench.desk.carryOut({ action: 'settle', sale: own, outcome: 'charged', by: 'Sari', why: 'x' });
		expect([bench.state(), bench.paid()]).toEqual(['ready', [7]]);
	});
});

describe('a sale that was not begun because the terminal sent no byte', () => {
	const givenUp = () => {
		bench.start().report({ kind: 'not_begun', request_id: bench.id, why: 'the terminal does not answer' });
		expect([sale().state, bench.phases().at(-1), bench.desk.isHolding(paymentOf(7))]).toEqual(['not_begun', 'not_ready', false]);
	};

	test('is unknown again when its ACK comes late: card and cash are blocked, and its approval is kept for staff', async () => {
		givenUp();
		bench.ack();
		expect([sale().state, bench.phases().at(-1), bench.desk.isHolding(paymentOf(7)), bench.state()]).toEqual([
			'unknown',
			'unknown',
			true,
			'unresolved',
		]);
		bench.answer();
		expect(why()).toEqual([expect.stringMatching(/^the terminal took the request after .*sale 00, Rp 137500/)]);
		expect(bench.acknowledged).toEqual(['unknown']);
		await settle('charged');
		expect([sale().state, bench.paid()]).toEqual(['approved', [7]]);
	});

	test('is unknown again when an approval comes after a restart', () => {
		givenUp();
		bench.restart();
		bench.answer({}, null);
		expect(bench.journal.cards.unknown()).toMatchObject([{ payment: { id: 7 }, amount: TOTAL }]);
	});
});

describe('an inquiry', () => {
	beforeEach(() => {
		useBench({ inquiry: 'reprint' });
	});

	test('is logged; if it stays unanswered, the terminal is free again and nothing changes', async () => {
		bench.start().silent();
		await quiet();
		expect(log('card.inquiry')).toMatchObject([{ attempt_id: sale().attempt_id, asks: 'reprint' }]);
		bench.ack().silent();
		expect([sale().state, bench.phases().at(-1), bench.requests.length]).toEqual(['unknown', 'unknown', 2]);
		await quiet();
		expect(bench.requests).toHaveLength(2);
		const echo = ask('echo');
		bench.answer({ type: 'echo' });
		expect(await echo).toMatchObject({ code: 'done' });
	});

	test('is sent neither to a disconnected terminal nor about an unrequested charge', async () => {
		bench.answer({}, null);
		await quiet();
		expect(bench.requests).toEqual([]);
		bench.lookedUp = invoiceOf(8);
		bench.restart();
		await settle0();
		bench.start().silent().report({ kind: 'state', state: 'disconnected' });
		await quiet();
		expect(bench.requests).toHaveLength(1);
		bench.report({ kind: 'state', state: 'ready' });
		await quiet();
		expect(bench.requests).toHaveLength(2);
	});
	const settle0 = async () => {
		const [stray] = bench.journal.cards.unknown();
		if (stray) await bench.desk.carryOut({ action: 'settle', sale: stray, outcome: 'not_charged', by: 'Sari', why: 'x' });
	};

	test('whose answer comes after the sale has ended is logged', async () => {
		bench.start().silent();
		const first = bench.id;
		await quiet();
		bench.answer({}, first).answer({ type: 'reprint' });
		expect(log('card.answer_ignored')).toMatchObject([{ why: 'the sale has ended meanwhile' }]);
	});

	/** The kiosk's clock differs from the terminal's by two hours, which must not matter. */
	test.each([
		['a second older than the sale leaves the sale unknown', '143107', '2026-11-21T14:31:08.000Z', 'unknown'],
		['made in the same second as the first byte approves the sale', '143108', '2026-11-21T14:31:08.000Z', 'approved'],
		['made five minutes later approves the sale', '143608', '2026-11-21T14:31:08.000Z', 'approved'],
		['made too late for this sale, for example by hand, leaves the sale unknown', '143609', '2026-11-21T14:31:08.000Z', 'unknown'],
		['newer only by the kiosk’s clock leaves the sale unknown while the terminal’s clock is not known', '143200', null, 'unknown'],
		['without a time leaves the sale unknown', '', '2026-11-21T14:31:08.000Z', 'unknown'],
	])('that finds a slip %s', async (_what, time, clock, state) => {
		vi.setSystemTime(new Date('2026-11-21T12:31:08.000Z'));
		bench.start();
		begun(clock === null ? null : Date.parse(clock));
		bench.silent();
		await quiet();
		bench.answer({ type: 'reprint', date: time && '20261121', time });
		expect(sale().state).toBe(state);
		if (state === 'unknown') expect(log('card.evidence')).toHaveLength(1);
	});

	test.each([
		['of another terminal leaves the sale unknown', 'ECR00999', 'unknown'],
		['that names no terminal approves the sale', '', 'approved'],
	])('that finds a slip %s', async (_what, terminal_id, state) => {
		bench.start();
		begun(Date.parse('2026-11-21T14:31:00.000Z'));
		bench.silent();
		await quiet();
		bench.answer({ type: 'reprint', terminal_id });
		expect(sale().state).toBe(state);
	});

	test('after a slip has approved a sale, the terminal’s late answer about the same charge changes nothing', async () => {
		bench.start();
		const first = bench.id;
		begun(Date.parse('2026-11-21T14:31:00.000Z'), first);
		bench.silent();
		await quiet();
		const slip = { invoice: '000042', rrn: '000000000042', approval: '143120', time: '143120' };
		bench.answer({ type: 'reprint', ...slip });
		bench.answer(slip, first);
		expect([sale().state, bench.journal.cards.unknown()]).toEqual(['approved', []]);
		// The same answer during the next customer's sale does not belong to that sale.
		bench.lookedUp = invoiceOf(8);
		bench.start().ack().answer(slip);
		expect(why()).toEqual(['the terminal repeated the answer of an earlier sale']);
	});

	test('the number on a slip that shows another customer’s sale is not used to void this sale', async () => {
		bench.start().answer({ invoice: '000041', rrn: '000000000041', approval: '143000' });
		bench.lookedUp = invoiceOf(8);
		bench.start().silent();
		await quiet();
		bench.answer({ type: 'reprint', invoice: '000041', rrn: '000000000041', approval: '143000' });
		expect(why()).toEqual([expect.stringContaining('the terminal answered reprint 00, Rp 137500, invoice 000041')]);
		expect(await staff('void')).toMatchObject({ code: 'not_possible' });
		expect(bench.requests.map(({ request }) => request.type)).toEqual(['sale', 'sale', 'reprint']);
	});

	test('after a restart proves nothing, because the terminal’s clock at the sale is no longer known', async () => {
		bench.start();
		begun();
		bench.restart();
		await quiet();
		bench.answer({ type: 'reprint', date: '20261121', time: '143120' });
		expect(sale().state).toBe('unknown');
	});
});

describe('QRIS on the terminal', () => {
	const QR = { type: 'qris', rrn: '600000000001' } as const;
	beforeEach(() => {
		bench.qris = true;
		bench.restart();
	});
	const shown = () => bench.start({ method: 'qris' }).ack().answer(QR);

	test('is requested as a QRIS sale, acknowledged when the code is shown, and polled from then on', async () => {
		shown();
		expect(bench.requests).toMatchObject([{ request: { type: 'qris', amount: TOTAL } }]);
		expect([bench.acknowledged, log('card.sent')]).toEqual([['sent'], [expect.objectContaining({ method: 'qris' })]]);
		await vi.advanceTimersByTimeAsync(44_000);
		expect(bench.requests).toHaveLength(1);
		await vi.advanceTimersByTimeAsync(2_000);
		bench.answer({ type: 'qris_inquiry', code: 'S3' });
		expect(bench.acknowledged).toHaveLength(2);
		await vi.advanceTimersByTimeAsync(14_000);
		expect(bench.requests).toHaveLength(2);
		await vi.advanceTimersByTimeAsync(2_000);
		expect(bench.requests).toHaveLength(3);
	});

	test('is refused where it is switched off', () => {
		bench.qris = false;
		bench.restart();
		bench.start({ method: 'qris' });
		expect([bench.phases(), bench.requests]).toEqual([['not_ready'], []]);
	});

	test('an unanswered poll is repeated; after the last poll the sale is unknown with the reason', async () => {
		shown();
		for (const _ of [1, 2, 3]) {
			await vi.advanceTimersByTimeAsync(46_000);
			bench.silent();
		}
		expect(why()).toEqual(['the QR code was not paid after 3 inquiries and may still be paid']);
		expect(bench.requests.map(({ request }) => request.type)).toEqual(['qris', 'qris_inquiry', 'qris_inquiry', 'qris_inquiry']);
	});

	test('a sale that is declined before a code is shown ends as declined', () => {
		bench.start({ method: 'qris' }).answer({ type: 'qris', code: 'PT' });
		expect([sale().state, bench.state()]).toEqual(['declined', 'ready']);
	});

	test('a code that the disk refuses to record is unknown', async () => {
		bench.start({ method: 'qris' }).ack();
		bench.trouble = 'disk_full';
		bench.answer(QR);
		expect(bench.phases().at(-1)).toBe('unknown');
		await heal();
		expect(sale()).toMatchObject({ state: 'unknown' });
	});

	test.each([
		['another code', { rrn: '600000000099' }],
		['no code', { rrn: '' }],
	])('an unrequested payment of %s does not pay this code', async (_what, fields) => {
		shown();
		bench.answer({ type: 'qris_inquiry', ...fields }, null);
		expect(sale().state).toBe('sent');
		expect(bench.journal.cards.unknown()).toMatchObject([{ payment: null }]);
	});

	test('a card approval while a code is shown does not pay the code', () => {
		shown();
		bench.answer({ type: 'sale', rrn: '600000000001' }, null);
		expect(sale().state).toBe('sent');
	});

	test('a code whose sale is unknown after a restart is polled again, even after refusals', async () => {
		shown().restart();
		for (const code of ['S3', 'PT']) {
			await quiet();
			expect(bench.requests.at(-1)?.request).toEqual({ type: 'qris_inquiry', amount: TOTAL, reference: QR.rrn });
			bench.answer({ type: 'qris_inquiry', code });
			expect(sale()).toMatchObject({ state: 'unknown', response: { type: 'qris' } });
		}
		expect(bench.acknowledged).toHaveLength(3);
		await quiet();
		bench.answer({ type: 'qris_inquiry', amount: rupiah(1_000), rrn: QR.rrn });
		expect(log('card.evidence')).toHaveLength(1);
	});

	test('a code whose late payment is reported without a poll counts as paid', () => {
		shown().restart();
		bench.answer({ type: 'qris_inquiry', rrn: QR.rrn }, null);
		expect(sale().state).toBe('approved');
	});
});
