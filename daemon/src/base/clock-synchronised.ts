import { existsSync } from 'node:fs';

/**
 * Folder in which systemd-timesyncd creates the file `synchronized` when it has first set the clock
 * after a start of the PC.
 */
const TIMESYNC = '/run/systemd/timesync';

/** @returns whether network time has set the clock; null if unknown */
export const clockSynchronised = (): boolean | null => (existsSync(TIMESYNC) ? existsSync(`${TIMESYNC}/synchronized`) : null);
