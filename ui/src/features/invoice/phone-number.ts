/**
 * Maximum length of an entry, because a stuck key would type without end. Invoice numbers are
 * shorter.
 */
export const MAX_LENGTH = 32;

/** The number that opens the staff's list of transactions. */
const STAFF_NUMBER = '000000';

/** Minimum length of an entry. A shorter one is a typing error. */
const SHORTEST = 3;

/**
 * An Indonesian mobile number with its country code: the digit 8 and 7 to 12 further digits follow
 * the code.
 */
const INTERNATIONAL = /^\+?62(8\d{7,12})$/;

/** @returns the entry without the spaces that `grouped` inserts, cut to the maximum length */
export const entered = (shown: string): string => shown.replaceAll(' ', '').slice(0, MAX_LENGTH);

/** @returns digits in groups of four, e.g. "0812 3456 7890"; anything else as typed */
export const grouped = (value: string): string => (/^\+?\d+$/.test(value) ? value.replace(/(\d{4})(?=\d)/g, '$1 ') : value);

/** @returns whether the entry is long enough for a look-up */
export const isPlausible = (value: string): boolean => value.length >= SHORTEST;

/**
 * @returns the canonical form of a phone number: "0812…" for "62812…" and "+62812…". Anything else
 * stays unchanged.
 */
export const canonical = (value: string): string => value.replace(INTERNATIONAL, '0$1');

/** @returns the route to which a confirmed entry leads */
export const destination = (value: string): string => (value === STAFF_NUMBER ? '/daftar-transaksi' : '/payment-method');
