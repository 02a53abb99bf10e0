/** Staff decisions, inquiries and stray answers that meet at an unlucky moment. */
import { rupiah } from '@kiosk/contract/money';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { paidBy } from '../journal/payment.fixture.ts';
import { Crash, invoiceOf, TOTAL } from './card-machine.fixture.ts';
import {
	askAboutQr,
	askForSlip,
	bench,
	benchOfEachTest,
	listed,
	PAID_QR,
	QR,
	quiet,
	sale,
	settle,
	showQr,
	staff,
	useBench,
} from './card-steps.fixture.ts';

benchOfEachTest();

describe('staff settle a sale while an inquiry about it is on its way', () => {
	test.each([
		['not_charged', '00', 'unknown'],
		['not_charged', 'S3', 'not_charged'],
		['not_charged', 'S4', 'not_charged'],
		['charged', '00', 'approved'],
		['charged', 'S3', 'approved'],
		['charged', 'S4', 'unknown'],
	] as const)('as %s, and the terminal then answers %s about the QR code: the sale is %s', async (outcome, code, state) => {
		await askAboutQr();
		await settle(outcome);
		bench.answer({ ...PAID_QR, code });
		expect(sale().state).toBe(state);
		expect([bench.state(), bench.acknowledged.length]).toEqual([state === 'unknown' ? 'unresolved' : 'ready', 2]);
	});

	test.each([
		['not_charged', 'of the sale', '143120', 'unknown'],
		['not_charged', 'of an earlier sale', '143100', 'not_charged'],
		['charged', 'of the sale', '143120', 'approved'],
	] as const)('as %s, and the slip is %s (time %s): the sale is %s', async (outcome, _slip, time, state) => {
		await askForSlip();
		await settle(outcome);
		bench.answer({ type: 'reprint', time });
		expect(sale().state).toBe(state);
	});
});

test('an inquiry is answered after a late payment was given back by hand: staff decide', async () => {
	await askAboutQr();
	const { id } = bench;
	bench.answer(PAID_QR, null);
	bench.answer({ ...sale().response, type: 'void' }, null);
	bench.answer(PAID_QR, id);
	expect([sale().state, bench.state(), bench.acknowledged.length]).toEqual(['unknown', 'unresolved', 4]);
});

describe('an unrequested answer', () => {
	/** @returns the reference of the next inquiry about the unknown QR code */
	async function nextReference(): Promise<unknown> {
		await quiet();
		return bench.requests.at(-1)?.request;
	}

	test.each([
		['for the amount of the sale, pays the sale', {}, 'approved'],
		['for another amount, leaves the sale unknown', { amount: rupiah(5_000) }, 'unknown'],
	])('about a QR code after a restart, %s', async (_what, fields, state) => {
		bench.qris = true;
		bench.restart();
		bench.start({ method: 'qris' }).ack().restart();
		bench.answer({ ...QR, ...fields }, null);
		expect([sale().state, bench.acknowledged.length]).toEqual(['unknown', 1]);
		await quiet();
		if (state === 'unknown') return expect(bench.requests).toHaveLength(1);
		bench.answer(PAID_QR);
		expect([sale().state, bench.state()]).toEqual(['approved', 'ready']);
	});

	test('about a QR code is not taken for a card charge with the same reference', () => {
		bench.answer({ rrn: QR.rrn }, null).answer(PAID_QR, null);
		expect(listed()).toEqual([
			[null, TOTAL],
			[null, TOTAL],
		]);
	});

	test('about a declined card does not take the reference of an unknown QR code', async () => {
		showQr();
		bench.restart();
		bench.answer({ code: '54' }, null);
		expect(await nextReference()).toMatchObject({ type: 'qris_inquiry', reference: QR.rrn });
		expect(listed()).toEqual([[7, TOTAL]]);
	});

	test.each([
		['a card', {}],
		['another QR code', { type: 'qris_inquiry', rrn: '600000000002' }],
		['a QR code without reference', { type: 'qris_inquiry', rrn: '' }],
	] as const)(
		'about the same amount charged to %s is listed beside the unknown QR code, even after the code has expired',
		async (_what, fields) => {
			showQr();
			bench.restart();
			bench.answer(fields, null);
			expect(await nextReference()).toMatchObject({ type: 'qris_inquiry', reference: QR.rrn });
			bench.answer({ type: 'qris_inquiry', code: 'S4' });
			expect([sale().state, listed()]).toEqual(['declined', [[null, TOTAL]]]);
		},
	);

	test('about another amount charged to a card does not disturb the QR code that is shown', async () => {
		showQr();
		bench.answer({ amount: rupiah(5_000) }, null);
		expect([sale().state, listed()]).toEqual(['sent', [[null, 5_000]]]);
		await vi.advanceTimersByTimeAsync(46_000);
		bench.answer(PAID_QR);
		expect([sale().state, listed()]).toEqual(['approved', [[null, 5_000]]]);
	});

	test('about a second charge of the amount is listed beside the first one', () => {
		bench.start().restart();
		bench.answer({}, null).answer({}, null);
		expect(listed()).toEqual([
			[7, TOTAL],
			[null, TOTAL],
		]);
	});

	test('about a decline does not hide a charge of another amount', () => {
		bench.start().ack();
		bench.answer({ amount: rupiah(5_000), invoice: '000042' }, null);
		bench.restart();
		bench.answer({ code: '54' }, null);
		expect(sale()).toMatchObject({ state: 'unknown', response: { code: '00', amount: 5_000, invoice: '000042' } });
	});

	test('about a charge of the amount, after a charge of another amount, is listed as well', () => {
		bench.start().ack();
		bench.answer({ amount: rupiah(5_000), invoice: '000042' }, null);
		bench.restart();
		bench.answer({}, null);
		expect(sale()).toMatchObject({ state: 'unknown', response: { amount: 5_000, invoice: '000042' } });
		expect(listed()).toEqual([
			[7, TOTAL],
			[null, TOTAL],
		]);
	});
});

test('a charge of another amount stays listed if the power fails while the answer to the sale is written', () => {
	bench.start().ack();
	const { id } = bench;
	bench.answer({ amount: rupiah(5_000) }, null);
	expect(sale()).toMatchObject({ state: 'unknown', response: { amount: 5_000 } });
	bench.onWrite = (when) => {
		if (when === 'after') throw new Crash();
	};
	expect(() => bench.answer({}, id)).toThrow(Crash);
	bench.onWrite = () => {};
	bench.restart();
	expect(listed()).toContainEqual([null, 5_000]);
});

describe('a terminal that gives no numbers', () => {
	const withoutNumbers = { rrn: '', approval: '', invoice: '', batch: '' };
	beforeEach(() => {
		bench
			.start()
			.ack()
			.answer({ ...withoutNumbers, time: '143108' });
		bench.lookedUp = invoiceOf(8);
	});

	test('can sell the same amount twice; a repeated answer counts once', () => {
		bench
			.start()
			.ack()
			.answer({ ...withoutNumbers, time: '153108' });
		expect(sale()).toMatchObject({ state: 'approved', payment: { id: 8 } });
		bench.answer({ ...withoutNumbers, time: '153108' }, null);
		expect(listed()).toEqual([]);
		bench.lookedUp = invoiceOf(9);
		bench
			.start()
			.ack()
			.answer({ ...withoutNumbers, time: '153108' });
		expect(listed()).toEqual([[9, TOTAL]]);
	});

	test.each(['not begun', 'declined'])('charges a card after the sale had ended as %s: the charge is listed', (ended) => {
		bench.start();
		const { id } = bench;
		if (ended === 'declined') bench.ack().answer({ code: '54' });
		else bench.report({ kind: 'not_begun', request_id: id, why: 'the terminal does not answer' });
		bench.answer({ ...withoutNumbers, time: '153108' }, id);
		expect(listed()).toEqual([[8, TOTAL]]);
	});

	test.each(['00', '54'])('reports another amount before it answers %s to the sale: the other amount stays listed', (code) => {
		bench.start().ack();
		const { id } = bench;
		bench.answer({ ...withoutNumbers, amount: rupiah(5_000), time: '153000' }, null);
		bench.answer({ ...withoutNumbers, code, time: '153108' }, id);
		expect(listed()).toEqual([[null, 5_000]]);
	});
});

test('a slip approves the sale: a charge of the amount that came before stays listed', async () => {
	await askForSlip();
	bench.answer({}, null);
	bench.answer({ type: 'reprint', time: '143120' });
	expect([sale().state, listed()]).toEqual(['approved', [[null, TOTAL]]]);
});

describe('a void', () => {
	test('that is still running prevents the decision that the sale was charged', async () => {
		bench.start().ack().answer();
		const unheard = staff('void');
		bench.silent();
		await unheard;
		const voided = staff('void');
		bench.told = [];
		expect(await settle('charged')).toMatchObject({ code: 'busy' });
		expect(bench.paid()).toEqual([]);
		bench.answer({ type: 'void' });
		expect(await voided).toMatchObject({ code: 'done' });
		expect([sale().state, listed()]).toEqual(['voided', []]);
	});

	test.each([
		['charged', '00', 'unknown'],
		['charged', '25', 'approved'],
		['not_charged', '00', 'not_charged'],
		['not_charged', '25', 'unknown'],
	] as const)(
		'answered without a number after staff settled the sale as %s, and with code %s, leaves the sale %s',
		async (outcome, code, state) => {
			bench.start().ack().answer({ invoice: '000042' });
			const unheard = staff('void');
			const { id } = bench;
			bench.silent();
			await unheard;
			await settle(outcome);
			bench.answer({ type: 'void', code, invoice: '' }, id);
			expect(sale()).toMatchObject({ state, response: { type: 'sale', invoice: '000042' } });
			expect(listed()).toEqual(state === 'unknown' ? [[7, TOTAL]] : []);
			expect(bench.acknowledged).toHaveLength(2);
		},
	);

	test('that the terminal refuses late is evidence while the sale is unknown', async () => {
		bench.start().ack().answer({ invoice: '000042' });
		const unheard = staff('void');
		bench.silent();
		await unheard;
		bench.answer({ type: 'void', code: '25' });
		expect(sale()).toMatchObject({ state: 'unknown', why: expect.stringContaining('the terminal answered void 25') });
		expect(sale().response).toMatchObject({ type: 'sale', invoice: '000042' });
	});

	test.each([
		['TO', 'unknown'],
		['25', 'approved'],
	])('answered %s leaves the sale %s if the settings count TO as a code of unknown outcome', async (code, state) => {
		useBench({ unknownCodes: new Set(['TO']) });
		bench.start().ack().answer();
		const answer = staff('void');
		bench.answer({ type: 'void', code });
		expect(await answer).toMatchObject({ code: state === 'unknown' ? 'unknown' : 'declined', text: `the terminal answered ${code}` });
		expect([sale().state, paidBy(bench.journal, 7)]).toEqual([state, state === 'unknown' ? null : 'kiosk']);
	});

	test.each([
		['on another terminal', {}, { terminal_id: 'ECR00999' }],
		['in another batch', { batch: '' }, { batch: '000002' }],
		['on a terminal that has begun to count at 1 again', {}, {}],
	])('that gives back another sale with the same number %s leaves both sales to staff', async (_what, one, other) => {
		bench
			.start()
			.ack()
			.answer({ invoice: '000042', ...one });
		const first = sale();
		bench.lookedUp = invoiceOf(8);
		bench
			.start()
			.ack()
			.answer({ invoice: '000042', ...other });
		const answer = staff('void', first);
		bench.answer({ type: 'void', invoice: '000042', ...other });
		expect(await answer).toMatchObject({ code: 'unknown' });
		expect(listed()).toEqual([
			[7, TOTAL],
			[8, TOTAL],
		]);
		expect([paidBy(bench.journal, 7), paidBy(bench.journal, 8)]).toEqual([null, null]);
		expect(bench.acknowledged).toHaveLength(3);
		for (const one of bench.journal.cards.unknown()) await settle(one.payment?.id === 7 ? 'charged' : 'not_charged', one);
		expect(bench.state()).toBe('ready');
	});

	test('that gives back another sale leaves both to staff, even if the power fails between their records', async () => {
		bench.start().ack().answer({ invoice: '000042', batch: '' });
		const first = sale();
		bench.lookedUp = invoiceOf(8);
		bench.start().ack().answer({ invoice: '000042', batch: '000002' });
		void staff('void', first);
		bench.onWrite = (when) => {
			if (when === 'after') throw new Crash();
		};
		expect(() => bench.answer({ type: 'void', invoice: '000042', batch: '000002' })).toThrow(Crash);
		bench.onWrite = () => {};
		bench.restart();
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
	])('%s: if the sale is found charged, the slip’s number voids nothing, and the slip’s amount is not reported', async (_what, fields) => {
		await askForSlip();
		bench.answer({ type: 'reprint', invoice: '000041', ...fields });
		await settle('charged');
		expect(sale()).toMatchObject({ state: 'approved', response: { type: 'reprint', amount: null, invoice: '' } });
		expect(await staff('void')).toMatchObject({ code: 'not_possible' });
		expect(bench.requests.map(({ request }) => request.type)).toEqual(['sale', 'reprint']);
	});

	test('that may belong to this sale: staff can void the sale by the number on it', async () => {
		await askForSlip();
		bench.answer({ type: 'reprint', invoice: '000041', date: '', time: '' });
		await settle('charged');
		void staff('void');
		expect(bench.requests.at(-1)?.request).toEqual({ type: 'void', amount: TOTAL, invoice: '000041' });
	});
});

describe('"expired" about another QR code', () => {
	const expired = { type: 'qris_inquiry', code: 'S4', rrn: '600000000000' } as const;

	test('does not end the code that is shown', async () => {
		showQr();
		await vi.advanceTimersByTimeAsync(46_000);
		bench.answer(expired);
		expect(sale().state).toBe('sent');
		await vi.advanceTimersByTimeAsync(16_000);
		bench.answer(PAID_QR);
		expect(sale().state).toBe('approved');
	});

	test('does not end an unknown code', async () => {
		await askAboutQr();
		bench.answer(expired);
		expect(sale().state).toBe('unknown');
		await quiet();
		bench.answer(PAID_QR);
		expect(sale().state).toBe('approved');
	});
});
