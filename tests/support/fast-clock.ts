/**
 * Preloaded into the daemon: when the file KIOSK_TEST_LATER names a number of ms, the monotonic
 * clock runs KIOSK_TEST_SPEED times as fast until they have passed, and then the file is deleted.
 * It does not jump, since the daemon would take a jump for a stall. Timers and the wall clock are
 * unchanged.
 */
import { readFileSync, rmSync } from 'node:fs';

const SPEED = Number(process.env.KIOSK_TEST_SPEED);
const file = process.env.KIOSK_TEST_LATER ?? '';
const realNow = performance.now.bind(performance);

/** Remaining time, lead of the clock, and time of the last reading; ms. */
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
