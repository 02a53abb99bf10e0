import type { Visit } from '../../contract/kiosk-api.ts';
import type { Clock } from '../clock.ts';

/** The screen reports every 5 s; after three missed reports the picture is dead, whatever its socket says. */
const DEAD_MS = 15_000;
/** A browser is started anew within five minutes, on an old machine; who comes later is somebody else. */
const RESUME_MS = 300_000;
/** Screens that belong to one customer and begin again from the number alone. */
const VISIT_SCREENS = new Set(['/payment-method', '/cash-payment', '/edc-bca-payment', '/non-cash-payment']);

/** What the screen last said that it had drawn. A connected page can still show a frozen or black picture. */
export class ScreenLiveness {
	readonly #clock: Clock;
	/** The number is a person's and lives here only, until the home screen has been drawn. */
	#last: { screen: string; visit: string; at: number } | null = null;

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	/** @param visit the number that the customer at this screen has entered, '' without one */
	drawn(screen: string, visit: string): void {
		this.#last = { screen, visit, at: this.#clock.now() };
	}

	/** @returns the route drawn last and how long ago, ms; null before the first report */
	last(): { screen: string; ago_ms: number; dead: boolean } | null {
		if (!this.#last) return null;
		const ago_ms = Math.round(this.#clock.now() - this.#last.at);
		return { screen: this.#last.screen, ago_ms, dead: ago_ms > DEAD_MS };
	}

	/** @returns where a new browser goes on, because the one before it ended there; null when nobody is in the middle of anything */
	visit(): Visit['visit'] {
		const last = this.#last;
		if (!last || last.visit === '' || !VISIT_SCREENS.has(last.screen) || this.#clock.now() - last.at > RESUME_MS) return null;
		return { screen: last.screen, number: last.visit };
	}
}
