import type { Clock } from './clock.ts';

interface Waiting {
	due: number;
	order: number;
	run: () => void;
}

/** A clock that only a test moves. */
export interface ManualClock extends Clock {
	/** Moves `ms` forward and runs everything due on the way, in order. */
	advance(ms: number): void;
}

export function manualClock(): ManualClock {
	let now = 0;
	let order = 0;
	let waiting: Waiting[] = [];
	const nextDue = (limit: number): Waiting | undefined =>
		waiting.filter((timer) => timer.due <= limit).sort((a, b) => a.due - b.due || a.order - b.order)[0];

	return {
		now: () => now,
		wallTime: () => new Date(now).toISOString(),
		after(ms, run) {
			order += 1;
			const timer = { due: now + ms, order, run };
			waiting.push(timer);
			return () => {
				waiting = waiting.filter((other) => other !== timer);
			};
		},
		advance(ms) {
			const limit = now + ms;
			for (let timer = nextDue(limit); timer !== undefined; timer = nextDue(limit)) {
				const due = timer;
				waiting = waiting.filter((other) => other !== due);
				now = due.due;
				due.run();
			}
			now = limit;
		},
	};
}
