/** Staff decisions, inquiries and unrequested answers that coincide. */
import { rupiah } from '@kiosk/contract/money';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { paidBy } from '../journal/payment.fixture.ts';
import { Crash, invoiceOf, TOTAL } from './card-machine.fixture.ts';
import {
	askAboutQr,
	askForSlip,
	cardFixtureOfEachTest,
	fixture,
	heal,
	listed,
	PAID_QR,
	QR,
	quiet,
	sale,
	settle,
	showQr,
	staff,
	useCardFixture,
} from './card-steps.fixture.ts';

cardFixtureOfEachTest();

describe('a decision of staff while an inquiry is in flight', () => {
	test.each([
		['not_charged', '00', 'unknown'],
		['not_charged', 'S3', 'not_charged'],
		['not_charged', 'S4', 'not_charged'],
		['charged', '00', 'approved'],
		['charged', 'S3', 'approved'],
		['charged', 'S4', 'unknown'],
	] as const)('if staff settle a QR sale as %s and the inquiry is then answered with %s, the sale is %s', async (outcome, code, state) => {
		await askAboutQr();
		await settle(outcome);
		fixture.answer({ ...PAID_QR, code });
		expect(sale().state).toBe(state);
		expect([fixture.state(), fixture.acknowledged.length]).toEqual([state === 'unknown' ? 'unresolved' : 'ready', 2]);
	});

	test.each([
		['not_charged', 'of the sale', '143120', 'unknown'],
		['not_charged', 'of an earlier sale', '143100', 'not_charged'],
		['charged', 'of the sale', '143120', 'approved'],
	] as const)(
		'after staff settle a card sale as %s, and the inquiry returns a slip %s (time %s), the sale is %s',
		async (outcome, _slip, time, state) => {
			await askForSlip();
			await settle(outcome);
			fixture.answer({ type: 'reprint', time });
			expect(sale().state).toBe(state);
		},
	);
});

test('if the late payment of a QR code is voided by hand before the inquiry about the code is answered, the sale is unknown', async () => {
	await askAboutQr();
	const { id } = fixture;
	fixture.answer(PAID_QR, null);
	fixture.answer({ ...sale().response, type: 'void' }, null);
	fixture.answer(PAID_QR, id);
	expect([sale().state, fixture.state(), fixture.acknowledged.length]).toEqual(['unknown', 'unresolved', 4]);
});

describe('an unrequested answer', () => {
	/** @returns the next inquiry about the unknown QR code */
	async function nextReference(): Promise<unknown> {
		await quiet();
		return fixture.requests.at(-1)?.request;
	}

	test.each([
		['for the amount of the sale leads to an inquiry, whose answer pays the sale', {}, 'approved'],
		['for another amount leaves the sale unknown', { amount: rupiah(5_000) }, 'unknown'],
	])('after a restart an unrequested QR code %s', async (_what, fields, state) => {
		fixture.qris = true;
		fixture.restart();
		fixture.start({ method: 'qris' }).ack().restart();
		fixture.answer({ ...QR, ...fields }, null);
		expect([sale().state, fixture.acknowledged.length]).toEqual(['unknown', 1]);
		await quiet();
		if (state === 'unknown') return expect(fixture.requests).toHaveLength(1);
		fixture.answer(PAID_QR);
		expect([sale().state, fixture.state()]).toEqual(['approved', 'ready']);
	});

	test('the payment of a QR code is not taken for a card charge with the same reference', () => {
		fixture.answer({ rrn: QR.rrn }, null).answer(PAID_QR, null);
		expect(listed()).toEqual([
			[null, TOTAL],
			[null, TOTAL],
		]);
	});

	test('an unrequested decline of a card does not replace the reference of an unknown QR code', async () => {
		showQr();
		fixture.restart();
		fixture.answer({ code: '54' }, null);
		expect(await nextReference()).toMatchObject({ type: 'qris_inquiry', reference: QR.rrn });
		expect(listed()).toEqual([[7, TOTAL]]);
	});

	test.each([
		['a card', {}],
		['another QR code', { type: 'qris_inquiry', rrn: '600000000002' }],
		['a QR code without reference', { type: 'qris_inquiry', rrn: '' }],
	] as const)(
		'if the same amount is charged to %s, this charge is listed for staff beside the unknown QR sale, even after the code has expired',
		async (_what, fields) => {
			showQr();
			fixture.restart();
			fixture.answer(fields, null);
			expect(await nextReference()).toMatchObject({ type: 'qris_inquiry', reference: QR.rrn });
			fixture.answer({ type: 'qris_inquiry', code: 'S4' });
			expect([sale().state, listed()]).toEqual(['declined', [[null, TOTAL]]]);
		},
	);

	test('a card charge of another amount does not affect the QR code that is shown', async () => {
		showQr();
		fixture.answer({ amount: rupiah(5_000) }, null);
		expect([sale().state, listed()]).toEqual(['sent', [[null, 5_000]]]);
		await vi.advanceTimersByTimeAsync(46_000);
		fixture.answer(PAID_QR);
		expect([sale().state, listed()]).toEqual(['approved', [[null, 5_000]]]);
	});

	test('a second unrequested charge of the sale’s amount is listed for staff beside the first one', () => {
		fixture.start().restart();
		fixture.answer({}, null).answer({}, null);
		expect(listed()).toEqual([
			[7, TOTAL],
			[null, TOTAL],
		]);
	});

	test('an unrequested decline does not replace a recorded charge of another amount', () => {
		fixture.start().ack();
		fixture.answer({ amount: rupiah(5_000), invoice: '000042' }, null);
		fixture.restart();
		fixture.answer({ code: '54' }, null);
		expect(sale()).toMatchObject({ state: 'unknown', response: { code: '00', amount: 5_000, invoice: '000042' } });
	});

	test('an unrequested charge of the sale’s amount is listed for staff beside an earlier charge of another amount', () => {
		fixture.start().ack();
		fixture.answer({ amount: rupiah(5_000), invoice: '000042' }, null);
		fixture.restart();
		fixture.answer({}, null);
		expect(sale()).toMatchObject({ state: 'unknown', response: { amount: 5_000, invoice: '000042' } });
		expect(listed()).toEqual([
			[7, TOTAL],
			[null, TOTAL],
		]);
	});
});

test('a charge of another amount stays listed for staff if the power fails while the answer to the sale is written', () => {
	fixture.start().ack();
	const { id } = fixture;
	fixture.answer({ amount: rupiah(5_000) }, null);
	expect(sale()).toMatchObject({ state: 'unknown', response: { amount: 5_000 } });
	fixture.onWrite = (when) => {
		if (when === 'after') throw new Crash();
	};
	expect(() => fixture.answer({}, id)).toThrow(Crash);
	fixture.onWrite = () => {};
	fixture.restart();
	expect(listed()).toContainEqual([null, 5_000]);
});

describe('a terminal that gives no numbers', () => {
	const withoutNumbers = { rrn: '', approval: '', invoice: '', batch: '' };
	beforeEach(() => {
		fixture
			.start()
			.ack()
			.answer({ ...withoutNumbers, time: '143108' });
		fixture.lookedUp = invoiceOf(8);
	});

	test('two sales of the same amount count as two, and a repeated answer does not count again', () => {
		fixture
			.start()
			.ack()
			.answer({ ...withoutNumbers, time: '153108' });
		expect(sale()).toMatchObject({ state: 'approved', payment: { id: 8 } });
		fixture.answer({ ...withoutNumbers, time: '153108' }, null);
		expect(listed()).toEqual([]);
		fixture.lookedUp = invoiceOf(9);
		fixture
			.start()
			.ack()
			.answer({ ...withoutNumbers, time: '153108' });
		expect(listed()).toEqual([[9, TOTAL]]);
	});

	test.each(['not begun', 'declined'])('a charge that comes after the sale ended as %s is listed for staff', (ended) => {
		fixture.start();
		const { id } = fixture;
		if (ended === 'declined') fixture.ack().answer({ code: '54' });
		else fixture.report({ kind: 'not_begun', request_id: id, why: 'the terminal does not answer' });
		fixture.answer({ ...withoutNumbers, time: '153108' }, id);
		expect(listed()).toEqual([[8, TOTAL]]);
	});

	test.each(['00', '54'])(
		'if a charge of another amount comes before the answer %s to the sale, the charge stays listed for staff',
		(code) => {
			fixture.start().ack();
			const { id } = fixture;
			fixture.answer({ ...withoutNumbers, amount: rupiah(5_000), time: '153000' }, null);
			fixture.answer({ ...withoutNumbers, code, time: '153108' }, id);
			expect(listed()).toEqual([[null, 5_000]]);
		},
	);
});

test('after a slip has approved the sale, an earlier unrequested charge of the same amount stays listed for staff', async () => {
	await askForSlip();
	fixture.answer({}, null);
	fixture.answer({ type: 'reprint', time: '143120' });
	expect([sale().state, listed()]).toEqual(['approved', [[null, TOTAL]]]);
});

describe('a void', () => {
	test('while a void is open, staff cannot settle the sale as charged', async () => {
		fixture.start().ack().answer();
		const unheard = staff('void');
		fixture.silent();
		await unheard;
		const voided = staff('void');
		fixture.told = [];
		expect(await settle('charged')).toMatchObject({ code: 'busy' });
		expect(fixture.paid()).toEqual([]);
		fixture.answer({ type: 'void' });
		expect(await voided).toMatchObject({ code: 'done' });
		expect([sale().state, listed()]).toEqual(['voided', []]);
	});

	test.each([
		['charged', '00', 'unknown'],
		['charged', '25', 'approved'],
		['not_charged', '00', 'not_charged'],
		['not_charged', '25', 'unknown'],
	] as const)(
		'if staff settled the sale as %s, and a late void answer without a number has code %s, the sale is %s',
		async (outcome, code, state) => {
			fixture.start().ack().answer({ invoice: '000042' });
			const unheard = staff('void');
			const { id } = fixture;
			fixture.silent();
			await unheard;
			await settle(outcome);
			fixture.answer({ type: 'void', code, invoice: '' }, id);
			expect(sale()).toMatchObject({ state, response: { type: 'sale', invoice: '000042' } });
			expect(listed()).toEqual(state === 'unknown' ? [[7, TOTAL]] : []);
			expect(fixture.acknowledged).toHaveLength(2);
		},
	);

	test('while the sale is unknown, a late refusal of its void is recorded as evidence', async () => {
		fixture.start().ack().answer({ invoice: '000042' });
		const unheard = staff('void');
		fixture.silent();
		await unheard;
		fixture.answer({ type: 'void', code: '25' });
		expect(sale()).toMatchObject({ state: 'unknown', why: expect.stringContaining('the terminal answered void 25') });
		expect(sale().response).toMatchObject({ type: 'sale', invoice: '000042' });
	});

	test.each([
		['TO', 'unknown'],
		['25', 'approved'],
	])('if a void is answered %s, the sale is %s (unknown_codes contains TO)', async (code, state) => {
		useCardFixture({ unknownCodes: new Set(['TO']) });
		fixture.start().ack().answer();
		const answer = staff('void');
		fixture.answer({ type: 'void', code });
		expect(await answer).toMatchObject({ code: state === 'unknown' ? 'unknown' : 'declined', text: `the terminal answered ${code}` });
		expect([sale().state, paidBy(fixture.journal, 7)]).toEqual([state, state === 'unknown' ? null : 'kiosk']);
	});

	test.each([
		['on another terminal', {}, { terminal_id: 'ECR00999' }],
		['in another batch', { batch: '' }, { batch: '000002' }],
		['on a terminal that numbers its sales from 1 again', {}, {}],
	])('a void that returns the charge of another sale with the same number %s makes both sales unknown', async (_what, one, other) => {
		fixture
			.start()
			.ack()
			.answer({ invoice: '000042', ...one });
		const first = sale();
		fixture.lookedUp = invoiceOf(8);
		fixture
			.start()
			.ack()
			.answer({ invoice: '000042', ...other });
		const answer = staff('void', first);
		fixture.answer({ type: 'void', invoice: '000042', ...other });
		expect(await answer).toMatchObject({ code: 'unknown' });
		expect(listed()).toEqual([
			[7, TOTAL],
			[8, TOTAL],
		]);
		expect([paidBy(fixture.journal, 7), paidBy(fixture.journal, 8)]).toEqual([null, null]);
		expect(fixture.acknowledged).toHaveLength(3);
		for (const one of fixture.journal.cards.unknown()) await settle(one.payment?.id === 7 ? 'charged' : 'not_charged', one);
		expect(fixture.state()).toBe('ready');
	});

	test('if the evidence that a void returned the charge of another sale cannot be written, the answer gets no ACK until the evidence is on disk', async () => {
		fixture.start().ack().answer({ invoice: '000042', batch: '' });
		const first = sale();
		fixture.lookedUp = invoiceOf(8);
		fixture.start().ack().answer({ invoice: '000042', batch: '000002' });
		const answer = staff('void', first);
		const { append } = fixture.journal;
		fixture.journal.append = (record) =>
			record.kind === 'card_evidence' ? { ok: false, error: { code: 'disk_full', message: 'no space' } } : append(record);
		fixture.answer({ type: 'void', invoice: '000042', batch: '000002' });
		expect(await answer).toMatchObject({ code: 'unknown' });
		expect(fixture.acknowledged).toHaveLength(2);
		fixture.journal.append = append;
		await heal();
		expect([listed(), fixture.acknowledged.length]).toEqual([
			[
				[7, TOTAL],
				[8, TOTAL],
			],
			3,
		]);
	});

	test('a void that returns the charge of another sale makes both sales unknown, even if the power fails between the two records', async () => {
		fixture.start().ack().answer({ invoice: '000042', batch: '' });
		const first = sale();
		fixture.lookedUp = invoiceOf(8);
		fixture.start().ack().answer({ invoice: '000042', batch: '000002' });
		void staff('void', first);
		fixture.onWrite = (when) => {
			if (when === 'after') throw new Crash();
		};
		expect(() => fixture.answer({ type: 'void', invoice: '000042', batch: '000002' })).toThrow(Crash);
		fixture.onWrite = () => {};
		fixture.restart();
		expect(listed()).toEqual([
			[7, TOTAL],
			[8, TOTAL],
		]);
	});
});

describe('the last slip', () => {
	test.each([
		['of another amount', { amount: rupiah(5_000) }],
		['of the day before', { date: '20261120' }],
		['of a refused sale', { code: '25' }],
	])('if the last slip is %s, its number is not used for a void, and its amount is not reported', async (_what, fields) => {
		await askForSlip();
		fixture.answer({ type: 'reprint', invoice: '000041', ...fields });
		await settle('charged');
		expect(sale()).toMatchObject({ state: 'approved', response: { type: 'reprint', amount: null, invoice: '' } });
		expect(await staff('void')).toMatchObject({ code: 'not_possible' });
		expect(fixture.requests.map(({ request }) => request.type)).toEqual(['sale', 'reprint']);
	});

	test('if the last slip may belong to this sale, staff can void the sale by the number on the slip', async () => {
		await askForSlip();
		fixture.answer({ type: 'reprint', invoice: '000041', date: '', time: '' });
		await settle('charged');
		void staff('void');
		expect(fixture.requests.at(-1)?.request).toEqual({ type: 'void', amount: TOTAL, invoice: '000041' });
	});
});

describe('"expired" about another QR code', () => {
	const expired = { type: 'qris_inquiry', code: 'S4', rrn: '600000000000' } as const;

	test('the response "expired" about another code does not end the sale whose code is shown', async () => {
		showQr();
		await vi.advanceTimersByTimeAsync(46_000);
		fixture.answer(expired);
		expect(sale().state).toBe('sent');
		await vi.advanceTimersByTimeAsync(16_000);
		fixture.answer(PAID_QR);
		expect(sale().state).toBe('approved');
	});

	test('the response "expired" about another code does not end an unknown QR sale', async () => {
		await askAboutQr();
		fixture.answer(expired);
		expect(sale().state).toBe('unknown');
		await quiet();
		fixture.answer(PAID_QR);
		expect(sale().state).toBe('approved');
	});
});
