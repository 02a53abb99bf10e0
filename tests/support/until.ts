import { setTimeout as delay } from 'node:timers/promises';

/**
 * The daemon usually waits for at most 15 s. This limit leaves room for a busy computer with two
 * cores.
 */
const LIMIT_MS = 25_000;
const FIRST_LOOKS_EVERY_MS = 10;
/**
 * The pause between two checks is this fraction of the time already waited, so that a long wait
 * uses little processor time.
 */
const PART = 1 / 25;
/**
 * The pause is at least this multiple of the check's duration, so that a slow check, e.g. of
 * health, is repeated less often.
 */
const PAUSE_PER_CHECK = 4;
const LONGEST_PAUSE_PER_CHECK_MS = 200;

/**
 * Repeats `check` until it does not throw.
 * @returns the result of `check`; after the limit, throws the last error of `check`
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
