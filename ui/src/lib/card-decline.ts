import type { SaleRefusal } from '@kiosk/contract/live';

/** An invoice that is already paid is shown as paid, not as refused. */
export type Refusal = Exclude<SaleRefusal, 'already_paid'>;

/**
 * Response codes of the terminal that have their own text. `aa` stands for every other code of a
 * bank, `unknown` for the remaining codes.
 */
const NAMED = ['S2', 'S4', 'CE', 'TO', '54', '55', 'P2', 'Z3', 'PT', 'PS', 'S3', 'TN', 'P3'] as const;
export type DeclineCode = (typeof NAMED)[number] | 'aa' | 'unknown';

/** After these codes a retry cannot help, or the customer has cancelled. */
const FINAL: readonly DeclineCode[] = ['P3', 'PT', 'PS', 'TN', 'unknown'];

/** Number of automatic retries after declines, from the specification. */
const MAX_RETRIES = 3;

/**
 * @returns the key of the code's text in the catalogue. Bank codes begin with a digit, the
 * terminal's own codes with a letter.
 */
export function declineCode(code: string): DeclineCode {
	const named = NAMED.find((one) => one === code);
	if (named !== undefined) return named;
	return code === 'aa' || /^\d[0-9A-Z]$/.test(code) ? 'aa' : 'unknown';
}

/**
 * `retry`: the sale starts again automatically. `given_up`: every retry is used, so the screen goes
 * home. `home`: the screen goes home without a retry. `choose`: the customer decides.
 */
export type AfterDecline = 'retry' | 'given_up' | 'home' | 'choose';

/**
 * @param code two characters of the terminal
 * @param declines declined sales of this visit, including this one
 * @param retry the daemon's decision, which overrides the specification's rule for the code
 */
export function afterDecline(code: string, declines: number, retry: boolean | undefined): AfterDecline {
	if (!(retry ?? !FINAL.includes(declineCode(code)))) return 'home';
	return declines > MAX_RETRIES ? 'given_up' : 'retry';
}
