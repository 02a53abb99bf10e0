/**
 * A ten-digit number by which customer and staff name a note or a card sale; digits need no
 * spelling. It is the beginning of the id in decimal, so staff can find the id.
 */

const BEGINNING = /^[0-9a-f]{8}/;
const DIGITS = 10;
const HALF = 5;
const LARGEST = 0xffff_ffff;

/**
 * @param id a UUID
 * @returns e.g. "04621-93850" for a UUID; for any other id its beginning
 */
export function referenceOf(id: string): string {
	const beginning = BEGINNING.exec(id)?.[0];
	if (beginning === undefined) return id.slice(0, 8);
	const digits = String(Number.parseInt(beginning, 16)).padStart(DIGITS, '0');
	return `${digits.slice(0, HALF)}-${digits.slice(HALF)}`;
}

/**
 * @param typed a reference, with or without its hyphen or a space, or the beginning of an id
 * @returns the beginning of the id
 */
export function beginningOf(typed: string): string {
	const digits = /^(\d{5})[- ]?(\d{5})$/.exec(typed.trim());
	const value = digits ? Number(`${digits[1]}${digits[2]}`) : Number.NaN;
	return value <= LARGEST ? value.toString(16).padStart(8, '0') : typed;
}
