/**
 * A ten-digit reference for a note or a card sale, which customers and staff can read aloud. It is
 * the decimal value of the first eight hexadecimal digits of the id.
 */

const BEGINNING = /^[0-9a-f]{8}/;
const DIGITS = 10;
const HALF = 5;
const LARGEST = 0xffff_ffff;

/**
 * @param id a UUID
 * @returns the reference, e.g. "04621-93850"; for an id that is not a UUID, its first eight
 * characters
 */
export function referenceOf(id: string): string {
	const beginning = BEGINNING.exec(id)?.[0];
	if (beginning === undefined) return id.slice(0, 8);
	const digits = String(Number.parseInt(beginning, 16)).padStart(DIGITS, '0');
	return `${digits.slice(0, HALF)}-${digits.slice(HALF)}`;
}

/**
 * @param typed a reference, with a hyphen, a space or no separator, or the beginning of an id
 * @returns the beginning of the id
 */
export function beginningOf(typed: string): string {
	const digits = /^(\d{5})[- ]?(\d{5})$/.exec(typed.trim());
	const value = digits ? Number(`${digits[1]}${digits[2]}`) : Number.NaN;
	return value <= LARGEST ? value.toString(16).padStart(8, '0') : typed;
}
