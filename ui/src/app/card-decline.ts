/** The response codes of the terminal that have words of their own; `aa` is any code of the card's bank, `unknown` anything else. */
const NAMED = ['S2', 'S4', 'CE', 'TO', '54', '55', 'P2', 'Z3', 'PT', 'PS', 'S3', 'TN', 'P3'] as const;
export type DeclineCode = (typeof NAMED)[number] | 'aa' | 'unknown';

/** After these a second try cannot help, or nobody wants it. */
const FINAL: readonly DeclineCode[] = ['P3', 'PT', 'PS', 'TN', 'unknown'];

/** From the specification: so often the screen begins again by itself. */
const MAX_RETRIES = 3;

/** @returns the entry of the catalogue; codes of banks begin with a figure, those of the terminal itself with a letter */
export function declineCode(code: string): DeclineCode {
	const named = NAMED.find((one) => one === code);
	if (named !== undefined) return named;
	return code === 'aa' || /^\d[0-9A-Z]$/.test(code) ? 'aa' : 'unknown';
}

/** `retry`: begins again by itself. `given_up`: every retry is used. `home`: nothing to retry. `choose`: the person decides. */
export type AfterDecline = 'retry' | 'given_up' | 'home' | 'choose';

/**
 * @param code two characters of the terminal; @param declines how many sales of this visit were declined, with this one
 * @param retry the daemon's word, which outranks the specification's rule for the code
 */
export function afterDecline(code: string, declines: number, retry: boolean | undefined): AfterDecline {
	if (!(retry ?? !FINAL.includes(declineCode(code)))) return 'home';
	return declines > MAX_RETRIES ? 'given_up' : 'retry';
}
