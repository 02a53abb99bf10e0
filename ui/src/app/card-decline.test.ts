import { expect, test } from 'vitest';
import { afterDecline, declineCode } from './card-decline.ts';

test('a code of the card’s bank begins with a figure; what nobody knows is named so', () => {
	for (const code of ['51', '05', '91', '5C', 'aa']) expect(declineCode(code)).toBe('aa');
	for (const code of ['S2', 'S4', 'CE', 'TO', '54', '55', 'P2', 'Z3', 'PT', 'PS', 'S3', 'TN', 'P3']) expect(declineCode(code)).toBe(code);
	for (const code of ['', '  ', 'P9', 's2', '5', '555', 'XX']) expect(declineCode(code)).toBe('unknown');
});

test('three retries, then no more', () => {
	for (const code of ['S2', 'S4', 'CE', 'TO', '54', '55', 'P2', 'Z3', 'aa', 'S3']) expect(afterDecline(code, 1, undefined)).toBe('retry');
	expect([1, 2, 3, 4].map((declines) => afterDecline('51', declines, undefined))).toEqual(['retry', 'retry', 'retry', 'given_up']);
});

test('a cancelled sale, a terminal in trouble and an unknown code are not tried again', () => {
	for (const code of ['P3', 'PT', 'PS', 'TN', 'Q9', '']) expect(afterDecline(code, 1, undefined)).toBe('home');
});

test('the word of the daemon outranks the code, but not the number of retries', () => {
	expect(afterDecline('PT', 1, true)).toBe('retry');
	expect(afterDecline('S2', 1, false)).toBe('home');
	expect(afterDecline('PT', 4, true)).toBe('given_up');
});
