import { existsSync } from 'node:fs';

/**
 * systemd-timesyncd creates `synchronized` in it once network time has set the clock since boot.
 */
const TIMESYNC = '/run/systemd/timesync';

/** @returns whether network time has set the clock; null if unknown */
export const clockSynchronised = (): boolean | null => (existsSync(TIMESYNC) ? existsSync(`${TIMESYNC}/synchronized`) : null);
