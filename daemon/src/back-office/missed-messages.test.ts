import { rupiah } from '@kiosk/contract/money';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { ACCOUNT } from '../journal/payment.fixture.ts';
import type { Payment } from '../journal/records.ts';
import { lookUpMissed } from './missed-messages.ts';

const paymentOf = (id: number): Payment => ({ account: ACCOUNT, id, odoo_id: null, noinvoice: `INV/${id}`, total: rupiah(137_500) });
const MINUTE_MS = 60_000;

let newest: Payment[] | null;
let lookedUp: string[];
let answered: Promise<void>;
/** Results of failing look-ups, keyed by invoice number. All other look-ups are answered. */
let answers: Record<string, 'unreadable' | 'no_answer'>;
let onOpened: () => void;

beforeEach(() => {
	vi.useFakeTimers();
	[newest, lookedUp, answered, answers] = [[paymentOf(8), paymentOf(7)], [], Promise.resolve(), {}];
	onOpened = lookUpMissed({
		clock: systemClock,
		newest: () => newest,
		async lookUp({ noinvoice }) {
			lookedUp.push(noinvoice);
			await answered;
			return answers[noinvoice] ?? 'answered';
		},
	});
});
afterEach(() => void vi.useRealTimers());

test('each of the newest invoices is looked up once, some seconds after the socket has opened', async () => {
	onOpened();
	await vi.advanceTimersByTimeAsync(4_000);
	expect(lookedUp).toEqual([]);
	await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);
	expect(lookedUp).toEqual(['INV/8', 'INV/7']);
});

test('if a socket keeps opening and closing, there is one round of look-ups a minute and one after the last opening', async () => {
	for (let opened = 0; opened < 60; opened += 1) {
		onOpened();
		await vi.advanceTimersByTimeAsync(2_000);
	}
	expect(lookedUp).toHaveLength(4);
	newest = [paymentOf(9)];
	await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);
	expect(lookedUp.slice(4)).toEqual(['INV/9']);
});

test('if the socket opens during a slow round of look-ups, another round follows', async () => {
	const slow = Promise.withResolvers<void>();
	answered = slow.promise;
	onOpened();
	await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
	onOpened();
	await vi.advanceTimersByTimeAsync(5 * MINUTE_MS);
	expect(lookedUp).toEqual(['INV/8']);
	slow.resolve();
	await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);
	expect(lookedUp).toEqual(['INV/8', 'INV/7', 'INV/8', 'INV/7']);
});

test('while the journal is unreadable, the round of look-ups is retried every minute', async () => {
	newest = null;
	onOpened();
	await vi.advanceTimersByTimeAsync(3 * MINUTE_MS);
	newest = [paymentOf(7)];
	await vi.advanceTimersByTimeAsync(MINUTE_MS);
	expect(lookedUp).toEqual(['INV/7']);
	await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);
	expect(lookedUp).toEqual(['INV/7']);
});

test('an invoice without an answer is looked up every minute, at most five times', async () => {
	answers = { 'INV/8': 'no_answer', 'INV/7': 'no_answer' };
	onOpened();
	await vi.advanceTimersByTimeAsync(MINUTE_MS);
	answers = { 'INV/8': 'no_answer' };
	await vi.advanceTimersByTimeAsync(MINUTE_MS);
	expect(lookedUp).toEqual(['INV/8', 'INV/7', 'INV/8', 'INV/7']);
	await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);
	expect(lookedUp.slice(4)).toEqual(['INV/8', 'INV/8', 'INV/8']);
});

test('if the journal is closed during a round of look-ups, another round follows when the journal is readable', async () => {
	answers = { 'INV/8': 'unreadable' };
	onOpened();
	await vi.advanceTimersByTimeAsync(MINUTE_MS);
	[newest, answers, lookedUp] = [null, {}, []];
	await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
	newest = [paymentOf(8)];
	await vi.advanceTimersByTimeAsync(60 * MINUTE_MS);
	expect(lookedUp).toEqual(['INV/8']);
});
