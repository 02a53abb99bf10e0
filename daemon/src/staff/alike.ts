import { ascii } from '../base/ascii.ts';

/** Characters that look alike in most fonts, as small or as capital letters. */
const SAME: Readonly<Record<string, string>> = { l: 'i', '1': 'i', '|': 'i', ı: 'i', '0': 'o' };

/**
 * @returns the letters and digits of a name, in lower case and without accents. Characters that
 * look alike become the same character.
 */
const drawn = (name: string): string =>
	name
		.normalize('NFD')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}|]/gu, '')
		.replace(/[l1|ı0]/g, (sign) => SAME[sign] ?? sign);

/** @returns the name as a slip shows it */
const printed = (name: string): string => ascii(name).toLowerCase();

/** @returns whether a reader of a slip could confuse the two names */
export const looksAlike = (one: string, other: string): boolean => drawn(one) === drawn(other) || printed(one) === printed(other);
