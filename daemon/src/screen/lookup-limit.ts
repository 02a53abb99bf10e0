import type { ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import { customerText } from '../base/customer-text.ts';
import { answerJson } from '../http/handler.ts';
import type { Log } from '../log/log.ts';

/**
 * Number of misses that are allowed without a delay. A customer who mistypes a number needs only a
 * few tries.
 */
const MISSES = 5;
/**
 * After this time one more miss is allowed. A found number does not restore tries: otherwise an
 * attacker who knows one number could try others without limit.
 */
const MISS_MS = 30_000;
const MINUTE_MS = 60_000;
/**
 * Statuses of answers that say nothing about the number: expired token, busy server, or timeout.
 */
const NOT_ABOUT_THE_NUMBER = new Set([401, 403, 408, 429]);

/**
 * Rate-limits look-ups to prevent the enumeration of phone numbers: each found invoice shows a name
 * and a plate.
 */
export interface LookupLimit {
	/**
	 * Call it before a look-up is forwarded.
	 * @returns seconds to wait. 0: the look-up may begin, and the caller must call `ended` after it.
	 */
	begin(): number;
	/**
	 * @param answer the answer to the look-up; null if none came. `found`: whether it has an invoice
	 */
	ended(answer: { status: number; found: boolean } | null): void;
}

const isMiss = (answer: { status: number; found: boolean } | null): boolean =>
	answer !== null && !answer.found && answer.status < 500 && !NOT_ABOUT_THE_NUMBER.has(answer.status);

/** @param of.perMinute maximum number of look-ups in any minute, found or not */
export function lookupLimit({ perMinute, clock, log }: { perMinute: number; clock: Clock; log: Log }): LookupLimit {
	/** Unexpired misses. One expires every MISS_MS, counted from `since`. */
	let misses = 0;
	let since = clock.now();
	/**
	 * Look-ups in flight. Each counts as a possible miss, so that parallel requests do not raise the
	 * limit.
	 */
	let open = 0;
	/** When the look-ups of the last minute began, monotonic ms. */
	let begun: number[] = [];

	function expireMisses(): void {
		const now = clock.now();
		const forgiven = Math.floor((now - since) / MISS_MS);
		misses = Math.max(0, misses - forgiven);
		since = misses === 0 ? now : since + forgiven * MISS_MS;
	}

	/** @returns ms until the next look-up may begin */
	function waitMs(): number {
		expireMisses();
		const now = clock.now();
		begun = begun.filter((at) => now - at < MINUTE_MS);
		const forMisses = misses >= MISSES ? since + MISS_MS - now : misses + open >= MISSES ? 1 : 0;
		const [oldest = now] = begun;
		return Math.max(forMisses, begun.length >= perMinute ? oldest + MINUTE_MS - now : 0);
	}

	return {
		begin() {
			const wait = waitMs();
			if (wait > 0) return Math.ceil(wait / 1_000);
			open += 1;
			begun.push(clock.now());
			return 0;
		},
		ended(answer) {
			open -= 1;
			expireMisses();
			if (!isMiss(answer)) return;
			misses += 1;
			if (misses === MISSES) log.event('screen.lookups_paused', { misses: MISSES, pause_ms: since + MISS_MS - clock.now() });
		},
	};
}

/** Refuses a look-up. The screen shows the `message` of the answer to the customer. */
export function refuseLookup(response: ServerResponse, waitS: number): void {
	response.setHeader('Retry-After', waitS);
	answerJson(response, 429, { code: 'too_many_lookups', message: customerText.tooManyLookups(waitS) });
}
