import type { SaleRefusal } from '@kiosk/contract/live';

/**
 * `already_paid` is left out: if the invoice is paid, the screen shows that instead of a refusal.
 */
export type Refusal = Exclude<SaleRefusal, 'already_paid'>;

/**
 * Response codes with a separate text. `aa` stands for every other code of a bank, `unknown` for
 * any other code.
 */
const NAMED = ['S2', 'S4', 'CE', 'TO', '54', '55', 'P2', 'Z3', 'PT', 'PS', 'S3', 'TN', 'P3'] as const;
export type DeclineCode = (typeof NAMED)[number] | 'aa' | 'unknown';

/** After these codes there is no retry: it could not help, or the customer has cancelled. */
const FINAL: readonly DeclineCode[] = ['P3', 'PT', 'PS', 'TN', 'unknown'];

/** How many automatic retries the specification allows after declines. */
const MAX_RETRIES = 3;

/**
 * @returns the key under which the catalogue has the code's text. Bank codes begin with a digit,
 * the terminal's own codes with a letter.
 */
export function declineCode(code: string): DeclineCode {
	const named = NAMED.find((one) => one === code);
	if (named !== undefined) return named;
	return code === 'aa' || /^\d[0-9A-Z]$/.test(code) ? 'aa' : 'unknown';
}

/**
 * `retry`: the sale starts again automatically. `given_up`: all retries are used up, so the screen
 * goes home. `home`: the screen goes home without a retry. `choose`: the customer decides.
 */
export type AfterDecline = 'retry' | 'given_up' | 'home' | 'choose';

/**
 * @param code the terminal's response code, two characters
 * @param declines number of declined sales in this visit, including this one
 * @param retry the daemon's decision, which overrides the specification's rule for the code
 */
export function afterDecline(code: string, declines: number, retry: boolean | undefined): AfterDecline {
	if (!(retry ?? !FINAL.includes(declineCode(code)))) return 'home';
	return declines > MAX_RETRIES ? 'given_up' : 'retry';
}
