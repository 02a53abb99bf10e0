/**
 * Crockford's base 32: capital letters and digits without I, L, O and U. A typed I or L is read as
 * 1, an O as 0. All letters are among the alphanumeric characters of QR codes.
 */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Polynomial of the field GF(32) of the check letter: x^5 + x^2 + 1. */
const FIELD = 0b100101;

/** @returns the bytes as letters of five bits; zero bits complete the last letter */
export function encode32(bytes: Uint8Array): string {
	let text = '';
	let bits = 0;
	let held = 0;
	for (const byte of bytes) {
		held = (held << 8) | byte;
		for (bits += 8; bits >= 5; bits -= 5) text += letterOf(held >> (bits - 5));
		held &= 0xff;
	}
	return bits > 0 ? text + letterOf(held << (5 - bits)) : text;
}

/** @returns the bytes of letters from `encode32`; null for other characters */
export function decode32(text: string): Buffer | null {
	const bytes: number[] = [];
	let bits = 0;
	let held = 0;
	for (const letter of text) {
		const value = LETTERS.indexOf(letter);
		if (value < 0) return null;
		held = ((held << 5) | value) & 0xfff;
		bits += 5;
		if (bits < 8) continue;
		bits -= 8;
		bytes.push((held >> bits) & 0xff);
	}
	return Buffer.from(bytes);
}

/** @returns the number written in `length` letters; null if it needs more letters */
export function number32(value: number, length: number): string | null {
	let text = '';
	for (let left = value; text.length < length; left = Math.floor(left / 32)) text = letterOf(left % 32) + text;
	return value < 32 ** length ? text : null;
}

/** @returns the number that `number32` wrote as this text */
export const numberOf32 = (text: string): number => [...text].reduce((sum, letter) => sum * 32 + LETTERS.indexOf(letter), 0);

/**
 * @returns the typed text in capitals, without spaces and hyphens, and with confused letters
 * replaced; null if it has other characters
 */
export function typed32(text: string): string | null {
	const letters = text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
	return [...letters].every((letter) => LETTERS.includes(letter)) ? letters : null;
}

/**
 * @returns the check letter. In up to 30 letters, it reveals a single wrong letter and an exchange
 * of two letters
 */
export function checkLetter(text: string): string {
	let sum = 0;
	for (const letter of text) sum = doubleInField(sum) ^ LETTERS.indexOf(letter);
	return letterOf(doubleInField(sum));
}

const letterOf = (value: number): string => LETTERS[value & 31] ?? '';
const doubleInField = (value: number): number => (value & 16 ? (value << 1) ^ FIELD : value << 1);
