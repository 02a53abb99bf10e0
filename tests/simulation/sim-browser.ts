import type { Id } from '@kiosk/contract/back-office';
import { LiveMessage, type LiveText } from '@kiosk/contract/live';
import * as v from 'valibot';
import type { KioskDeps } from '../../daemon/src/kiosk-parts.ts';
import { drawn } from './sim-desk.ts';
import type { SimKiosk } from './sim-kiosk.ts';
import type { SimScreen } from './sim-screen.ts';
import { watchScreen } from './sim-watch.ts';

/** Interval of the screen's heartbeat, ms. */
const DRAWN_MS = 5_000;

type Report = { route: string; visit: Id | null; at: number };

/** The browser of the simulated kiosk: its live socket, and its reports about the drawn page. */
export class SimBrowser {
	readonly #world: SimKiosk;
	readonly #reports = new Map<string, Report>();
	#greeting: () => LiveText[] = () => [];
	#count: () => void = () => {};

	constructor(world: SimKiosk) {
		this.#world = world;
	}

	/**
	 * @param alive whether the process still runs
	 * @returns the function that starts the process's end of the live socket
	 */
	hubFor(alive: () => boolean): KioskDeps['startHub'] {
		const { screen } = this.#world;
		return (deps) => {
			this.#greeting = deps.greeting;
			screen.say = (message) => {
				if (alive()) deps.onMessage(message);
			};
			this.#count = () => alive() && deps.onCount(new Set(screen.connected ? [screen.session] : []));
			return {
				accept: () => {},
				notify: (text) => {
					if (alive() && screen.connected) this.#hear(text);
				},
				screens: () => (screen.connected ? 1 : 0),
				dropAll: () => {},
				drop: () => {},
				stop: () => {},
			};
		};
	}

	/** Reconnects the socket of the same page. */
	open(): void {
		const { screen, kiosk } = this.#world;
		screen.connected = true;
		screen.heard = [];
		this.#count();
		if (kiosk !== null) for (const text of this.#greeting()) this.#hear(text);
	}

	close(): void {
		this.#world.screen.connected = false;
		this.#count();
	}

	/** Reloads the page, which then begins at home. @param anew whether the browser is new, too */
	reload(anew: boolean): void {
		const { screen } = this.#world;
		screen.loads += 1;
		if (anew) screen.session = `browser ${screen.loads}`;
		screen.route = '/';
		screen.visit = null;
		screen.shows = null;
		this.open();
		this.report();
	}

	/** Reports that the browser has drawn its page. */
	report(): void {
		const { screen, kiosk } = this.#world;
		if (screen.connected && screen.drawing && kiosk !== null) drawn(this.#world, screen);
	}

	/** Reports now and at intervals until the world ends. */
	keepReporting(): void {
		this.#world.clock.after(DRAWN_MS, () => this.keepReporting());
		this.report();
	}

	/** Records that a browser reported its page. */
	reported({ session, route, visit }: Pick<SimScreen, 'session' | 'route' | 'visit'>): void {
		this.#reports.set(session, { route, visit, at: this.#world.clock.now() });
	}

	/** @returns this browser's last report */
	lastReport(session: string): Report | null {
		return this.#reports.get(session) ?? null;
	}

	#hear(text: object): void {
		const parsed = v.safeParse(LiveMessage, { text });
		if (!parsed.success) return;
		const heard = parsed.output.text;
		this.#world.note(`screen hears ${JSON.stringify(heard)}`);
		watchScreen(this.#world, heard);
		this.#world.screen.heard.push(heard);
	}
}
