import dayjs from 'dayjs';
import zones from 'dayjs/plugin/timezone';
import utc from 'dayjs/plugin/utc';
import { type SiteTime, siteTime } from './site-time.ts';

dayjs.extend(utc);
dayjs.extend(zones);

const hasOffset = (written: string): boolean => /(Z|[+-]\d{2}:?\d{2})$/.test(written) && written.includes(':');

/**
 * @returns a written time in the site's time; null for an invalid date. A time without an offset is
 * already in the site's time.
 */
export function siteTimeOf(timezone: string, written: string): SiteTime | null {
	const date = dayjs(written);
	if (written === '' || !date.isValid()) return null;
	if (hasOffset(written)) return siteTime(timezone, date.toDate());
	return { date: date.format('DD-MM-YYYY'), time: date.format('HH:mm:ss') };
}

/**
 * @returns the written date and time as ms since 1970. Any other text gives null, so that no code
 * expires by mistake.
 */
export function momentOf(timezone: string, written: string): number | null {
	// The format is checked first, because dayjs accepts almost any text as a date.
	if (!/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(written) || Number.isNaN(Date.parse(written))) return null;
	return (hasOffset(written) ? dayjs(written) : dayjs.tz(written, timezone)).valueOf();
}
