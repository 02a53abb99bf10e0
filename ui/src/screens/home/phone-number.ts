/** Longer than any invoice number of a workshop; a stuck key ends here. */
export const MAX_LENGTH = 32;

/** The number that opens the staff's list instead of an invoice. */
const STAFF_NUMBER = '000000';

/** @returns what was entered without the gaps of its display */
export const entered = (shown: string): string => shown.replaceAll(' ', '').slice(0, MAX_LENGTH);

/** @returns "0812 3456 7890": digits in groups of four; anything else as it was typed */
export const grouped = (value: string): string => (/^\d+$/.test(value) ? value.replace(/(\d{4})(?=\d)/g, '$1 ') : value);

/** @returns the address that a confirmed entry leads to */
export const destination = (value: string): string => (value === STAFF_NUMBER ? '/daftar-transaksi' : '/payment-method');
