/**
 * Schemas of amounts. They are not in money.ts, because the first screen loads money.ts and must
 * not load the schema library.
 */
import * as v from 'valibot';
import { isRupiah, LARGEST, rupiah } from './money.ts';

/**
 * An amount of the back office: 137500, "137500" or "137500.00". Fractions are refused, because the
 * kiosk must not round money. "100.000" is refused, because it means a hundred thousand in
 * Indonesia.
 */
export const RupiahSchema = v.pipe(
	v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,13}(\.(0{1,2}|0{4,}))?$/, 'not an amount in rupiah'), v.transform(Number))]),
	v.check(isRupiah, 'not a whole, positive amount in rupiah'),
	v.transform(rupiah),
);

/**
 * An amount that is only displayed, as a number or as digits. It may be negative (a discount) or
 * have a fraction. The result is null if the amount is unreadable or too large.
 */
export const ShownAmountSchema = v.pipe(
	v.optional(v.unknown(), null),
	v.transform((written): number | null => {
		const text = typeof written === 'number' ? String(written) : written;
		if (typeof text !== 'string' || !/^[+-]?\d{1,13}(\.\d{1,20})?$/.test(text.trim())) return null;
		const amount = Math.round(Number(text) * 100) / 100;
		return Math.abs(amount) <= LARGEST ? amount + 0 : null;
	}),
);
