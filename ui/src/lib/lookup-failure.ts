import type { ApiFailure } from './api.ts';

/**
 * Why a look-up found no invoice. `not_found`: the number is unknown. `offline`: the daemon does
 * not answer or cannot reach the back office. `trouble`: the back office reports an error or
 * answers too late. `throttled`: too many numbers were tried. `refused`: the daemon refuses the
 * look-up for another reason.
 */
export type LookUpFailure = {
	kind: 'not_found' | 'offline' | 'trouble' | 'throttled' | 'refused';
	/** The server's text for the customer, or null. */
	message: string | null;
	/** With `throttled`: time until the next try is allowed, ms; otherwise null. */
	waitMs: number | null;
};

/** With `throttled`: the customer waits this long if the daemon names no time, ms. */
const USUAL_WAIT_MS = 30_000;

/** These statuses (timeout, too many requests) say nothing about the number. */
const NOT_NOW: readonly number[] = [408, 429];

/** @returns why the look-up failed */
export function lookUpFailureOf({ status, message, code, retryAfterMs }: ApiFailure): LookUpFailure {
	if (code === 'too_many_lookups') return { kind: 'throttled', message, waitMs: retryAfterMs ?? USUAL_WAIT_MS };
	return { kind: kindOf(status, code), message, waitMs: null };
}

function kindOf(status: number | null, code: string | undefined): LookUpFailure['kind'] {
	if (status === null || code === 'back_office_unreachable') return 'offline';
	if (status >= 500 || NOT_NOW.includes(status)) return 'trouble';
	// If the daemon itself refuses, the answer has a code. A server that does not know the number
	// sends no code.
	return code === undefined ? 'not_found' : 'refused';
}
