import type { ApiFailure } from './api.ts';

/**
 * Why a look-up found no invoice. `offline`: the daemon gives no answer or reaches no back office.
 * `trouble`: the back office answers badly or too late. `throttled`: too many numbers were tried.
 * `refused`: the daemon refuses the look-up for another reason.
 */
export type LookUpFailure = {
	kind: 'not_found' | 'offline' | 'trouble' | 'throttled' | 'refused';
	/** The server's text for the customer, if any. */
	message: string | null;
	/** Only with `throttled`: ms until the next try is allowed. */
	waitMs: number | null;
};

/** Wait before the next number if the daemon gives no time, ms. */
const USUAL_WAIT_MS = 30_000;

/** Statuses that say nothing about the number: timeout and too many requests. */
const NOT_NOW: readonly number[] = [408, 429];

/** @returns the cause of a failed look-up */
export function lookUpFailureOf({ status, message, code, retryAfterMs }: ApiFailure): LookUpFailure {
	if (code === 'too_many_lookups') return { kind: 'throttled', message, waitMs: retryAfterMs ?? USUAL_WAIT_MS };
	return { kind: kindOf(status, code), message, waitMs: null };
}

function kindOf(status: number | null, code: string | undefined): LookUpFailure['kind'] {
	if (status === null || code === 'back_office_unreachable') return 'offline';
	if (status >= 500 || NOT_NOW.includes(status)) return 'trouble';
	// The daemon's own refusals have a code; a server that does not know the number sends none.
	return code === undefined ? 'not_found' : 'refused';
}
