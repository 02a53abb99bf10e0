import type { Rupiah } from '@kiosk/contract/money';
import { fail, ok, type Result } from '../../base/result.ts';
import type { TerminalRequest } from '../terminal.ts';
import { TYPES } from './codes.ts';
import { type EcrVersion, sealRequest } from './frame.ts';

/** Largest amount, rupiah: the field has twelve digits of rupiah × 100. */
const LARGEST_AMOUNT = 9_999_999_999;
const NO_NUMBER = '000000';

export type RequestRefused = { code: 'cannot_be_sent'; why: string };

const blank = (width: number): string => ' '.repeat(width);
const wireAmount = (amount: number): string => `${amount}00`.padStart(12, '0');
const isAmount = (amount: Rupiah): boolean => amount > 0 && amount <= LARGEST_AMOUNT;
/** The terminal's numbers have six digits; staff may omit leading zeros. */
const isNumber = (invoice: string): boolean => /^\d{1,6}$/.test(invoice);

/** The fields that differ between requests, with values that real terminals accept. */
interface Fields {
	amount: number;
	/** 02 in a void, otherwise 00. */
	cancelReason: '00' | '02';
	invoice: string;
	/** Zeros with a card, spaces with a QR code. */
	auth: string;
	reference: string;
}

const PLAIN: Fields = { amount: 0, cancelReason: '00', invoice: NO_NUMBER, auth: NO_NUMBER, reference: blank(12) };

/** @returns the 155 bytes of a request, or why it cannot be encoded */
export function requestFrame(version: EcrVersion, request: TerminalRequest): Result<Uint8Array, RequestRefused> {
	const why = misfitOf(request);
	if (why !== null) return fail({ code: 'cannot_be_sent', why });
	const fields = fieldsOf(request);
	const amounts = wireAmount(fields.amount) + wireAmount(0);
	const card = blank(19) + blank(4);
	const numbers = fields.cancelReason + fields.invoice + fields.auth;
	const flags = `  N${'000'}${'00'}`;
	const texts = blank(12) + fields.reference + blank(4) + blank(50);
	return ok(sealRequest(version, TYPES[request.type] + amounts + card + numbers + flags + texts));
}

function misfitOf(request: TerminalRequest): string | null {
	if ('amount' in request && !isAmount(request.amount)) return `an amount must be from 1 to ${LARGEST_AMOUNT} rupiah`;
	if ('invoice' in request && !isNumber(request.invoice)) return 'the number of the sale on the slip is up to six digits';
	if (request.type === 'qris_inquiry' && !/^[0-9A-Za-z]{12}$/.test(request.reference)) return 'the reference of a QR has twelve digits';
	return null;
}

function fieldsOf(request: TerminalRequest): Fields {
	switch (request.type) {
		case 'sale':
			return { ...PLAIN, amount: request.amount };
		case 'void':
			return { ...PLAIN, amount: request.amount, cancelReason: '02', invoice: request.invoice.padStart(6, '0') };
		case 'reprint':
			return { ...PLAIN, invoice: request.invoice.padStart(6, '0') };
		case 'settlement':
		case 'echo':
			return PLAIN;
		case 'qris':
			return { ...PLAIN, amount: request.amount, auth: blank(6) };
		case 'qris_inquiry':
			return { ...PLAIN, amount: request.amount, auth: blank(6), reference: request.reference };
		default:
			return request satisfies never;
	}
}
