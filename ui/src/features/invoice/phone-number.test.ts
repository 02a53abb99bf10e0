import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonical, destination, entered, grouped, isPlausible, MAX_LENGTH } from './phone-number.ts';

test('digits are shown in groups of four; an entry with other characters is shown as typed', () => {
	expect(grouped('')).toBe('');
	expect(grouped('0812')).toBe('0812');
	expect(grouped('081234567890')).toBe('0812 3456 7890');
	expect(grouped('+6281234')).toBe('+6281 234');
	expect(grouped('INV/2026')).toBe('INV/2026');
});

test('spaces are removed from an entry, and a long entry is cut', () => {
	expect(entered('0812 3456 7')).toBe('081234567');
	expect(entered('9'.repeat(99))).toHaveLength(MAX_LENGTH);
});

test('a phone number has one canonical form, with or without its country code', () => {
	for (const written of ['081234567890', '6281234567890', '+6281234567890']) expect(canonical(written)).toBe('081234567890');
	expect(canonical('6281234567')).toBe('081234567');
	expect(canonical('628123456789012')).toBe('08123456789012');
});

test('[spec 5.3] an entry that is not a phone number is kept as typed', () => {
	for (const other of ['000000', '628', '628123456', '6281234567890123', '62211234567', 'INV/2026/11/0042', '+62INV81234567', '08', ''])
		expect(canonical(other)).toBe(other);
	fc.assert(fc.property(fc.stringMatching(/^0\d{0,20}$/), (local) => canonical(local) === local));
	fc.assert(fc.property(fc.string(), (any) => canonical(canonical(any)) === canonical(any)));
});

test('[spec 2.3.1] an entry with fewer than three characters is not looked up; 000000 is accepted', () => {
	expect(['', '0', '08', '081', '000000', 'A12'].map(isPlausible)).toEqual([false, false, false, true, true, true]);
});

test('[spec 2.3.2, 2.3.3, 9.6] only 000000 leads to the list of transactions', () => {
	expect(destination('000000')).toBe('/daftar-transaksi');
	expect(destination('0000000')).toBe('/payment-method');
	expect(destination('081')).toBe('/payment-method');
});
