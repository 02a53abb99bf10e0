/** No kiosk is older than this program: a clock that stands before has lost its battery. */
const FIRST_CREDIBLE = Date.UTC(2026, 0, 1);
/** Notes carry their time; servers and TLS forgive minutes. */
const CLOCK_OFF_MS = 120_000;

/** What speaks against the wall clock: it cannot be, it is not the back office's, or network time has not come yet. */
export type ClockDoubt = 'before' | 'differs' | 'waiting';

/**
 * @param wall what the clock says
 * @param aheadMs how far the back office's clock was ahead of it, null before its first answer
 * @param synchronised whether network time has set it, null where nobody tells
 * @returns null where nothing speaks against it
 */
export function clockDoubt(wall: Date, aheadMs: number | null, synchronised: boolean | null): ClockDoubt | null {
	if (wall.getTime() < FIRST_CREDIBLE) return 'before';
	if (aheadMs !== null) return Math.abs(aheadMs) > CLOCK_OFF_MS ? 'differs' : null;
	return synchronised === false ? 'waiting' : null;
}
