import type { Rupiah } from '@kiosk/contract/money';
import type { TerminalRequest, TerminalResponse } from './terminal.ts';

export type Verdict = { outcome: 'approved' } | { outcome: 'declined' } | { outcome: 'unknown'; why: string };

/**
 * Decides what a response means for the money of a sale. Only 00 with the requested type and the
 * exact amount is a payment. Another type, another amount with 00, or a code in `unknownCodes`
 * leaves the outcome unknown. Terminals omit the amount in failures, so the amount of a failure is
 * not checked.
 */
export function verdictOf(
	asked: { type: TerminalRequest['type']; amount: Rupiah },
	response: TerminalResponse,
	unknownCodes: ReadonlySet<string>,
): Verdict {
	if (response.type !== asked.type) return { outcome: 'unknown', why: `the terminal answered "${asked.type}" with "${response.type}"` };
	if (unknownCodes.has(response.code)) return { outcome: 'unknown', why: `the terminal answered ${response.code}` };
	if (response.code !== '00') return { outcome: 'declined' };
	if (response.amount === asked.amount) return { outcome: 'approved' };
	return { outcome: 'unknown', why: `the terminal approved Rp ${response.amount ?? '?'} instead of Rp ${asked.amount}` };
}

/**
 * Codes after which the screen may retry automatically (specification, error catalogue); `aa` is
 * any code of the bank's host.
 */
export const RETRY_CODES = ['S2', 'S4', 'CE', 'TO', '54', '55', 'P2', 'Z3', 'S3', 'aa'] as const;
/**
 * Codes after which the screen never retries: the sale succeeded, the customer cancelled, or only
 * staff can help. PS: the terminal's settlement failed.
 */
const FINAL_CODES: ReadonlySet<string> = new Set(['00', 'P3', 'PT', 'PS', 'TN']);
const NAMED_CODES: ReadonlySet<string> = new Set(RETRY_CODES);

/**
 * @param allowed the codes of `RETRY_CODES` that the owner allows @returns whether the screen may
 * retry automatically
 */
export function mayRetry(code: string, allowed: ReadonlySet<string>): boolean {
	if (FINAL_CODES.has(code)) return false;
	return allowed.has(NAMED_CODES.has(code) ? code : 'aa');
}
