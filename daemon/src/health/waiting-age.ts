import type { Clock } from '../base/clock.ts';

/**
 * The earliest credible time. The program did not exist before, so an earlier time is wrong: the
 * clock's battery was probably empty.
 */
const FIRST_CREDIBLE = Date.UTC(2026, 0, 1);

/** Age of the oldest waiting item. */
export interface WaitingAge {
	/**
	 * @param oldest time of the oldest waiting item, ISO 8601; null if nothing waits
	 * @returns age in ms
	 */
	of(oldest: string | null): number;
}

/**
 * Computes the age from the item's time, if that time is credible. The age is at least the
 * monotonic time since this process first saw the item.
 */
export function waitingAge(clock: Clock): WaitingAge {
	let seen: { oldest: string; at: number } | null = null;
	return {
		of(oldest) {
			if (oldest === null) {
				seen = null;
				return 0;
			}
			if (seen?.oldest !== oldest) seen = { oldest, at: clock.now() };
			const came = Date.parse(oldest);
			const told = came >= FIRST_CREDIBLE ? clock.wall().getTime() - came : 0;
			return Math.max(told, clock.now() - seen.at);
		},
	};
}
