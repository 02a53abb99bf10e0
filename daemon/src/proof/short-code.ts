import { timingSafeEqual } from 'node:crypto';
import { checkLetter, number32, numberOf32, typed32 } from './base32.ts';
import type { SlipKey } from './slip-key.ts';

/**
 * The code that staff type: the beginning of the kiosk's key id, the number of the print's record,
 * a truncated MAC over number and hash of that record, and a check letter. The MAC has 40 bits: a
 * forger who tries one code a second needs 17,000 years on average.
 */
const KIOSK = 2;
/**
 * Number of letters for the record's number: enough for 33 million records, or eighteen years at
 * 5,000 records a day.
 */
const RECORD = 5;
const MAC = 8;
const LENGTH = KIOSK + RECORD + MAC + 1;
const GROUP = 4;

/** The journal's record of a printout. `hash`: SHA-256, hex. */
export interface PrintedRecord {
	record: number;
	hash: string;
}

/** @returns e.g. "3F9K-0012-ABCD-EFGH"; null if the record's number is too large for a code */
export function shortCode(key: Pick<SlipKey, 'id' | 'mac'>, of: PrintedRecord): string | null {
	const number = number32(of.record, RECORD);
	if (number === null) return null;
	const letters = key.id.slice(0, KIOSK) + number + macOf(key, of);
	return grouped(letters + checkLetter(letters));
}

/**
 * A code as it was typed. `mistyped`: a character is missing or wrong. `kiosk`: the letters in
 * which the code contains the beginning of a kiosk's key id.
 */
export type TypedCode = { state: 'mistyped' } | { state: 'read'; code: string; kiosk: string; record: number };

/** Reads a code as it was typed; does not check its origin. */
export function readCode(text: string): TypedCode {
	const letters = typed32(text);
	if (letters?.length !== LENGTH || checkLetter(letters.slice(0, -1)) !== letters.slice(-1)) return { state: 'mistyped' };
	return {
		state: 'read',
		code: grouped(letters),
		kiosk: letters.slice(0, KIOSK),
		record: numberOf32(letters.slice(KIOSK, KIOSK + RECORD)),
	};
}

/** @returns whether this kiosk made the code for this record */
export function isCodeOf(key: Pick<SlipKey, 'id' | 'mac'>, code: string, of: PrintedRecord): boolean {
	const made = shortCode(key, of);
	return made !== null && made.length === code.length && timingSafeEqual(Buffer.from(made), Buffer.from(code));
}

/** @returns whether a code of this kiosk begins with these letters */
export const isOwnCode = ({ id }: Pick<SlipKey, 'id'>, kiosk: string): boolean => id.startsWith(kiosk);

const macOf = (key: Pick<SlipKey, 'mac'>, { record, hash }: PrintedRecord): string => key.mac(`${record} ${hash}`).slice(0, MAC);
const grouped = (letters: string): string => letters.match(new RegExp(`.{1,${GROUP}}`, 'g'))?.join('-') ?? '';
