import type { Clock } from '../../daemon/src/base/clock.ts';

interface Timer {
	due: number;
	run: () => void;
}

/**
 * The common time of kiosk, devices and network, which run in one process. Only the test advances
 * it, so hours take milliseconds and every run is the same.
 */
export class VirtualClock implements Clock {
	/** Error of the wall clock, ms. A simulated fault changes it. */
	wallOffset = 0;
	#now = 0;
	/** The timer that is due next is the last entry, because the last entry is cheap to remove. */
	readonly #timers: Timer[] = [];

	now(): number {
		return this.#now;
	}

	wall(): Date {
		return new Date(Date.UTC(2026, 10, 21, 1) + this.#now + this.wallOffset);
	}

	after(ms: number, run: () => void): () => void {
		const timer: Timer = { due: this.#now + Math.max(0, ms), run };
		// Timers that are due at the same time run in the order in which they were set.
		let [low, high] = [0, this.#timers.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((this.#timers[middle] as Timer).due > timer.due) low = middle + 1;
			else high = middle;
		}
		this.#timers.splice(low, 0, timer);
		return () => {
			timer.run = () => {};
		};
	}

	/**
	 * @returns the clock for one simulated process
	 * @param alive returns whether the process still runs; after its end its timers do nothing
	 */
	ofProcess(alive: () => boolean): Clock {
		return {
			now: () => this.#now,
			wall: () => this.wall(),
			after: (ms, action) =>
				this.after(ms, () => {
					if (alive()) action();
				}),
		};
	}

	/**
	 * Runs the next timer if it is due at or before `limit`.
	 * @returns false if there is no such timer
	 */
	step(limit: number): boolean {
		if ((this.#timers.at(-1)?.due ?? Number.POSITIVE_INFINITY) > limit) return false;
		const timer = this.#timers.pop() as Timer;
		this.#now = Math.max(this.#now, timer.due);
		timer.run();
		return true;
	}

	/** Advances to this moment without running any timers. */
	skipTo(moment: number): void {
		this.#now = Math.max(this.#now, moment);
	}

	/** Advances by `ms` and runs all timers that become due, in order. */
	advance(ms: number): void {
		const limit = this.#now + ms;
		while (this.step(limit));
		this.skipTo(limit);
	}
}
