import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { formatRupiah, formatThousands, rupiah } from './money.ts';
import { RupiahSchema } from './money-schema.ts';
import { splitVat } from './receipt.ts';

describe('amounts from the back office', () => {
	test.each([
		[137_500, 137_500],
		['137500', 137_500],
		['137500.00', 137_500],
		['137500.0000', 137_500],
		[0, 0],
	])('%j is %i rupiah', (written, amount) => expect(v.parse(RupiahSchema, written)).toBe(amount));

	test.each([
		[137_500.5],
		['137500.50'],
		['137.500'],
		['100.000'],
		['1.000.000'],
		[-1],
		['-5'],
		[Number.NaN],
		[1e15],
		[''],
		[null],
		['1e5'],
	])('[spec 5.7] %j is refused as an amount in rupiah', (written) => expect(v.is(RupiahSchema, written)).toBe(false));
});

test('[spec 9.12] amounts are shown with Rp, with dots between thousands and without decimals', () => {
	expect(formatRupiah(rupiah(1_234_567))).toBe('Rp 1.234.567');
	expect(formatThousands(rupiah(0))).toBe('0');
	expect(formatThousands(rupiah(999))).toBe('999');
});

test('the formatted amount keeps every digit', () => {
	fc.assert(
		fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (amount) => {
			expect(Number(formatThousands(rupiah(amount)).replaceAll('.', ''))).toBe(amount);
		}),
	);
});

test('[spec 9.7] the untaxed part and the VAT add up to the total, and the VAT is 11 % of the untaxed part within a rupiah', () => {
	expect(splitVat(rupiah(111_000))).toEqual({ untaxed: 100_000, taxed: 11_000 });
	fc.assert(
		fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (total) => {
			const { untaxed, taxed } = splitVat(rupiah(total));
			expect(untaxed + taxed).toBe(total);
			expect(Math.abs(taxed - untaxed * 0.11)).toBeLessThanOrEqual(1);
		}),
	);
});
