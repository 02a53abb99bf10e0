import { DEFAULT_ACCOUNT } from '../simulators/back-office/start.ts';
import type { SimKiosk } from './sim-kiosk.ts';

const FREE_TRIES = 3;
const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 15 * 60_000;

/** The outlet's PIN. */
export const PIN = DEFAULT_ACCOUNT.pin;

/**
 * A wrong PIN since the last right PIN. If this wrong PIN is not `stored` on disk, the daemon
 * forgets it at a restart.
 */
interface WrongPin {
	stored: boolean;
	start: number;
}

/**
 * Checks that after three wrong PINs in a row, counted over all pages and restarts, the daemon
 * checks no PIN until a delay has ended. Each further wrong PIN doubles the delay, up to
 * `LONGEST_WAIT_MS`.
 */
export class PinTruth {
	#wrong: WrongPin[] = [];
	#lastWrongAt = Number.NEGATIVE_INFINITY;
	readonly #world: SimKiosk;

	constructor(world: SimKiosk) {
		this.#world = world;
	}

	/** Called when the daemon asks the back office to check a PIN. */
	asked(): void {
		const world = this.#world;
		while (this.#wrong.at(-1)?.stored === false && this.#wrong.at(-1)?.start !== world.starts) this.#wrong.pop();
		const count = this.#wrong.length;
		const waitMs = count < FREE_TRIES ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (count - FREE_TRIES), LONGEST_WAIT_MS);
		const sinceMs = world.clock.now() - this.#lastWrongAt;
		if (sinceMs < waitMs) world.violated(`S1: a PIN is checked ${sinceMs} ms after ${count} wrong ones`);
	}

	/** Called when the page got the answer about the PIN. */
	answered(isRight: boolean): void {
		const world = this.#world;
		if (isRight) {
			this.#wrong = [];
			return;
		}
		this.#wrong.push({ stored: !world.disk.full, start: world.starts });
		this.#lastWrongAt = world.clock.now();
	}
}
