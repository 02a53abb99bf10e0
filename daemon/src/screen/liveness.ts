import type { Visit } from '@kiosk/contract/kiosk-api';
import type { Clock } from '../base/clock.ts';

/**
 * The screen reports every 5 s. After three missed reports the screen counts as frozen, even if its
 * socket is open.
 */
const DEAD_MS = 15_000;
/**
 * A visit is resumed only within this time. Even on an old PC a browser restarts within five
 * minutes. After this time the customer has probably left.
 */
const RESUME_MS = 300_000;
/** Screens of an idle kiosk. */
const IDLE_SCREENS = new Set(['/', '/login', '/logout']);
/** The route on which a card is paid. */
export const CARD_ROUTE = '/edc-bca-payment';
/** Screens of a visit that can be restored from the entered number alone. */
const VISIT_SCREENS = new Set(['/payment-method', '/cash-payment', CARD_ROUTE, '/non-cash-payment']);

/**
 * Keeps the screen's last report of a drawn frame. A connection alone proves nothing, because a
 * connected page can be frozen or black.
 */
export class ScreenLiveness {
	readonly #clock: Clock;
	/**
	 * `visit`: the number that the customer entered. It is personal data, so it is kept only in
	 * memory and only until the home screen is drawn.
	 */
	#last: { screen: string; visit: string; at: number } | null = null;

	/** When the first frame after the last pause was drawn, monotonic ms. */
	#since = 0;
	/** Time of the last touch; before the first touch, time of the first frame. Monotonic ms. */
	#touchedAt: number | null = null;
	/** When a screen of a visit or of staff was last drawn, monotonic ms. */
	#visitedAt = Number.NEGATIVE_INFINITY;

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	/**
	 * @param visit the number that the customer entered at this screen; '' if none
	 * @param touched whether the panel was touched since the previous report
	 */
	drawn(screen: string, visit: string, touched = false): void {
		if (this.last()?.dead !== false) this.#since = this.#clock.now();
		this.#last = { screen, visit, at: this.#clock.now() };
		if (touched) this.#touchedAt = this.#last.at;
		this.#touchedAt ??= this.#last.at;
		if (!IDLE_SCREENS.has(screen)) this.#visitedAt = this.#last.at;
	}

	/** @returns the last drawn route and its age in ms; null before the first report */
	last(): { screen: string; ago_ms: number; dead: boolean } | null {
		if (!this.#last) return null;
		const ago_ms = Math.round(this.#clock.now() - this.#last.at);
		return { screen: this.#last.screen, ago_ms, dead: ago_ms > DEAD_MS };
	}

	/** @returns how long frames have come without a pause, ms; 0 if no frames come now */
	drawnMs(): number {
		return this.last()?.dead === false ? this.#clock.now() - this.#since : 0;
	}

	/** @returns ms since the last touch, or since the first frame; null while no frames come */
	untouchedMs(): number | null {
		if (this.#touchedAt === null || this.last()?.dead !== false) return null;
		return this.#clock.now() - this.#touchedAt;
	}

	/**
	 * @returns when a screen of a visit or of staff was last drawn, monotonic ms; -Infinity before
	 * the first
	 */
	visitedAt(): number {
		return this.#visitedAt;
	}

	/** @returns the visit that a restarted browser resumes; null if none is in progress */
	visit(): Visit['visit'] {
		const last = this.#last;
		if (!last || last.visit === '' || !VISIT_SCREENS.has(last.screen) || this.#clock.now() - last.at > RESUME_MS) return null;
		return { screen: last.screen, number: last.visit };
	}
}
