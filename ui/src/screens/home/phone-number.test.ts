import { expect, test } from 'vitest';
import { destination, entered, grouped, MAX_LENGTH } from './phone-number.ts';

test('digits stand in groups of four, other entries as typed', () => {
	expect(grouped('')).toBe('');
	expect(grouped('0812')).toBe('0812');
	expect(grouped('081234567890')).toBe('0812 3456 7890');
	expect(grouped('INV/2026')).toBe('INV/2026');
});

test('the entry is what was typed, without gaps and not without end', () => {
	expect(entered('0812 3456 7')).toBe('081234567');
	expect(entered('9'.repeat(99))).toHaveLength(MAX_LENGTH);
});

test('only the special number leads to the list', () => {
	expect(destination('000000')).toBe('/daftar-transaksi');
	expect(destination('0000000')).toBe('/payment-method');
	expect(destination('081')).toBe('/payment-method');
});
