/** A time as the site's clock shows it. */
export type SiteTime = {
	/** DD-MM-YYYY */
	date: string;
	/** HH:mm:ss */
	time: string;
};

/** @param timezone e.g. "Asia/Jakarta" */
export function siteTime(timezone: string, at: Date): SiteTime {
	const written = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' }).formatToParts(at);
	const part = (type: Intl.DateTimeFormatPartTypes) => written.find((one) => one.type === type)?.value ?? '';
	return { date: `${part('day')}-${part('month')}-${part('year')}`, time: `${part('hour')}:${part('minute')}:${part('second')}` };
}

/** @returns DD-MM-YYYY HH:mm, as on the receipt */
export const tanggalOf = ({ date, time }: SiteTime): string => `${date} ${time.slice(0, 5)}`;

/** @param time ISO 8601 in the site's time @returns DD-MM-YYYY HH:mm, as on the receipt */
export const writtenTanggal = (time: string): string => time.replace(/^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d).*$/, '$3-$2-$1 $4');
