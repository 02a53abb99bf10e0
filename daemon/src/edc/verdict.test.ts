import { expect, test } from 'vitest';
import { rupiah } from '../../contract/money.ts';
import { responseWith, TOTAL } from './test-bench.ts';
import { mayRetry, RETRY_CODES, verdictOf } from './verdict.ts';

const asked = { type: 'sale', amount: TOTAL } as const;
const none: ReadonlySet<string> = new Set();

test.each([
	[responseWith({}), { outcome: 'approved' }],
	[responseWith({ code: '51' }), { outcome: 'declined' }],
	[responseWith({ code: '51', amount: rupiah(1_000) }), { outcome: 'declined' }],
	[responseWith({ type: 'void' }), { outcome: 'unknown', why: 'the terminal answered a sale with a void' }],
	[responseWith({ type: 'void', code: '51' }), { outcome: 'unknown', why: 'the terminal answered a sale with a void' }],
	[responseWith({ amount: rupiah(1_000) }), { outcome: 'unknown', why: 'the terminal approved Rp 1000 instead of Rp 137500' }],
	[responseWith({ amount: null }), { outcome: 'unknown', why: 'the terminal approved Rp ? instead of Rp 137500' }],
])('a sale that is answered with %o', (response, verdict) => expect(verdictOf(asked, response, none)).toEqual(verdict));

test('a code that the owner does not trust says nothing about the money', () => {
	const why = 'the terminal answered TO';
	expect(verdictOf(asked, responseWith({ code: 'TO' }), new Set(['TO']))).toEqual({ outcome: 'unknown', why });
	expect(verdictOf(asked, responseWith({ code: 'CE' }), new Set(['TO']))).toEqual({ outcome: 'declined' });
});

test('the screen begins again by itself only after what the owner allows, and never after a cancel', () => {
	const all = new Set<string>(RETRY_CODES);
	expect(['51', '05', '54', 'TO', 'S3'].map((code) => mayRetry(code, all))).toEqual([true, true, true, true, true]);
	expect(['00', 'P3', 'PT', 'PS', 'TN'].map((code) => mayRetry(code, all))).toEqual([false, false, false, false, false]);
	expect(['51', '54', 'TO'].map((code) => mayRetry(code, new Set(['54'])))).toEqual([false, true, false]);
	expect(['51', '54', 'TO'].map((code) => mayRetry(code, new Set(['aa'])))).toEqual([true, false, false]);
});
