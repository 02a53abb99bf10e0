import { existsSync } from 'node:fs';

/**
 * Folder in which systemd-timesyncd creates `synchronized` once the clock was set from network time
 * since the PC started.
 */
const TIMESYNC = '/run/systemd/timesync';

/** @returns whether network time has set the clock; null if unknown */
export const clockSynchronised = (): boolean | null => (existsSync(TIMESYNC) ? existsSync(`${TIMESYNC}/synchronized`) : null);
