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

/** Repeated calls of an action, with pauses that may change. */
export interface Ticks {
	/** Makes the next call earlier if the pause has become shorter since the call was planned. */
	check(): void;
	stop(): void;
}

/**
 * Runs `action` repeatedly.
 * @param pause returns the time from now until the next call, ms
 */
export function tick(clock: Clock, pause: () => number, action: () => void): Ticks {
	let due = 0;
	let cancel = () => {};
	let stopped = false;
	function plan(): void {
		const ms = pause();
		due = clock.now() + ms;
		cancel = clock.after(ms, () => {
			try {
				action();
			} finally {
				if (!stopped) plan();
			}
		});
	}
	plan();
	return {
		check() {
			if (stopped || clock.now() + pause() >= due) return;
			cancel();
			plan();
		},
		stop() {
			stopped = true;
			cancel();
		},
	};
}

/** Runs `action` every `ms`, first after `ms`. @returns a function that stops the repetition */
export const every = (clock: Clock, ms: number, action: () => void): (() => void) => tick(clock, () => ms, action).stop;

/** Resolves after `ms`. */
export const pause = (clock: Clock, ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve));
