import type { TerminalRequest, TerminalResponse } from '../terminal.ts';
import { APPROVED } from './codes.ts';

/**
 * The link has no order number, so type, amount and, where a request names an earlier sale, its number are all that ties an
 * answer to a request.
 * @returns whether this answer can be the answer to this request; failures carry no amount
 */
export function fits(request: TerminalRequest, response: TerminalResponse): boolean {
	if (request.type !== response.type) return false;
	const approved = response.code === APPROVED;
	if (request.type === 'qris_inquiry' && approved && response.rrn !== request.reference) return false;
	if (request.type === 'reprint' && approved) return isNumber(request.invoice, response.invoice);
	if (!('amount' in request)) return true;
	return response.amount === request.amount || (response.amount === null && !approved);
}

/** Number 0 asks for the last slip, whatever its number is. */
const isNumber = (asked: string, told: string): boolean => Number(asked) === 0 || told === '' || Number(asked) === Number(told);

/** @returns whether this only asks: it may be asked again, and an answer to the earlier asking is as good */
export const isQuestion = ({ type }: TerminalRequest): boolean => type === 'echo' || type === 'reprint' || type === 'qris_inquiry';

/** @returns whether the terminal has said the same thing twice */
export const isSame = (a: TerminalResponse, b: TerminalResponse): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * @returns whether no second answer like this one can ever be true: it names one movement of money by number and second.
 * Two failures, two reprints or two inquiries may well be alike.
 */
export const isUnique = ({ type, code, rrn, date }: TerminalResponse): boolean =>
	(type === 'sale' || type === 'void') && code === APPROVED && rrn !== '' && date !== '';
