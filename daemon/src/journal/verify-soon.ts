import { type Clock, every } from '../base/clock.ts';
import type { Journal } from './journal.ts';

/**
 * Pause between two batches of 250 records: a journal of ten years, three million records, is
 * verified in about five minutes, while notes and pages are served in between.
 */
const PAUSE_MS = 20;

/**
 * Verifies all records within minutes instead of hours, because a version on trial must read the
 * whole journal before it counts as good.
 * @param isIdle whether no cash payment is in progress
 */
export function verifySoon(journal: Pick<Journal, 'patrol' | 'isVerified' | 'trouble'>, isIdle: () => boolean, clock: Clock): void {
	const stop = every(clock, PAUSE_MS, () => {
		if (journal.isVerified()) stop();
		else if (isIdle() && journal.trouble() === null) journal.patrol();
	});
}
