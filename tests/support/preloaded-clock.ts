/**
 * Node preloads this module into the daemon, so that a test can move the daemon's clocks. Two files
 * in the folder KIOSK_TEST_CLOCK control them. `wall-clock` contains the error of the wall clock,
 * ms. `later` contains a duration, ms: the monotonic clock runs KIOSK_TEST_SPEED times as fast
 * until this time has passed, and then this module deletes the file. The monotonic clock does not
 * jump, because the daemon would take a jump for a stall. Timers keep their speed.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const SPEED = Number(process.env.KIOSK_TEST_SPEED);
const folder = process.env.KIOSK_TEST_CLOCK ?? '';
const wall = join(folder, 'wall-clock');
const later = join(folder, 'later');
const RealDate = Date;
const realNow = performance.now.bind(performance);

/**
 * Checks first whether the file exists: it is usually absent, and an exception would cost more
 * time.
 */
const ms = (file: string): number => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);

/** In ms: how much fast time remains, how far the clock is ahead, and when it was read last. */
let left = 0;
let ahead = 0;
let askedAt = realNow();

/**
 * The values in the two files, and when they were read last, ms. The daemon reads its clock often,
 * so the files are read at most once a millisecond.
 */
let wallError = 0;
let wanted = 0;
let lookedAt = 0;
function look(now = realNow()): void {
	if (now - lookedAt < 1) return;
	lookedAt = now;
	wallError = ms(wall);
	wanted = ms(later);
}

performance.now = () => {
	const now = realNow();
	look(now);
	if (left > 0) {
		const passed = Math.min(left, (now - askedAt) * SPEED);
		ahead += Math.max(0, passed - (now - askedAt));
		left -= passed;
		if (left === 0) {
			rmSync(later, { force: true });
			wanted = 0;
		}
	} else left = wanted;
	askedAt = now;
	return now + ahead;
};

globalThis.Date = class extends RealDate {
	constructor(...of: [] | ConstructorParameters<typeof RealDate>) {
		look();
		if (of.length === 0) super(RealDate.now() + wallError);
		else super(...of);
	}

	static override now(): number {
		look();
		return RealDate.now() + wallError;
	}
} as DateConstructor;
