import type { HeldMoney } from '@kiosk/contract/held-money';
import type { ScreenSettings } from '@kiosk/contract/kiosk-api';
import type { Settings } from '../settings/settings.ts';

/** Values that change while the daemon runs. */
interface OfTheMoment {
	clockInDoubt: () => boolean;
	/** Names of changed settings that still need confirmation. */
	unconfirmed: () => readonly string[];
	heldMoney: () => HeldMoney;
	/** Address of the film, or null. */
	promo: () => string | null;
}

/**
 * For a page without a session, which shows only the log-in.
 * @returns the settings without the state of the kiosk and its money
 */
export const withoutState = (settings: ScreenSettings): ScreenSettings => ({
	...settings,
	setup_problems: [],
	unconfirmed: [],
	held_money: null,
	clock_in_doubt: false,
});

/**
 * @param setupProblems problems of an appliance's settings, as sentences
 * @param speaks whether the build contains recordings of the spoken guidance
 * @returns the settings for the screen. Values that change are read at each access.
 */
export function screenSettings(
	settings: Settings,
	setupProblems: string[],
	{ clockInDoubt, promo, unconfirmed, heldMoney }: OfTheMoment,
	speaks: boolean,
): ScreenSettings {
	const { site, screen, back_office, acceptor, edc, printer } = settings;
	return {
		site_name: site.name,
		staff_phone: site.staff_phone,
		timezone: site.timezone,
		panel_diagonal_inch: screen.panel_diagonal_inch,
		places: { slot: screen.places.slot ?? null, terminal: screen.places.terminal ?? null, tray: screen.places.tray ?? null },
		alert_ms: screen.alert_ms,
		idle_ms: screen.idle_ms,
		idle_question_ms: screen.idle_question_ms,
		api_timeout_ms: back_office.timeout_ms,
		csrf_cookie: back_office.csrf_cookie,
		csrf_header: back_office.csrf_header,
		paths: back_office.paths,
		notes: acceptor
			? [...new Set(acceptor.notes.values())].filter((nominal) => !acceptor.switched_off.includes(nominal)).sort((a, b) => a - b)
			: [],
		print: printer ? 'printer' : 'browser',
		edc: edc !== undefined,
		edc_qris_ms: edc?.qris ? edc.qris_first_ms + edc.qris_every_ms * edc.qris_looks : null,
		abandoned_ms: screen.abandoned_ms,
		sound: screen.sound,
		voice: screen.voice && speaks,
		mask_names: screen.mask_names,
		setup_problems: setupProblems,
		get unconfirmed() {
			return [...unconfirmed()];
		},
		get held_money() {
			return heldMoney();
		},
		get clock_in_doubt() {
			return clockInDoubt();
		},
		get promo_video() {
			return promo();
		},
	};
}
