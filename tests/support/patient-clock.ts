import type { Clock } from '../../daemon/src/base/clock.ts';

const TICK_MS = 5;
const MOST_MS = 2 * TICK_MS;

interface Timer {
	at: number;
	action: () => void;
}

/**
 * @returns a real-time clock that counts a pause of the process as a few milliseconds. So a driver
 * and a simulated device in one process keep their time limits even on a busy computer.
 */
export function patientClock(): Clock {
	let now = 0;
	let last = performance.now();
	const timers = new Set<Timer>();
	setInterval(() => {
		const at = performance.now();
		now += Math.min(at - last, MOST_MS);
		last = at;
		const due = [...timers].filter((timer) => timer.at <= now).sort((one, other) => one.at - other.at);
		for (const timer of due) if (timers.delete(timer)) timer.action();
	}, TICK_MS).unref();
	return {
		now: () => now,
		wall: () => new Date(),
		after(ms, action) {
			const timer = { at: now + ms, action };
			timers.add(timer);
			return () => void timers.delete(timer);
		},
	};
}
