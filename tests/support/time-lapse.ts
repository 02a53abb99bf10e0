import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './until.ts';

const FAST_CLOCK = import.meta.resolve('./fast-clock.ts');

/** Control of a daemon's monotonic clock; fast-clock.ts runs inside the daemon. */
export interface TimeLapse {
	/** For the daemon's process. */
	environment: Record<string, string>;
	/** Returns when the daemon's clock has passed this many ms. */
	pass(ms: number): Promise<void>;
}

/** @param speed how much faster than real time */
export function timeLapse(directory: string, speed = 8): TimeLapse {
	const later = join(directory, 'later');
	return {
		environment: { NODE_OPTIONS: `--import=${FAST_CLOCK}`, KIOSK_TEST_LATER: later, KIOSK_TEST_SPEED: String(speed) },
		async pass(ms) {
			writeFileSync(later, String(ms));
			await until(() => {
				if (existsSync(later)) throw new Error('the time has not passed yet');
			});
		},
	};
}
