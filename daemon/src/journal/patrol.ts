import type { JournalFile } from './journal-file.ts';
import { FIRST_WAITING, type WaitingPlace, wrongWaiting } from './open-items-check.ts';
import type { Store } from './store.ts';

/** Number of records per batch. A batch takes a few milliseconds. */
const SLICE = 250;
/** Pause after a complete cycle. */
const ROUND_PAUSE_MS = 3_600_000;

/**
 * Verifies the whole journal while it is in use: its records, then the queue for the back office.
 */
export class Patrol {
	readonly #file: JournalFile;
	/** The next record to verify, and the earliest time at which the next cycle begins. */
	#next = 1;
	#nextRound = 0;
	#verified = false;
	/** Position in the queue; null while records are verified. */
	#waiting: WaitingPlace | null = null;

	constructor(file: JournalFile) {
		this.#file = file;
	}

	/** Whether a complete cycle has ended. */
	isVerified(): boolean {
		return this.#verified;
	}

	/** Verifies the next batch; a fault in it closes the file. */
	step(): void {
		const file = this.#file;
		const store = file.store();
		if (!store || file.clock.now() < this.#nextRound) return;
		try {
			if (this.#waiting !== null) return this.#verifyWaiting(store, this.#waiting);
			const bad = store.verify(this.#next, this.#next + SLICE - 1);
			if (bad !== null) return void file.markSpoilt(store.fault(bad));
		} catch (error) {
			return file.markUnreadable(error);
		}
		this.#next += SLICE;
		if (this.#next <= file.newest().seq) return;
		this.#next = 1;
		this.#waiting = FIRST_WAITING;
	}

	#verifyWaiting(store: Store, place: WaitingPlace): void {
		const { wrong, next } = wrongWaiting(store, place, SLICE);
		if (wrong !== null) return void this.#file.markSpoilt(`${wrong}: the journal was changed or damaged`);
		this.#waiting = next;
		if (next !== null) return;
		this.#nextRound = this.#file.clock.now() + ROUND_PAUSE_MS;
		this.#verified = true;
	}
}
