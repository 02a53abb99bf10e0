import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 2_000;

/**
 * Tries `check` until it no longer throws. An emulated machine needs minutes for seconds of work.
 */
export async function eventually<T>(check: () => T | Promise<T>, limitMs: number): Promise<T> {
	const end = performance.now() + limitMs;
	for (;;) {
		try {
			return await check();
		} catch (error) {
			if (performance.now() > end) throw error;
		}
		await delay(LOOK_EVERY_MS);
	}
}
