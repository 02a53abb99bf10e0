import type { TerminalRequest, TerminalResponse } from '../terminal.ts';
import { APPROVED } from './codes.ts';

/**
 * The link has no sequence number, so only type, amount, QR reference and the number of an earlier
 * sale connect a response to a request.
 * @returns whether the response can answer the request; a failure may lack the amount
 */
export function isFitting(request: TerminalRequest, response: TerminalResponse): boolean {
	if (request.type !== response.type) return false;
	const approved = response.code === APPROVED;
	if (request.type === 'qris_inquiry' && approved && response.rrn !== request.reference) return false;
	// Staff may void two sales of one amount in succession, so the number must show which charge was
	// returned.
	const isNumbered = request.type === 'reprint' || request.type === 'void';
	if (isNumbered && approved && !isNumber(request.invoice, response.invoice)) return false;
	if (!('amount' in request)) return true;
	return response.amount === request.amount || (response.amount === null && !approved);
}

/**
 * @returns whether the number in a response fits the requested number of a sale. Number 0 requests
 * the last slip, which may have any number
 */
const isNumber = (asked: string, told: string): boolean => Number(asked) === 0 || told === '' || Number(asked) === Number(told);

/**
 * @returns whether the request only asks for information. Such a request may be repeated, and a
 * response to any of the repetitions is valid
 */
export const isQuestion = ({ type }: TerminalRequest): boolean => type === 'echo' || type === 'reprint' || type === 'qris_inquiry';

/** @returns whether all fields of both responses are equal */
export const isSame = (a: TerminalResponse, b: TerminalResponse): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * @returns whether an equal second response can only be a repeat, because its number and time
 * identify one movement of money. Two failures, reprints or inquiries may have equal responses.
 */
export const isUnique = ({ type, code, rrn, date }: TerminalResponse): boolean =>
	(type === 'sale' || type === 'void') && code === APPROVED && rrn !== '' && date !== '';
