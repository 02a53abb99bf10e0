/** The section `[update]`. Without it the kiosk never updates over the network. */
import * as v from 'valibot';

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Day = (typeof DAYS)[number];

const address = v.pipe(
	v.string('an address in quotes'),
	v.check(isFolderAddress, 'the address of a folder such as "https://updates.example/kiosk", which starts with http: or https:'),
	v.transform((text) => (text.endsWith('/') ? text : `${text}/`)),
);

function isFolderAddress(text: string): boolean {
	if (!URL.canParse(text)) return false;
	const { protocol, search, hash, username, password } = new URL(text);
	return (protocol === 'http:' || protocol === 'https:') && [search, hash, username, password].every((part) => part === '');
}

const whole = (least: number, most: number, what: string) => v.pipe(v.number(what), v.integer(what), v.minValue(least), v.maxValue(most));

export const UpdateSettings = v.strictObject({
	/**
	 * Folder of the published files. http is allowed, because the manifest is signed. https also
	 * hides which version a kiosk fetches.
	 */
	url: address,
	channel: v.optional(v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,31}$/, 'a name such as "stable"')), 'stable'),
	window: v.optional(
		v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/, 'hours such as "02:00-05:00"')),
		'02:00-05:00',
	),
	days: v.optional(v.pipe(v.array(v.picklist(DAYS, `one of ${DAYS.join(', ')}`)), v.minLength(1, 'at least one day')), [...DAYS]),
	/** Replaces the roll-out's percentage on this kiosk. */
	percent_override: v.optional(whole(0, 100, 'a whole number from 0 to 100')),
	/** Maximum download rate in KiB per second; if left out, there is no limit. */
	rate: v.optional(whole(8, 1_000_000, 'a whole number of KiB per second, at least 8')),
});
export type UpdateSettings = v.InferOutput<typeof UpdateSettings>;
