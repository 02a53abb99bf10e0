/**
 * Staff requests and their answers, inquiries about unknown sales, and QR codes on the terminal.
 */

import { rupiah } from '@kiosk/contract/money';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { paymentOf } from '../journal/payment.fixture.ts';
import { invoiceOf, TOTAL } from './card-machine.fixture.ts';
import {
	ask,
	begun,
	cardFixtureOfEachTest,
	fixture,
	heal,
	log,
	quiet,
	sale,
	settle,
	staff,
	useCardFixture,
	why,
} from './card-steps.fixture.ts';

cardFixtureOfEachTest();

describe('staff', () => {
	test('staff requests and their outcomes are logged', async () => {
		fixture.start().answer();
		const voided = staff('void');
		expect(log('card.staff_asked')).toMatchObject([{ action: 'void', by: 'Sari', why: 'wrong bike' }]);
		fixture.answer({ type: 'void', code: '25' });
		expect(await voided).toMatchObject({ code: 'declined', text: 'the terminal answered 25', response: { code: '25' } });
		expect(log('card.staff_answered')).toMatchObject([{ outcome: 'refused', why: 'the terminal answered 25' }]);
	});

	test('echo and settlement are answered as done', async () => {
		for (const action of ['echo', 'settlement'] as const) {
			const answer = ask(action);
			expect(fixture.requests.at(-1)?.request).toEqual({ type: action });
			fixture.answer({ type: action });
			expect(await answer).toMatchObject({ code: 'done', text: '', response: { type: action } });
		}
	});

	test('a staff request is refused during another request, during a sale and while the terminal is disconnected', async () => {
		void ask('echo');
		expect(await ask('settlement')).toMatchObject({ code: 'busy', text: 'the terminal is busy with another request of the kiosk' });
		fixture.answer({ type: 'echo' }).start();
		expect(await ask('echo')).toMatchObject({ code: 'busy', text: 'a customer is paying at the terminal' });
		fixture.answer().report({ kind: 'state', state: 'disconnected' });
		expect(await ask('echo')).toEqual({ code: 'not_ready', text: 'the terminal is disconnected', response: null });
		expect(fixture.requests).toHaveLength(2);
	});

	test('a void or reprint needs the terminal’s invoice number, and a void also needs a charge', async () => {
		for (const invoice of ['', '000000']) {
			fixture.start().answer({ invoice });
			for (const action of ['void', 'reprint'] as const)
				expect(await staff(action)).toMatchObject({ code: 'not_possible', text: expect.stringContaining('no invoice number') });
			fixture.lookedUp = invoiceOf(8);
		}
		fixture.lookedUp = invoiceOf(9);
		fixture.start().answer({ code: '51', invoice: '000042' });
		expect(await staff('void')).toMatchObject({ code: 'not_possible', text: 'the sale is declined: there is no charge to give back' });
		void staff('reprint');
		expect(fixture.requests.at(-1)?.request).toEqual({ type: 'reprint', invoice: '000042' });
	});

	test('staff cannot void an unanswered sale, because the sale has no invoice number of the terminal', async () => {
		fixture.start().silent();
		expect(await staff('void')).toMatchObject({ code: 'not_possible' });
	});

	test('a void names the amount that the terminal charged', async () => {
		fixture.start().answer({ amount: rupiah(1_000), invoice: '000042' });
		void staff('void');
		expect(fixture.requests.at(-1)?.request).toEqual({ type: 'void', amount: 1_000, invoice: '000042' });
	});

	test('if the terminal answers a void with an answer of another type, the outcome of the void is unknown', async () => {
		fixture.start().answer();
		const answer = staff('void');
		fixture.answer({ type: 'echo' });
		expect(await answer).toMatchObject({ code: 'unknown', text: 'the terminal answered with "echo"' });
		expect(sale().state).toBe('unknown');
	});

	test('after a void that was not begun, a reconnecting screen still gets "paid"', async () => {
		fixture.start().answer();
		const answer = staff('void');
		fixture.report({ kind: 'not_begun', request_id: fixture.id, why: 'closed' });
		expect(await answer).toMatchObject({ code: 'not_begun', text: 'closed' });
		expect(sale().state).toBe('approved');
		expect(fixture.desk.greeting().map(({ type }) => type)).toContain('payment_notification');
	});

	test('a void of an older sale does not change the screen’s messages about the newest sale', async () => {
		fixture.start().answer();
		const first = sale();
		fixture.lookedUp = invoiceOf(8);
		fixture.start().answer();
		void fixture.desk.carryOut({ action: 'void', sale: first, by: 'Sari', why: 'wrong bike' });
		fixture.answer({ type: 'void' });
		expect(fixture.desk.greeting()).toContainEqual(expect.objectContaining({ type: 'kiosk_edc_sale', id: 8, phase: 'approved' }));
	});

	test('staff can settle only an unknown sale; for another sale the refusal names its state', async () => {
		fixture.start().answer();
		expect(await settle('charged')).toEqual({ code: 'not_possible', text: 'the sale is not unknown but approved', response: null });
	});

	test.each([
		['charged', 'approved', [7], 1],
		['not_charged', 'declined', [], 0],
	] as const)('if staff settle a sale as %s, this is logged, and the screen gets %s', async (outcome, phase, paid, relayed) => {
		fixture.start().silent();
		const { attempt_id } = sale();
		expect(await settle(outcome)).toEqual({ code: 'done', text: '', response: null });
		expect(log('card.settled')).toMatchObject([{ attempt_id, outcome, by: 'Sari', why: 'the slip says so' }]);
		expect([fixture.phases().at(-1), fixture.paid(), fixture.relayed]).toEqual([phase, paid, relayed]);
	});

	test('if staff settle a stray charge and then the customer’s sale, only the sale is reported to the screen as paid', async () => {
		fixture.start().silent();
		fixture.answer({ amount: rupiah(1_000) }, null);
		const [own, stray] = fixture.journal.cards.unknown();
		if (!own || !stray) throw new Error('two are unknown');
		await fixture.desk.carryOut({ action: 'settle', sale: stray, outcome: 'charged', by: 'Sari', why: 'x' });
		expect([fixture.state(), fixture.paid(), fixture.phases().at(-1)]).toEqual(['unresolved', [], 'unknown']);
		await fixture.desk.carryOut({ action: 'settle', sale: own, outcome: 'charged', by: 'Sari', why: 'x' });
		expect([fixture.state(), fixture.paid()]).toEqual(['ready', [7]]);
	});
});

describe('a sale that was not begun because the terminal sent no byte', () => {
	const givenUp = () => {
		fixture.start().report({ kind: 'not_begun', request_id: fixture.id, why: 'the terminal does not answer' });
		expect([sale().state, fixture.phases().at(-1), fixture.desk.isHolding(paymentOf(7))]).toEqual(['not_begun', 'not_ready', false]);
	};

	test('a late ACK makes the sale unknown and blocks card and cash; a later approval is evidence for staff', async () => {
		givenUp();
		fixture.ack();
		expect([sale().state, fixture.phases().at(-1), fixture.desk.isHolding(paymentOf(7)), fixture.state()]).toEqual([
			'unknown',
			'unknown',
			true,
			'unresolved',
		]);
		fixture.answer();
		expect(why()).toEqual([expect.stringMatching(/^the terminal took the request after .*sale 00, Rp 137500/)]);
		expect(fixture.acknowledged).toEqual(['unknown']);
		await settle('charged');
		expect([sale().state, fixture.paid()]).toEqual(['approved', [7]]);
	});

	test('an approval after a restart makes the sale unknown', () => {
		givenUp();
		fixture.restart();
		fixture.answer({}, null);
		expect(fixture.journal.cards.unknown()).toMatchObject([{ payment: { id: 7 }, amount: TOTAL }]);
	});
});

describe('an inquiry', () => {
	beforeEach(() => {
		useCardFixture({ inquiry: 'reprint' });
	});

	test('an unanswered inquiry is logged, leaves the sale unknown and frees the terminal', async () => {
		fixture.start().silent();
		await quiet();
		expect(log('card.inquiry')).toMatchObject([{ attempt_id: sale().attempt_id, asks: 'reprint' }]);
		fixture.ack().silent();
		expect([sale().state, fixture.phases().at(-1), fixture.requests.length]).toEqual(['unknown', 'unknown', 2]);
		await quiet();
		expect(fixture.requests).toHaveLength(2);
		const echo = ask('echo');
		fixture.answer({ type: 'echo' });
		expect(await echo).toMatchObject({ code: 'done' });
	});

	test('a stopping daemon begins no inquiry', async () => {
		fixture.start().silent();
		await fixture.desk.leave();
		const before = fixture.requests.length;
		await quiet();
		expect(fixture.requests).toHaveLength(before);
	});

	test('no inquiry is sent to a disconnected terminal or about an unrequested charge', async () => {
		fixture.answer({}, null);
		await quiet();
		expect(fixture.requests).toEqual([]);
		fixture.lookedUp = invoiceOf(8);
		fixture.restart();
		await settle0();
		fixture.start().silent().report({ kind: 'state', state: 'disconnected' });
		await quiet();
		expect(fixture.requests).toHaveLength(1);
		fixture.report({ kind: 'state', state: 'ready' });
		await quiet();
		expect(fixture.requests).toHaveLength(2);
	});
	const settle0 = async () => {
		const [stray] = fixture.journal.cards.unknown();
		if (stray) await fixture.desk.carryOut({ action: 'settle', sale: stray, outcome: 'not_charged', by: 'Sari', why: 'x' });
	};

	test('if the sale has ended before the inquiry is answered, the answer is logged as ignored', async () => {
		fixture.start().silent();
		const first = fixture.id;
		await quiet();
		fixture.answer({}, first).answer({ type: 'reprint' });
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
	])('an inquiry that finds a slip %s', async (_what, time, clock, state) => {
		vi.setSystemTime(new Date('2026-11-21T12:31:08.000Z'));
		fixture.start();
		begun(clock === null ? null : Date.parse(clock));
		fixture.silent();
		await quiet();
		fixture.answer({ type: 'reprint', date: time && '20261121', time });
		expect(sale().state).toBe(state);
		if (state === 'unknown') expect(log('card.evidence')).toHaveLength(1);
	});

	test.each([
		['of another terminal leaves the sale unknown', 'ECR00999', 'unknown'],
		['that names no terminal approves the sale', '', 'approved'],
	])('an inquiry that finds a slip %s', async (_what, terminal_id, state) => {
		fixture.start();
		begun(Date.parse('2026-11-21T14:31:00.000Z'));
		fixture.silent();
		await quiet();
		fixture.answer({ type: 'reprint', terminal_id });
		expect(sale().state).toBe(state);
	});

	test('after a slip has approved a sale, the terminal’s late answer about the same charge changes nothing', async () => {
		fixture.start();
		const first = fixture.id;
		begun(Date.parse('2026-11-21T14:31:00.000Z'), first);
		fixture.silent();
		await quiet();
		const slip = { invoice: '000042', rrn: '000000000042', approval: '143120', time: '143120' };
		fixture.answer({ type: 'reprint', ...slip });
		fixture.answer(slip, first);
		expect([sale().state, fixture.journal.cards.unknown()]).toEqual(['approved', []]);
		// If the terminal repeats this answer during the next customer's sale, the answer does not
		// belong to that sale.
		fixture.lookedUp = invoiceOf(8);
		fixture.start().ack().answer(slip);
		expect(why()).toEqual(['the terminal repeated the answer of an earlier sale']);
	});

	test('the number on a slip that shows another customer’s sale is not used to void this sale', async () => {
		fixture.start().answer({ invoice: '000041', rrn: '000000000041', approval: '143000' });
		fixture.lookedUp = invoiceOf(8);
		fixture.start().silent();
		await quiet();
		fixture.answer({ type: 'reprint', invoice: '000041', rrn: '000000000041', approval: '143000' });
		expect(why()).toEqual([expect.stringContaining('the terminal answered reprint 00, Rp 137500, invoice 000041')]);
		expect(await staff('void')).toMatchObject({ code: 'not_possible' });
		expect(fixture.requests.map(({ request }) => request.type)).toEqual(['sale', 'sale', 'reprint']);
	});

	test('an inquiry after a restart proves nothing, because the terminal’s clock at the sale is no longer known', async () => {
		fixture.start();
		begun();
		fixture.restart();
		await quiet();
		fixture.answer({ type: 'reprint', date: '20261121', time: '143120' });
		expect(sale().state).toBe('unknown');
	});
});

describe('QRIS on the terminal', () => {
	const QR = { type: 'qris', rrn: '600000000001' } as const;
	beforeEach(() => {
		fixture.qris = true;
		fixture.restart();
	});
	const shown = () => fixture.start({ method: 'qris' }).ack().answer(QR);

	test('a QR code is requested as a QRIS sale, acknowledged when it is shown, and then polled', async () => {
		shown();
		expect(fixture.requests).toMatchObject([{ request: { type: 'qris', amount: TOTAL } }]);
		expect([fixture.acknowledged, log('card.sent')]).toEqual([['sent'], [expect.objectContaining({ method: 'qris' })]]);
		await vi.advanceTimersByTimeAsync(44_000);
		expect(fixture.requests).toHaveLength(1);
		await vi.advanceTimersByTimeAsync(2_000);
		fixture.answer({ type: 'qris_inquiry', code: 'S3' });
		expect(fixture.acknowledged).toHaveLength(2);
		await vi.advanceTimersByTimeAsync(14_000);
		expect(fixture.requests).toHaveLength(2);
		await vi.advanceTimersByTimeAsync(2_000);
		expect(fixture.requests).toHaveLength(3);
	});

	test('a QRIS sale is refused if QRIS is switched off', () => {
		fixture.qris = false;
		fixture.restart();
		fixture.start({ method: 'qris' });
		expect([fixture.phases(), fixture.requests]).toEqual([['not_ready'], []]);
	});

	test('an unanswered poll is repeated, and after the last poll the sale is unknown with the reason', async () => {
		shown();
		for (const _ of [1, 2, 3]) {
			await vi.advanceTimersByTimeAsync(46_000);
			fixture.silent();
		}
		expect(why()).toEqual(['the QR code was not paid after 3 inquiries and may still be paid']);
		expect(fixture.requests.map(({ request }) => request.type)).toEqual(['qris', 'qris_inquiry', 'qris_inquiry', 'qris_inquiry']);
	});

	test('a sale that is declined before a code is shown ends as declined', () => {
		fixture.start({ method: 'qris' }).answer({ type: 'qris', code: 'PT' });
		expect([sale().state, fixture.state()]).toEqual(['declined', 'ready']);
	});

	test('if the disk refuses to record a QR code, the sale is unknown', async () => {
		fixture.start({ method: 'qris' }).ack();
		fixture.trouble = 'disk_full';
		fixture.answer(QR);
		expect(fixture.phases().at(-1)).toBe('unknown');
		await heal();
		expect(sale()).toMatchObject({ state: 'unknown' });
	});

	test.each([
		['another code', { rrn: '600000000099' }],
		['no code', { rrn: '' }],
	])('an unrequested payment of %s does not pay this code', async (_what, fields) => {
		shown();
		fixture.answer({ type: 'qris_inquiry', ...fields }, null);
		expect(sale().state).toBe('sent');
		expect(fixture.journal.cards.unknown()).toMatchObject([{ payment: null }]);
	});

	test('a card approval while a code is shown does not pay the code', () => {
		shown();
		fixture.answer({ type: 'sale', rrn: '600000000001' }, null);
		expect(sale().state).toBe('sent');
	});

	test('a code whose sale is unknown after a restart is polled repeatedly, even if the terminal refuses the inquiries', async () => {
		shown().restart();
		for (const code of ['S3', 'PT']) {
			await quiet();
			expect(fixture.requests.at(-1)?.request).toEqual({ type: 'qris_inquiry', amount: TOTAL, reference: QR.rrn });
			fixture.answer({ type: 'qris_inquiry', code });
			expect(sale()).toMatchObject({ state: 'unknown', response: { type: 'qris' } });
		}
		expect(fixture.acknowledged).toHaveLength(3);
		await quiet();
		fixture.answer({ type: 'qris_inquiry', amount: rupiah(1_000), rrn: QR.rrn });
		expect(log('card.evidence')).toHaveLength(1);
	});

	test('if a sale with a code is unknown, an unrequested payment of this code approves the sale', () => {
		shown().restart();
		fixture.answer({ type: 'qris_inquiry', rrn: QR.rrn }, null);
		expect(sale().state).toBe('approved');
	});
});

describe('a slip of a sale that already has another charge', () => {
	const SLIP = { type: 'reprint', time: '143120' } as const;
	const isOtherListed = () => fixture.journal.cards.unknown().some(({ response }) => response?.rrn === 'OTHER');
	beforeEach(async () => {
		useCardFixture({ inquiry: 'reprint' });
		fixture.start();
		begun();
		fixture.ack().answer({ amount: rupiah(99_000), rrn: 'OTHER', invoice: '000901' }, null);
		await quiet();
	});

	test.each(['card_unexplained', 'card_outcome'] as const)(
		'if the disk refuses %s once, the other charge stays listed, even after a restart',
		async (kind) => {
			const { append } = fixture.journal;
			fixture.journal.append = (record) => {
				if (record.kind !== kind) return append(record);
				fixture.journal.append = append;
				return { ok: false, error: { code: 'journal_unhealthy', message: 'database is locked' } };
			};
			fixture.answer(SLIP);
			fixture.restart();
			expect(isOtherListed()).toBe(true);
		},
	);

	test('while the disk refuses every record, the slip is not acknowledged', async () => {
		const before = fixture.acknowledged.length;
		fixture.trouble = 'disk_full';
		fixture.answer(SLIP);
		await vi.advanceTimersByTimeAsync(30_000);
		expect(fixture.acknowledged).toHaveLength(before);
	});
});

test('the slip of a sale that was declined while its inquiry was in flight reopens the sale', async () => {
	useCardFixture({ inquiry: 'reprint' });
	fixture.start();
	begun();
	const { id } = fixture;
	fixture.silent();
	await quiet();
	fixture.answer({ code: '54' }, id).answer({ type: 'reprint', time: '143120' });
	expect(sale().state).toBe('unknown');
});
