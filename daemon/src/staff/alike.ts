/** Signs that most fonts draw alike. */
const SAME: Readonly<Record<string, string>> = { l: 'i', '1': 'i', '|': 'i', ı: 'i', '0': 'o' };

/** Letters and digits without case, accents and signs between them. */
const drawn = (name: string): string =>
	name
		.normalize('NFD')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}|]/gu, '')
		.replace(/[l1|ı0]/g, (sign) => SAME[sign] ?? sign);

/** @returns whether a reader of a slip could confuse the two names */
export const looksAlike = (one: string, other: string): boolean => drawn(one) === drawn(other);
