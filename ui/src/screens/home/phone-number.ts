/** Longer than any invoice number of a workshop; a stuck key ends here. */
export const MAX_LENGTH = 32;

/** The number that opens the staff's list instead of an invoice. */
const STAFF_NUMBER = '000000';

/** Nothing shorter is a phone number or an invoice number; it is a slip of the finger. */
const SHORTEST = 3;

/** An Indonesian mobile number with its country code: 8 and 7 to 12 digits after it. */
const INTERNATIONAL = /^\+?62(8\d{7,12})$/;

/** @returns what was entered without the gaps of its display */
export const entered = (shown: string): string => shown.replaceAll(' ', '').slice(0, MAX_LENGTH);

/** @returns "0812 3456 7890": digits in groups of four; anything else as it was typed */
export const grouped = (value: string): string => (/^\+?\d+$/.test(value) ? value.replace(/(\d{4})(?=\d)/g, '$1 ') : value);

/** @returns whether it is worth a look-up */
export const plausible = (value: string): boolean => value.length >= SHORTEST;

/** @returns the one form of a phone number, "62812…" and "+62812…" as "0812…"; anything else, such as an invoice number, untouched */
export const canonical = (value: string): string => value.replace(INTERNATIONAL, '0$1');

/** @returns the address that a confirmed entry leads to */
export const destination = (value: string): string => (value === STAFF_NUMBER ? '/daftar-transaksi' : '/payment-method');
