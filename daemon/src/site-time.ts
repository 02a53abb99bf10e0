/** Times on the site's own clock. */
import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';

dayjs.extend(utc);
dayjs.extend(timezone);

/** @returns a function that formats a time as ISO 8601 with the offset of a time zone */
export const timestampIn =
	(timezone: string) =>
	(at: Date): string =>
		dayjs(at).tz(timezone).format('YYYY-MM-DDTHH:mm:ssZ');

/** @returns a function that formats a time as a slip shows it, in a time zone */
export const slipTimeIn =
	(timezone: string) =>
	(at: Date): string =>
		dayjs(at).tz(timezone).format('DD-MM-YYYY HH:mm');

/** @returns a function that tells the last midnight before a time, in a time zone, ms */
export const midnightIn =
	(timezone: string) =>
	(at: Date): number =>
		dayjs(at).tz(timezone).startOf('day').valueOf();
