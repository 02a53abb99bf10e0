import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './until.ts';

const PRELOAD = import.meta.resolve('./preloaded-clock.ts');

/**
 * Controls a daemon's clocks from a test, by files that preloaded-clock.ts reads inside the daemon.
 */
export interface DaemonClock {
	/** Environment for the daemon's process. */
	environment: Record<string, string>;
	/**
	 * Speeds up the daemon's monotonic clock until it has advanced by this many ms. Timers keep their
	 * speed.
	 */
	pass(ms: number): Promise<void>;
	/** Sets the daemon's wall clock this many ms ahead of the right time; negative: behind. */
	shiftWall(ms: number): void;
}

/** @param speed factor by which `pass` speeds up the clock */
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
