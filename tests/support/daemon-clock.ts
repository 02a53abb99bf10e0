import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './until.ts';

const PRELOAD = import.meta.resolve('./preloaded-clock.ts');

/** Controls a daemon's clocks from outside; preloaded-clock.ts runs inside the daemon. */
export interface DaemonClock {
	/** Environment for the daemon's process. */
	environment: Record<string, string>;
	/**
	 * Resolves when the daemon's monotonic clock has passed this many ms; timers are not affected.
	 */
	pass(ms: number): Promise<void>;
	/** Makes the wall clock wrong by this many ms. */
	shiftWall(ms: number): void;
}

/** @param speed how many times faster than real time `pass` makes the clock */
export function daemonClock(directory: string, speed = 8): DaemonClock {
	const later = join(directory, 'later');
	return {
		environment: { NODE_OPTIONS: `--import=${PRELOAD}`, KIOSK_TEST_CLOCK: directory, KIOSK_TEST_SPEED: String(speed) },
		async pass(ms) {
			writeFileSync(later, String(ms));
			await until(() => {
				if (existsSync(later)) throw new Error('the time has not passed yet');
			});
		},
		shiftWall: (ms) => writeFileSync(join(directory, 'wall-clock'), String(ms)),
	};
}
