/**
 * The earliest credible time. The program did not exist before, so an earlier time is wrong: the
 * clock's battery is probably empty.
 */
const FIRST_CREDIBLE = Date.UTC(2026, 0, 1);
/** Largest accepted difference from the back office's clock. Servers and TLS tolerate minutes. */
const CLOCK_OFF_MS = 120_000;

/**
 * Why the wall clock is in doubt: impossible date, difference from the back office, or no network
 * time yet.
 */
export type ClockDoubt = 'before' | 'differs' | 'waiting';

/**
 * @param wall the kiosk's wall clock
 * @param aheadMs how far the back office's clock is ahead, ms; null before its first answer
 * @param synchronised whether network time has set the clock; null if unknown
 * @returns the reason for doubt, or null
 */
export function clockDoubt(wall: Date, aheadMs: number | null, synchronised: boolean | null): ClockDoubt | null {
	if (wall.getTime() < FIRST_CREDIBLE) return 'before';
	if (aheadMs !== null) return Math.abs(aheadMs) > CLOCK_OFF_MS ? 'differs' : null;
	return synchronised === false ? 'waiting' : null;
}
