/** A device's time: a monotonic count for its timers, and a wall clock for its records. */
export interface Clock {
	/** ms since some fixed moment; never jumps */
	now(): number;
	/** Runs `run` once after `ms`. @returns cancels it */
	after(ms: number, run: () => void): () => void;
	/** ISO 8601 in UTC */
	wallTime(): string;
}

export const realClock: Clock = {
	now: () => performance.now(),
	after(ms, run) {
		const timer = setTimeout(run, ms);
		return () => clearTimeout(timer);
	},
	wallTime: () => new Date().toISOString(),
};

/** Receives a simulator's events; one short English sentence a call. */
export type Log = (sentence: string) => void;

export const noLog: Log = () => {};
