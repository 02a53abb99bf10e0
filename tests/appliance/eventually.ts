import { setTimeout as delay } from 'node:timers/promises';

const LOOK_EVERY_MS = 2_000;

/**
 * Tries `check` until it no longer throws. A QEMU guest takes minutes for what a kiosk does in
 * seconds.
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
