/** Staff decisions, inquiries, stray answers and failing disks that meet at an unlucky moment. */

import { rupiah } from '@kiosk/contract/money';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { paidBy, paymentOf } from '../journal/payment.fixture.ts';
import { Bench, benchForTest, invoiceOf, TOTAL } from './card-machine.fixture.ts';

let bench: Bench;
beforeEach(() => {
	bench = benchForTest();
});

const QR = { type: 'qris', rrn: '600000000001' } as const;
const PAID_QR = { type: 'qris_inquiry', rrn: QR.rrn } as const;
/** The terminal's clock at the first byte of the sale. */
const CLOCK = Date.parse('2026-11-21T14:31:08.000Z');

const sale = () => bench.sale() ?? expect.fail('there is no sale');
const settle = (outcome: 'charged' | 'not_charged', one = sale()) =>
	bench.desk.carryOut({ action: 'settle', sale: one, outcome, by: 'Sari', why: 'the slip says so' });
/** The invoice and amount of every charge that staff must settle. */
const listed = () => bench.journal.cards.unknown().map(({ payment, amount }) => [payment?.id ?? null, amount]);
const startVoid = (one = sale()) => bench.desk.carryOut({ action: 'void', sale: one, by: 'Sari', why: 'wrong bike' });
const heal = async () => {
	bench.trouble = null;
	await vi.advanceTimersByTimeAsync(10_000);
};
const quiet = () => vi.advanceTimersByTimeAsync(61_000);

function showQr(): void {
	bench.qris = true;
	bench.restart();
	bench.start({ method: 'qris' }).ack().answer(QR);
}

/** An unknown sale by a QR code, about which the kiosk has just inquired. */
async function askAboutQr(): Promise<void> {
	showQr();
	bench.restart();
	await quiet();
	expect(bench.requests.at(-1)?.request).toMatchObject({ type: 'qris_inquiry', reference: QR.rrn });
}

/** An unknown card sale whose last slip the kiosk has just requested. */
async function askForSlip(): Promise<void> {
	bench.close();
	bench = new Bench({ inquiry: 'reprint' });
	bench.start().report({ kind: 'begun', request_id: bench.id, clock: CLOCK });
	bench.silent();
	await quiet();
	expect(bench.requests.at(-1)?.request).toMatchObject({ type: 'reprint' });
}

describe('staff settle a sale while an inquiry about it is on its way', () => {
	test.each([
		['not_charged', '00', 'unknown'],
		['not_charged', 'S3', 'not_charged'],
		['not_charged', 'S4', 'not_charged'],
		['charged', '00', 'approved'],
		['charged', 'S3', 'approved'],
		['charged', 'S4', 'unknown'],
	] as const)('as %s; the answer about the QR code is %s: the sale is %s', async (outcome, code, state) => {
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
	] as const)('as %s; the slip is %s', async (outcome, _slip, time, state) => {
		await askForSlip();
		await settle(outcome);
		bench.answer({ type: 'reprint', time });
		expect(sale().state).toBe(state);
	});
});

describe('an unrequested answer', () => {
	/** @returns the reference of the next inquiry about the unknown QR code */
	async function nextReference(): Promise<unknown> {
		await quiet();
		return bench.requests.at(-1)?.request;
	}

	test.each([
		['of its amount', {}, 'approved'],
		['of another amount', { amount: rupiah(5_000) }, 'unknown'],
	])('about a code %s after a restart leaves the sale of that code %s', async (_what, fields, state) => {
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
		'about the same amount charged to %s is listed beside the unknown QR code, whatever becomes of the code',
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

	test.each(['00', '54'])('tells of another amount before it answers %s to the sale: the other amount stays listed', (code) => {
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
	test('is not overtaken by the decision that the sale was charged', async () => {
		bench.start().ack().answer();
		const unheard = startVoid();
		bench.silent();
		await unheard;
		const voided = startVoid();
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
		'whose answer comes after staff settled the sale as %s; it is %s and names no number: the sale is %s',
		async (outcome, code, state) => {
			bench.start().ack().answer({ invoice: '000042' });
			const unheard = startVoid();
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

	test('refused late is evidence while the sale is unknown', async () => {
		bench.start().ack().answer({ invoice: '000042' });
		const unheard = startVoid();
		bench.silent();
		await unheard;
		bench.answer({ type: 'void', code: '25' });
		expect(sale()).toMatchObject({ state: 'unknown', why: expect.stringContaining('the terminal answered void 25') });
		expect(sale().response).toMatchObject({ type: 'sale', invoice: '000042' });
	});

	test.each([
		['TO', 'unknown'],
		['25', 'approved'],
	])('answered %s leaves the sale %s if the owner counts TO as open', async (code, state) => {
		bench.close();
		bench = new Bench({ unknownCodes: new Set(['TO']) });
		bench.start().ack().answer();
		const answer = startVoid();
		bench.answer({ type: 'void', code });
		expect(await answer).toMatchObject({ code: state === 'unknown' ? 'unknown' : 'declined', text: `the terminal answered ${code}` });
		expect([sale().state, paidBy(bench.journal, 7)]).toEqual([state, state === 'unknown' ? null : 'kiosk']);
	});

	test.each([
		['terminal', { terminal_id: 'ECR00999' }],
		['batch', { batch: '000002' }],
		['run of a terminal that counts from 1 again', {}],
	])('that gives back a sale of another %s with this number leaves both sales to staff', async (_what, other) => {
		bench.start().ack().answer({ invoice: '000042' });
		const first = sale();
		bench.lookedUp = invoiceOf(8);
		bench
			.start()
			.ack()
			.answer({ invoice: '000042', ...other });
		const answer = startVoid(first);
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
});

describe('the last slip', () => {
	test.each([
		['of another amount', { amount: rupiah(5_000) }],
		['of the day before', { date: '20261120' }],
		['of a refused sale', { code: '25' }],
	])('%s: its number voids nothing and its amount is not reported, when staff find that the sale was charged', async (_what, fields) => {
		await askForSlip();
		bench.answer({ type: 'reprint', invoice: '000041', ...fields });
		await settle('charged');
		expect(sale()).toMatchObject({ state: 'approved', response: { type: 'reprint', amount: null, invoice: '' } });
		expect(await startVoid()).toMatchObject({ code: 'not_possible' });
		expect(bench.requests.map(({ request }) => request.type)).toEqual(['sale', 'reprint']);
	});

	test('that may be of this sale keeps its number for staff', async () => {
		await askForSlip();
		bench.answer({ type: 'reprint', invoice: '000041', date: '', time: '' });
		await settle('charged');
		void startVoid();
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

describe('a full disk', () => {
	test('at a late decline of a sale that staff settled as charged: after recovery staff decide again', async () => {
		bench.start().ack().silent();
		const { id } = bench;
		await settle('charged');
		bench.trouble = 'disk_full';
		bench.answer({ code: '54' }, id);
		await heal();
		expect([sale().state, listed(), bench.acknowledged]).toEqual(['unknown', [[7, TOTAL]], ['unknown']]);
		expect(await settle('not_charged')).toMatchObject({ code: 'done' });
		expect(bench.state()).toBe('ready');
	});

	test('at a late approval of a sale that staff settled as not charged: after recovery it belongs to that sale', async () => {
		bench.start().ack().silent();
		const { id } = bench;
		await settle('not_charged');
		bench.trouble = 'disk_full';
		bench.answer({}, id);
		await heal();
		expect([sale().state, listed(), bench.acknowledged]).toEqual(['unknown', [[7, TOTAL]], ['unknown']]);
	});

	test('at a late void without a number: after recovery staff decide again', async () => {
		bench.start().ack().answer();
		const unheard = startVoid();
		const { id } = bench;
		bench.silent();
		await unheard;
		await settle('charged');
		bench.trouble = 'disk_full';
		bench.answer({ ...sale().response, type: 'void', invoice: '' }, id);
		await heal();
		expect([sale().state, bench.acknowledged.length]).toEqual(['unknown', 2]);
	});

	test('at an answer that was written all the same: it is recorded once', async () => {
		bench.start().ack().silent();
		const { id } = bench;
		await settle('charged');
		const { append } = bench.journal;
		bench.journal.append = (record) => {
			append(record);
			return { ok: false, error: { code: 'disk_full', message: 'no space' } };
		};
		bench.answer({ code: '54' }, id);
		bench.journal.append = append;
		await heal();
		expect([sale().state, sale().why.match(/answered sale 54/g)?.length, bench.acknowledged.length]).toEqual(['unknown', 1, 1]);
	});

	test('at the late ACK of a sale that had not begun: after recovery it is unknown', async () => {
		bench.start();
		const { id } = bench;
		bench.report({ kind: 'not_begun', request_id: id, why: 'the terminal does not answer' });
		bench.trouble = 'disk_full';
		bench.report({ kind: 'acked', request_id: id });
		expect(bench.desk.isHolding(paymentOf(7))).toBe(true);
		await heal();
		expect([sale().state, bench.state()]).toEqual(['unknown', 'unresolved']);
		expect(sale().why).toBe('the terminal took the request after the kiosk had given it up');
	});

	test('at the end of a void: no screen hears that the sale is paid, and its invoice takes no other payment', async () => {
		bench.start().ack().answer();
		const voided = startVoid();
		bench.trouble = 'disk_full';
		bench.answer({ type: 'void' });
		await voided;
		expect(bench.desk.greeting().map(({ type }) => type)).not.toContain('payment_notification');
		expect(bench.desk.isHolding(paymentOf(7))).toBe(true);
	});

	test('at the QR code and at its payment: the code is asked about, and the sale ends as paid', async () => {
		bench.qris = true;
		bench.restart();
		bench.start({ method: 'qris' }).ack();
		bench.trouble = 'disk_full';
		bench.answer(QR);
		await heal();
		await quiet();
		expect(bench.requests.at(-1)?.request).toMatchObject({ type: 'qris_inquiry', reference: QR.rrn });
		bench.trouble = 'disk_full';
		bench.answer(PAID_QR);
		await heal();
		expect([sale().state, bench.state()]).toEqual(['approved', 'ready']);
	});

	test('at the expiry of an unknown QR code: the next inquiry ends it', async () => {
		await askAboutQr();
		bench.trouble = 'disk_full';
		bench.answer({ type: 'qris_inquiry', code: 'S4' });
		await heal();
		await quiet();
		bench.answer({ type: 'qris_inquiry', code: 'S4' });
		expect([sale().state, bench.state()]).toEqual(['declined', 'ready']);
	});

	test('at the slip of the sale: it is acknowledged once, and staff can end the sale', async () => {
		await askForSlip();
		bench.trouble = 'disk_full';
		bench.answer({ type: 'reprint', time: '143120' });
		await heal();
		expect(bench.acknowledged).toHaveLength(1);
		if (sale().state === 'unknown') await settle('charged');
		expect([sale().state, bench.state()]).toEqual(['approved', 'ready']);
	});
});
