/**
 * Loaded into the daemon before everything else: when the file KIOSK_TEST_LATER names a number of ms, the monotonic clock runs eight times as
 * fast (KIOSK_TEST_SPEED: another factor) until they have passed, and the file is gone. No jump: the daemon would take that for a pause of its process. Timers and the
 * wall clock run as before.
 */
import { readFileSync, rmSync } from 'node:fs';

const SPEED = Number(process.env.KIOSK_TEST_SPEED ?? 8);
const file = process.env.KIOSK_TEST_LATER ?? '';
const realNow = performance.now.bind(performance);

/** What is still to pass, by how much the clock is ahead, and when it was last asked; ms. */
let left = 0;
let ahead = 0;
let askedAt = realNow();

function asked(): number {
	try {
		return Number(readFileSync(file, 'utf8'));
	} catch {
		return 0;
	}
}

performance.now = () => {
	const now = realNow();
	if (left > 0) {
		const passed = Math.min(left, (now - askedAt) * SPEED);
		ahead += Math.max(0, passed - (now - askedAt));
		left -= passed;
		if (left === 0) rmSync(file, { force: true });
	} else left = asked();
	askedAt = now;
	return now + ahead;
};
