/** Times in the site's time zone. */

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/**
 * Offsets of Indonesia's time zones, hours. These offsets have not changed since 1988. ICU's time
 * zones would take some milliseconds to load at each start.
 */
const FIXED_OFFSETS = new Map([
	['Asia/Jakarta', 7],
	['Asia/Pontianak', 7],
	['Asia/Makassar', 8],
	['Asia/Jayapura', 9],
]);

/** @returns whether this is the name of a time zone, such as "Asia/Jakarta" */
export function isTimeZone(name: string): boolean {
	if (FIXED_OFFSETS.has(name)) return true;
	try {
		formatterIn(name);
		return true;
	} catch {
		return false;
	}
}

/** @returns a function that formats a time as ISO 8601 with the offset of a time zone */
export function timestampIn(timezone: string): (at: Date) => string {
	const localOf = localTimeIn(timezone);
	return (at) => {
		const local = localOf(at);
		const minutes = Math.abs(local - at.getTime()) / MINUTE_MS;
		const sign = local < at.getTime() ? '-' : '+';
		const offset = `${sign}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(Math.floor(minutes % 60))}`;
		return `${isoOf(local).slice(0, 'YYYY-MM-DDTHH:mm:ss'.length)}${offset}`;
	};
}

/** @returns a function that formats a time as a slip shows it, in a time zone */
export function slipTimeIn(timezone: string): (at: Date) => string {
	const localOf = localTimeIn(timezone);
	return (at) => {
		const [date = '', time = ''] = isoOf(localOf(at)).split('T');
		return `${date.split('-').reverse().join('-')} ${time.slice(0, 'HH:mm'.length)}`;
	};
}

/**
 * @returns a function that gives the last midnight before a time in this time zone, ms since 1970
 */
export function midnightIn(timezone: string): (at: Date) => number {
	const localOf = localTimeIn(timezone);
	return (at) => {
		const local = localOf(at);
		const midnight = Date.parse(isoOf(local).slice(0, 'YYYY-MM-DD'.length));
		const guess = midnight - (local - at.getTime());
		// Daylight saving time may have begun or ended since midnight.
		return midnight - (localOf(new Date(guess)) - guess);
	};
}

/**
 * @returns a function that reads the local date and time of an instant as if they were UTC, ms
 * since 1970
 */
export function localTimeIn(timezone: string): (at: Date) => number {
	const fixed = FIXED_OFFSETS.get(timezone);
	if (fixed !== undefined) return (at) => at.getTime() + fixed * HOUR_MS;
	return (at) => {
		const [month = 0, day, year = 0, hour, minute, second] = formatterIn(timezone).format(at).split(/\D+/).map(Number);
		const milliseconds = at.getTime() - Math.floor(at.getTime() / SECOND_MS) * SECOND_MS;
		return Date.UTC(year, month - 1, day, hour, minute, second, milliseconds);
	};
}

/**
 * Formatters by time zone. They are kept, because to create a formatter takes a hundred times
 * longer than to use it.
 */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterIn(timezone: string): Intl.DateTimeFormat {
	const known = formatters.get(timezone);
	if (known !== undefined) return known;
	const made = new Intl.DateTimeFormat('en-US', {
		timeZone: timezone,
		hourCycle: 'h23',
		year: 'numeric',
		month: '2-digit',
		day: '2-digit',
		hour: '2-digit',
		minute: '2-digit',
		second: '2-digit',
	});
	formatters.set(timezone, made);
	return made;
}

const isoOf = (local: number): string => new Date(local).toISOString();
const twoDigits = (value: number): string => String(value).padStart(2, '0');
