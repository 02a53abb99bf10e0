import type { Clock } from '../clock.ts';

/** No kiosk is older than this program: an earlier time was written by a clock that had lost its battery. */
const FIRST_CREDIBLE = Date.UTC(2026, 0, 1);

/** How long the oldest of a row of waiting things has waited. */
export interface WaitingAge {
	/** @param oldest when it came, ISO 8601, or null when nothing waits @returns ms */
	of(oldest: string | null): number;
}

/** By its own time, where the clock can be believed, and never less than what this process has seen by a clock that cannot be set. */
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
