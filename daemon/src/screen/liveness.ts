import type { Clock } from '../clock.ts';

/** The screen reports every 5 s; after three missed reports the picture is dead, whatever its socket says. */
const DEAD_MS = 15_000;

/** What the screen last said that it had drawn. A connected page can still show a frozen or black picture. */
export class ScreenLiveness {
	readonly #clock: Clock;
	#last: { screen: string; at: number } | null = null;

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	drawn(screen: string): void {
		this.#last = { screen, at: this.#clock.now() };
	}

	/** @returns the route drawn last and how long ago, ms; null before the first report */
	last(): { screen: string; ago_ms: number; dead: boolean } | null {
		if (!this.#last) return null;
		const ago_ms = Math.round(this.#clock.now() - this.#last.at);
		return { screen: this.#last.screen, ago_ms, dead: ago_ms > DEAD_MS };
	}
}
