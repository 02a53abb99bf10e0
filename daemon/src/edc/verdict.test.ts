import { rupiah } from '@kiosk/contract/money';
import { expect, test } from 'vitest';
import { responseWith, TOTAL } from '../card/card-machine.fixture.ts';
import { mayRetry, RETRY_CODES, verdictOf } from './verdict.ts';

const asked = { type: 'sale', amount: TOTAL } as const;
const none: ReadonlySet<string> = new Set();

test.each([
	[responseWith({}), { outcome: 'approved' }],
	[responseWith({ code: '51' }), { outcome: 'declined' }],
	[responseWith({ code: '51', amount: rupiah(1_000) }), { outcome: 'declined' }],
	[responseWith({ type: 'void' }), { outcome: 'unknown', why: 'the terminal answered "sale" with "void"' }],
	[responseWith({ type: 'void', code: '51' }), { outcome: 'unknown', why: 'the terminal answered "sale" with "void"' }],
	[responseWith({ amount: rupiah(1_000) }), { outcome: 'unknown', why: 'the terminal approved Rp 1000 instead of Rp 137500' }],
	[responseWith({ amount: null }), { outcome: 'unknown', why: 'the terminal approved Rp ? instead of Rp 137500' }],
])('a sale answered with %o has the verdict %o', (response, verdict) => expect(verdictOf(asked, response, none)).toEqual(verdict));

test('a code in unknown_codes makes a sale unknown', () => {
	const why = 'the terminal answered TO';
	expect(verdictOf(asked, responseWith({ code: 'TO' }), new Set(['TO']))).toEqual({ outcome: 'unknown', why });
	expect(verdictOf(asked, responseWith({ code: 'CE' }), new Set(['TO']))).toEqual({ outcome: 'declined' });
});

test('[spec 8.15, 8.16] a retry is allowed after the codes in retry_codes (aa: any code of the bank’s host), but never after P3, PT, PS and TN', () => {
	const all = new Set<string>(RETRY_CODES);
	expect(['51', '05', '54', 'TO', 'S3', 'X9'].filter((code) => !mayRetry(code, all))).toEqual([]);
	expect(['00', 'P3', 'PT', 'PS', 'TN'].map((code) => mayRetry(code, all))).toEqual([false, false, false, false, false]);
	expect(['51', '54', 'TO'].map((code) => mayRetry(code, new Set(['54'])))).toEqual([false, true, false]);
	expect(['51', '54', 'TO'].map((code) => mayRetry(code, new Set(['aa'])))).toEqual([true, false, false]);
});
