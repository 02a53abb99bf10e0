import type { Clock as DaemonClock } from '../../daemon/src/base/clock.ts';
import type { Clock as DeviceClock } from '../simulators/clock.ts';

interface Timer {
	due: number;
	order: number;
	run: () => void;
}

/** One clock for kiosk, devices and network. Only the world advances it. */
export class SimClock {
	/** Monotonic ms since the start of the world. */
	now = 0;
	/** Error of the wall clock, ms; a fault changes it. */
	wallOffset = 0;
	#order = 0;
	readonly #timers: Timer[] = [];

	/** The clock of devices and network. */
	readonly device: DeviceClock = {
		now: () => this.now,
		after: (ms, run) => this.after(ms, run),
		wallTime: () => this.wall().toISOString(),
	};

	/** The start of the world plus the elapsed time. */
	wall(): Date {
		return new Date(Date.UTC(2026, 10, 21, 1) + this.now + this.wallOffset);
	}

	after(ms: number, run: () => void): () => void {
		this.#order += 1;
		const timer: Timer = { due: this.now + Math.max(0, ms), order: this.#order, run };
		this.#push(timer);
		return () => {
			timer.run = () => {};
		};
	}

	/** A process's clock. @param alive once false, none of its timers runs */
	ofProcess(alive: () => boolean): DaemonClock {
		return {
			now: () => this.now,
			wall: () => this.wall(),
			after: (ms, action) =>
				this.after(ms, () => {
					if (alive()) action();
				}),
		};
	}

	/** @returns when the next timer is due, or null */
	nextDue(): number | null {
		return this.#timers[0]?.due ?? null;
	}

	/** Runs the next timer. */
	step(): void {
		const timer = this.#pop();
		if (timer === null) return;
		this.now = Math.max(this.now, timer.due);
		timer.run();
	}

	#before(a: Timer, b: Timer): boolean {
		return a.due < b.due || (a.due === b.due && a.order < b.order);
	}

	#push(timer: Timer): void {
		const heap = this.#timers;
		let at = heap.push(timer) - 1;
		while (at > 0) {
			const parent = (at - 1) >> 1;
			const above = heap[parent] as Timer;
			if (this.#before(above, timer)) break;
			heap[at] = above;
			at = parent;
		}
		heap[at] = timer;
	}

	#pop(): Timer | null {
		const heap = this.#timers;
		const top = heap[0];
		const last = heap.pop();
		if (top === undefined || last === undefined) return null;
		if (heap.length === 0) return top;
		let at = 0;
		for (;;) {
			const left = 2 * at + 1;
			if (left >= heap.length) break;
			const right = left + 1;
			const child = right < heap.length && this.#before(heap[right] as Timer, heap[left] as Timer) ? right : left;
			const below = heap[child] as Timer;
			if (this.#before(last, below)) break;
			heap[at] = below;
			at = child;
		}
		heap[at] = last;
		return top;
	}
}
