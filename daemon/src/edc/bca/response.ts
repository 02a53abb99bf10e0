import { type Rupiah, rupiah } from '@kiosk/contract/money';
import { fail, ok, type Result } from '../../base/result.ts';
import type { TerminalRequest, TerminalResponse } from '../terminal.ts';
import { APPROVED, TYPES } from './codes.ts';

/**
 * Position of the date, which reveals the layout: with a QR code the approval code may have 9
 * characters, which shifts all later fields by 3.
 */
const DATE_AT = 73;
const WIDE_BY = 3;

export type ResponseRefused = { code: 'unreadable'; why: string };
const unreadable = (why: string): { ok: false; error: ResponseRefused } => fail({ code: 'unreadable', why });

const KINDS = new Map(Object.entries(TYPES).map(([type, wire]) => [wire as string, type as TerminalRequest['type']]));

/**
 * Reads the fields of a response with a valid envelope. Failures have spaces or zeros after the
 * code; both give empty fields. The cardholder name and the cashier's card are omitted, and the
 * card number is masked.
 * @param frame 205 bytes
 */
export function readResponse(frame: Uint8Array): Result<TerminalResponse, ResponseRefused> {
	// Zero bytes in a field mean the same as spaces.
	const ascii = Buffer.from(frame)
		.toString('latin1')
		.replace(/[^ -~]/g, ' ');
	const field = (at: number, width: number): string => ascii.slice(at, at + width).trim();
	const type = KINDS.get(field(4, 2));
	if (type === undefined) return unreadable('a transaction type that the kiosk never asks for');
	const code = field(53, 2);
	if (code.length !== 2) return unreadable('no response code');
	const amount = readAmount(field(6, 12), code);
	if (amount === undefined) return unreadable('an amount that is not whole rupiah');
	const shift = isWide(ascii, type) ? WIDE_BY : 0;
	const time = ascii.slice(DATE_AT + shift, DATE_AT + shift + 14);
	const dated = isTimestamp(time);
	return ok({
		type,
		code,
		amount,
		masked_pan: maskPan(field(30, 19)),
		rrn: withoutZeros(field(55, 12)),
		approval: withoutZeros(field(67, 6 + shift)),
		date: dated ? time.slice(0, 8) : '',
		time: dated ? time.slice(8) : '',
		merchant_id: withoutZeros(field(87 + shift, 15)),
		terminal_id: withoutZeros(field(102 + shift, 8)),
		invoice: withoutZeros(field(153 + shift, 6)),
		batch: withoutZeros(field(159 + shift, 6)),
		// "00" is BCA debit, so zeros are significant here.
		issuer_id: field(165 + shift, 2),
	});
}

/**
 * @returns rupiah; null if the terminal omitted the amount, as on failures; undefined if it is
 * invalid
 */
function readAmount(digits: string, code: string): Rupiah | null | undefined {
	if (digits === '') return null;
	if (!/^\d{10}00$/.test(digits)) return undefined;
	const amount = rupiah(Number(digits) / 100);
	return amount === 0 && code !== APPROVED ? null : amount;
}

/**
 * @returns whether the response has the wide layout. If there seems to be a date at both possible
 * positions, the type decides
 */
function isWide(ascii: string, type: TerminalRequest['type']): boolean {
	const narrow = isTimestamp(ascii.slice(DATE_AT, DATE_AT + 14));
	const wide = isTimestamp(ascii.slice(DATE_AT + WIDE_BY, DATE_AT + WIDE_BY + 14));
	return wide && (!narrow || type === 'qris' || type === 'qris_inquiry');
}

/** @returns whether the text is a time of this century, as YYYYMMDDHHMMSS */
function isTimestamp(text: string): boolean {
	const parts = /^(20\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text);
	if (!parts) return false;
	const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1).map(Number);
	const date = new Date(Date.UTC(year, month - 1, day));
	return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
}

const withoutZeros = (text: string): string => (/^0+$/.test(text) ? '' : text);

/**
 * A shorter text is not a card number. Only its last four digits are shown, because ten digits
 * would be most of it.
 */
const SHORTEST_PAN = 13;

/**
 * @returns at most the first six and last four digits, `*` for the other digits, because some
 * terminals send the whole number
 */
function maskPan(pan: string): string {
	const open = pan.length < SHORTEST_PAN ? 0 : 6;
	return [...pan].map((char, index) => (/\d/.test(char) && (index < open || index >= pan.length - 4) ? char : '*')).join('');
}
