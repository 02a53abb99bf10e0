/** A whole number of rupiah, 0 or more. Made by `rupiah()` or by parsing with `RupiahSchema`. */
export type Rupiah = number & { readonly unit: 'rupiah' };

/** Larger amounts are errors: no workshop invoice reaches one trillion rupiah. */
export const LARGEST = 1_000_000_000_000;

/** @returns whether the value is a whole number of rupiah from 0 to `LARGEST` */
export const isRupiah = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= LARGEST;

/**
 * @param value rupiah
 * @returns the same number, typed; throws if `isRupiah` is false, because that is a bug of the
 * caller
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
 * @returns "137.500", "-12.500" or "1.234,50": dots for thousands and a decimal comma, as in
 * Indonesia
 */
export function formatThousands(amount: number): string {
	const [whole = '', cents] = (Number.isInteger(amount) ? String(amount) : amount.toFixed(2)).split('.');
	return whole.replace(/\B(?=(\d{3})+$)/g, '.') + (cents === undefined ? '' : `,${cents}`);
}

/** @returns "Rp 137.500" */
export const formatRupiah = (amount: Rupiah): string => `Rp ${formatThousands(amount)}`;
