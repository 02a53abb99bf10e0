import type { Clock } from '../../daemon/src/base/clock.ts';

interface Timer {
	due: number;
	run: () => void;
}

/**
 * The time of kiosk, devices and network in one process. It moves only when a test moves it, so
 * that hours take milliseconds and every run is the same.
 */
export class VirtualClock implements Clock {
	/** What the wall clock is wrong by, ms; a fault moves it. */
	wallOffset = 0;
	#now = 0;
	/** The next one is the last, which leaves an array cheaply. */
	readonly #timers: Timer[] = [];

	now(): number {
		return this.#now;
	}

	wall(): Date {
		return new Date(Date.UTC(2026, 10, 21, 1) + this.#now + this.wallOffset);
	}

	after(ms: number, run: () => void): () => void {
		const timer: Timer = { due: this.#now + Math.max(0, ms), run };
		// Of timers due at the same time the first one set runs first.
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

	/** A process's clock. @param alive once this returns false, its timers no longer run */
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

	/** Runs the next timer due until `limit`. @returns false when there is none */
	step(limit: number): boolean {
		if ((this.#timers.at(-1)?.due ?? Number.POSITIVE_INFINITY) > limit) return false;
		const timer = this.#timers.pop() as Timer;
		this.#now = Math.max(this.#now, timer.due);
		timer.run();
		return true;
	}

	/** Moves to this moment without running what is due on the way. */
	skipTo(moment: number): void {
		this.#now = Math.max(this.#now, moment);
	}

	/** Moves `ms` forward and runs everything due on the way, in order. */
	advance(ms: number): void {
		const limit = this.#now + ms;
		while (this.step(limit));
		this.skipTo(limit);
	}
}
