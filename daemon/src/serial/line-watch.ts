import type { Clock } from '../clock.ts';
import type { OpenPort } from './port.ts';

/** A lost line is tried again within seconds and an attempt ends within seconds; one that stands still for this long is looked after by nobody. */
const ABANDONED_MS = 60_000;

/** Asks whether a line is looked after, in whatever state the device is. */
export interface LineWatch {
	/** What the supervisor of the line is given to open ports with. */
	open: OpenPort;
	/** @throws Error when the line is neither open nor has been tried for a minute */
	ask(): void;
}

/** Watches from outside whether a line that is not open keeps being tried: for systemd's watchdog. */
export function watchLine(name: string, open: OpenPort, clock: Clock): LineWatch {
	/** Of the last thing that happened to a line that is not open, ms; null while it is open. */
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
			if (still >= ABANDONED_MS) throw new Error(`nobody has tried to open the line to the ${name} for ${Math.round(still / 1_000)} s`);
		},
	};
}
