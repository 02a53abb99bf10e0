import { setTimeout as delay } from 'node:timers/promises';

/** The daemon's longest usual wait is 15 s; the rest is for a busy computer with two cores. */
const LIMIT_MS = 25_000;
const FIRST_LOOKS_EVERY_MS = 10;
/** The pause grows to this fraction of the time already waited, so a long wait costs little. */
const PART = 1 / 25;
/** A check that takes long, such as a health report on a busy computer, is repeated less often. */
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
