import * as v from 'valibot';

/**
 * A whole number of rupiah, 0 or more. Made only by `rupiah()` or by parsing with `RupiahSchema`.
 */
export type Rupiah = number & { readonly unit: 'rupiah' };

/** A larger amount is an error: no workshop invoice reaches one trillion rupiah. */
const LARGEST = 1_000_000_000_000;

const isRupiah = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= LARGEST;

/**
 * @param value rupiah
 * @returns the same number, typed; throws on fractions, negative and impossible amounts (a bug, not
 * an input error)
 */
export function rupiah(value: number): Rupiah {
	if (!isRupiah(value)) throw new Error(`not an amount of rupiah: ${value}`);
	return value as Rupiah;
}

/** @returns the sum in rupiah; 0 for an empty list */
export const sumRupiah = (amounts: readonly Rupiah[]): Rupiah => rupiah(amounts.reduce((sum, amount) => sum + amount, 0));

/** @returns `total` less `paid`, at least 0 */
export const remaining = (total: Rupiah, paid: Rupiah): Rupiah => rupiah(Math.max(0, total - paid));

/**
 * An amount of the back office: 137500, "137500" or "137500.00". A fraction of a rupiah is refused,
 * because the kiosk must not round other people's money; so is "100.000", which means a hundred
 * thousand in Indonesia.
 */
export const RupiahSchema = v.pipe(
	v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,13}(\.(0{1,2}|0{4,}))?$/, 'not an amount in rupiah'), v.transform(Number))]),
	v.check(isRupiah, 'not a whole, positive amount in rupiah'),
	v.transform(rupiah),
);

/**
 * An amount that is only displayed: it may be negative (a discount) or have a fraction, and no
 * decision depends on it. Servers write it as a number or as digits. null if it is unreadable.
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

/**
 * @returns "137.500", "-12.500" or "1.234,50": dots for thousands and a decimal comma, as in
 * Indonesia
 */
export function formatThousands(amount: number): string {
	const [whole = '', cents] = (Number.isInteger(amount) ? String(amount) : amount.toFixed(2)).split('.');
	return whole.replace(/\B(?=(\d{3})+$)/g, '.') + (cents === undefined ? '' : `,${cents}`);
}

/** @returns "Rp 137.500" */
export const formatRupiah = (amount: Rupiah): string => `Rp ${formatThousands(amount)}`;
