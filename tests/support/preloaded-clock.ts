/**
 * Node preloads this module into the daemon. It moves the daemon's clocks while the daemon runs.
 * Two files in the folder KIOSK_TEST_CLOCK control the clocks. `wall-clock` contains the error of
 * the wall clock, ms. `later` contains a duration, ms: the monotonic clock runs KIOSK_TEST_SPEED
 * times as fast until this time has passed, and then the file is deleted. The clock does not jump,
 * because the daemon would take a jump for a stall. Timers are not affected.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const SPEED = Number(process.env.KIOSK_TEST_SPEED);
const folder = process.env.KIOSK_TEST_CLOCK ?? '';
const wall = join(folder, 'wall-clock');
const later = join(folder, 'later');
const RealDate = Date;
const realNow = performance.now.bind(performance);

/** Checks first, because the file is usually absent and an exception would cost more. */
const ms = (file: string): number => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);

/** Remaining fast time, lead of the clock, and time of the last reading; ms. */
let left = 0;
let ahead = 0;
let askedAt = realNow();

/**
 * Values from the files, ms. The daemon reads its clock often, so the files are read at most once a
 * millisecond.
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
