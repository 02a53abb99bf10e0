import type { Clock } from '../base/clock.ts';
import type { OpenPort } from './port.ts';

/**
 * Time without an event after which the supervisor of a closed line counts as failed. Normally the
 * supervisor retries a lost line within seconds, and each attempt ends within seconds.
 */
const ABANDONED_MS = 60_000;

/** Checks that a line is supervised, regardless of the state of its device. */
export interface LineWatch {
	/** Opens ports for the line's supervisor. */
	open: OpenPort;
	/** @throws Error if the line is not open and has not been retried for a minute */
	ask(): void;
}

/** For systemd's watchdog: checks from outside that a closed line is being retried. */
export function watchLine(name: string, open: OpenPort, clock: Clock): LineWatch {
	/** Time of the last event of a closed line, ms; null while the line is open. */
	let since: number | null = clock.now();
	return {
		open(listener) {
			since = clock.now();
			return open({
				opened() {
					since = null;
					listener.opened();
				},
				data: (bytes) => listener.data(bytes),
				closed(reason, flooded) {
					since = clock.now();
					listener.closed(reason, flooded);
				},
			});
		},
		ask() {
			if (since === null) return;
			const still = clock.now() - since;
			if (still >= ABANDONED_MS) throw new Error(`the line to the ${name} has not been retried for ${Math.round(still / 1_000)} s`);
		},
	};
}
