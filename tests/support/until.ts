import { setTimeout as delay } from 'node:timers/promises';

/** Longer than the daemon's longest usual wait of 15 s, for a busy computer with two cores. */
const LIMIT_MS = 25_000;
const FIRST_LOOKS_EVERY_MS = 10;
/**
 * Pause as a fraction of the time already waited, so that a long wait uses little processor time.
 */
const PART = 1 / 25;
/**
 * Pause as a multiple of the check's duration, so that a slow check, e.g. of health, is repeated
 * less often.
 */
const PAUSE_PER_CHECK = 4;
const LONGEST_PAUSE_PER_CHECK_MS = 200;

/**
 * Repeats `check` until it does not throw.
 * @returns the result of `check`; after the limit it throws the last error
 */
export async function until<T>(check: () => T | Promise<T>, limitMs = LIMIT_MS): Promise<T> {
	const begun = performance.now();
	for (;;) {
		const waited = performance.now() - begun;
		try {
			return await check();
		} catch (error) {
			if (waited > limitMs) throw error;
		}
		const checkMs = performance.now() - begun - waited;
		await delay(Math.max(FIRST_LOOKS_EVERY_MS, waited * PART, Math.min(checkMs * PAUSE_PER_CHECK, LONGEST_PAUSE_PER_CHECK_MS)));
	}
}
