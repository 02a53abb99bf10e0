import { rupiah } from '@kiosk/contract/money';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { ACCOUNT } from '../journal/payment.fixture.ts';
import type { Payment } from '../journal/records.ts';
import { type LookAgain, lookAgainWhenReported } from './look-again.ts';

const PAYMENT: Payment = { account: ACCOUNT, id: 7, odoo_id: null, noinvoice: 'INV/7', total: rupiah(137_500) };
const HOUR_MS = 3_600_000;

let reported: boolean;
let answers: boolean;
let lookUps: number;
let lookAgain: LookAgain;

beforeEach(() => {
	vi.useFakeTimers();
	[reported, answers, lookUps] = [false, true, 0];
	lookAgain = lookAgainWhenReported({
		clock: systemClock,
		isReported: () => reported,
		lookUp: async () => {
			lookUps += 1;
			return answers;
		},
	});
});
afterEach(() => void vi.useRealTimers());

test('when all money of an invoice is reported, the invoice is looked up once, after at least 25 s', async () => {
	lookAgain(PAYMENT);
	await vi.advanceTimersByTimeAsync(HOUR_MS);
	expect(lookUps).toBe(0);
	reported = true;
	await vi.advanceTimersByTimeAsync(24_000);
	expect(lookUps).toBe(0);
	await vi.advanceTimersByTimeAsync(HOUR_MS);
	expect(lookUps).toBe(1);
});

test('if all money of an invoice is already reported, the invoice is not looked up', async () => {
	reported = true;
	lookAgain(PAYMENT);
	await vi.advanceTimersByTimeAsync(HOUR_MS);
	expect(lookUps).toBe(0);
});

test('a look-up without an answer is repeated, but not after 100 tries', async () => {
	lookAgain(PAYMENT);
	[reported, answers] = [true, false];
	await vi.advanceTimersByTimeAsync(10 * 60_000);
	expect(lookUps).toBeGreaterThan(10);
	await vi.advanceTimersByTimeAsync(HOUR_MS);
	const asked = lookUps;
	await vi.advanceTimersByTimeAsync(HOUR_MS);
	expect(lookUps).toBe(asked);
	expect(asked).toBe(100);
});

test('a look-up that is still running does not cancel the look-up that is needed for money taken since', async () => {
	const payment = { account: ACCOUNT, id: 7, odoo_id: null, noinvoice: 'INV/7', total: rupiah(100_000) };
	let reported = false;
	let answers: ((answered: boolean) => void)[] = [];
	let asked = 0;
	const lookAgain = lookAgainWhenReported({
		clock: systemClock,
		isReported: () => reported,
		lookUp: () => {
			asked += 1;
			return new Promise((resolve) => answers.push(resolve));
		},
	});
	// The back office says "paid" while a note is not reported yet.
	lookAgain(payment);
	reported = true;
	await vi.advanceTimersByTimeAsync(50_000);
	expect(asked).toBe(1);
	// During the look-up staff find another note of the invoice in the cashbox, and the answer "paid"
	// requests another look-up.
	reported = false;
	lookAgain(payment);
	for (const answer of answers) answer(true);
	answers = [];
	await vi.advanceTimersByTimeAsync(30_000);
	reported = true;
	await vi.advanceTimersByTimeAsync(120_000);
	expect(asked).toBe(2);
});
