import dayjs from 'dayjs';
import { type SiteTime, siteTime } from './site-time.ts';

/** @returns a time that somebody else wrote; without an offset its figures are the site's already. null when it is no date */
export function siteTimeOf(timezone: string, written: string): SiteTime | null {
	const date = dayjs(written);
	if (written === '' || !date.isValid()) return null;
	if (/(Z|[+-]\d{2}:?\d{2})$/.test(written) && written.includes(':')) return siteTime(timezone, date.toDate());
	return { date: date.format('DD-MM-YYYY'), time: date.format('HH:mm:ss') };
}
