/** Time as the daemon sees it, injected so that tests and the simulation own it. */
export interface Clock {
	/** Monotonic ms; the only source for limits and durations, so that a jump of the wall clock changes nothing. */
	now(): number;
	/** Wall time, only ever written down or shown. */
	wall(): Date;
	/** Runs `action` once after `ms`; @returns a function that cancels it. */
	after(ms: number, action: () => void): () => void;
}

/** The machine's own clock. */
export const systemClock: Clock = {
	now: () => performance.now(),
	wall: () => new Date(),
	after(ms, action) {
		const timer = setTimeout(action, ms);
		return () => clearTimeout(timer);
	},
};
