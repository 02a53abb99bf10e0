import { expect, test } from 'vitest';
import { isComplete, shownCode, withoutLast } from './code-entry.ts';

/** @returns the text of the field after a keyboard or scanner has typed these characters */
const typed = (keys: string): string => [...keys].reduce((shown, key) => shownCode(shown + key), '');

test('a typed code is shown in groups of four, in capitals, and no longer than on paper', () => {
	expect(typed('3f9k0')).toBe('3F9K-0');
	expect(typed('3f9k-0012 abcd-efgh')).toBe('3F9K-0012-ABCD-EFGH');
	expect(typed('3F9K0012ABCDEFGH77')).toBe('3F9K-0012-ABCD-EFGH');
	expect(isComplete('3F9K-0012-ABCD-EFGH')).toBe(true);
	expect(isComplete('3F9K-0012-ABCD-EFG')).toBe(false);
});

test('a scanner types the text of a QR code into the same field', () => {
	const text = 'KIOSK1/R/3F9K2M1A/12/0123456789ABCDEF/241120260925/137500/12500/INV%2F7-1/ABC';
	expect(typed(text)).toBe(text);
	expect(typed(text.toLowerCase())).toBe(text);
	expect(isComplete(text)).toBe(true);
	expect(withoutLast(text)).toBe('');
});

test('backspace removes one character, even at the border of a group', () => {
	expect(withoutLast('3F9K-0')).toBe('3F9K');
	expect(withoutLast('3F9K')).toBe('3F9');
	expect(withoutLast('')).toBe('');
});
