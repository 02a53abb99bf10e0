import { expect, test } from 'vitest';
import { afterDecline, declineCode } from './card-decline.ts';

test('[spec 8.16] an unlisted code of a digit and one more character counts as a bank code (aa); any other unlisted code counts as unknown', () => {
	for (const code of ['51', '05', '91', '5C', 'aa']) expect(declineCode(code)).toBe('aa');
	for (const code of ['S2', 'S4', 'CE', 'TO', '54', '55', 'P2', 'Z3', 'PT', 'PS', 'S3', 'TN', 'P3']) expect(declineCode(code)).toBe(code);
	for (const code of ['', '  ', 'P9', 's2', '5', '555', 'XX']) expect(declineCode(code)).toBe('unknown');
});

test('[spec 8.15] a sale declined with a retry code is retried at most three times', () => {
	for (const code of ['S2', 'S4', 'CE', 'TO', '54', '55', 'P2', 'Z3', 'aa', 'S3']) expect(afterDecline(code, 1, undefined)).toBe('retry');
	expect([1, 2, 3, 4].map((declines) => afterDecline('51', declines, undefined))).toEqual(['retry', 'retry', 'retry', 'given_up']);
});

test('[spec 8.16] without the daemon’s decision about a retry, P3, PT, PS, TN and unassigned codes are not retried', () => {
	for (const code of ['P3', 'PT', 'PS', 'TN', 'Q9', '']) expect(afterDecline(code, 1, undefined)).toBe('home');
});

test('[spec 8.16] the daemon’s retry decision overrides the rule for the code, but not the limit of three retries', () => {
	expect(afterDecline('PT', 1, true)).toBe('retry');
	expect(afterDecline('S2', 1, false)).toBe('home');
	expect(afterDecline('PT', 4, true)).toBe('given_up');
});
