import { expect, test } from 'vitest';
import { afterDecline, declineCode } from './card-decline.ts';

test('[spec 8.16] a code that is not listed counts as a bank code (aa) if it is a digit and one more character, otherwise as unknown', () => {
	for (const code of ['51', '05', '91', '5C', 'aa']) expect(declineCode(code)).toBe('aa');
	for (const code of ['S2', 'S4', 'CE', 'TO', '54', '55', 'P2', 'Z3', 'PT', 'PS', 'S3', 'TN', 'P3']) expect(declineCode(code)).toBe(code);
	for (const code of ['', '  ', 'P9', 's2', '5', '555', 'XX']) expect(declineCode(code)).toBe('unknown');
});

test('[spec 8.15] if a sale is declined with a code that allows a retry, it is retried at most three times', () => {
	for (const code of ['S2', 'S4', 'CE', 'TO', '54', '55', 'P2', 'Z3', 'aa', 'S3']) expect(afterDecline(code, 1, undefined)).toBe('retry');
	expect([1, 2, 3, 4].map((declines) => afterDecline('51', declines, undefined))).toEqual(['retry', 'retry', 'retry', 'given_up']);
});

test('[spec 8.16] if the daemon has not decided about a retry, a sale is not retried after P3, PT, PS, TN and unknown codes', () => {
	for (const code of ['P3', 'PT', 'PS', 'TN', 'Q9', '']) expect(afterDecline(code, 1, undefined)).toBe('home');
});

test('[spec 8.16] the daemon’s decision about a retry overrides the rule for the code, but not the limit of three retries', () => {
	expect(afterDecline('PT', 1, true)).toBe('retry');
	expect(afterDecline('S2', 1, false)).toBe('home');
	expect(afterDecline('PT', 4, true)).toBe('given_up');
});
