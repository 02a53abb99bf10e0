import { setTimeout as delay } from 'node:timers/promises';

/** A busy machine with two cores may need this long for what usually takes milliseconds. */
const LIMIT_MS = 20_000;
const LOOK_EVERY_MS = 10;

/**
 * Tries `check` until it no longer throws.
 * @returns its last result; after the limit it throws its last error
 */
export async function until<T>(check: () => T | Promise<T>): Promise<T> {
	const end = performance.now() + LIMIT_MS;
	for (;;) {
		try {
			return await check();
		} catch (error) {
			if (performance.now() > end) throw error;
		}
		await delay(LOOK_EVERY_MS);
	}
}
