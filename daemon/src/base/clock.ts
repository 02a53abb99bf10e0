/** Source of time, injected so that tests and simulation control it. */
export interface Clock {
	/**
	 * Monotonic ms, for limits and durations within a run. A change of the wall clock does not affect
	 * them.
	 */
	now(): number;
	/** Wall-clock time, for records, display and durations that outlast a restart. */
	wall(): Date;
	/** Runs `action` once after `ms`; @returns a function that cancels it. */
	after(ms: number, action: () => void): () => void;
}

/** The PC's own clock. */
export const systemClock: Clock = {
	now: () => performance.now(),
	wall: () => new Date(),
	after(ms, action) {
		const timer = setTimeout(action, ms);
		return () => clearTimeout(timer);
	},
};

/** Runs `action` every `ms`, first after `ms`. @returns a function that stops the repetition */
export function every(clock: Clock, ms: number, action: () => void): () => void {
	let cancel = clock.after(ms, repeat);
	function repeat(): void {
		cancel = clock.after(ms, repeat);
		action();
	}
	return () => cancel();
}

/** Resolves after `ms`. */
export const pause = (clock: Clock, ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve));
