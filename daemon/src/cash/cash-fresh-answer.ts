import type { Refreshed } from '../back-office/invoice-calls.ts';
import type { Payment } from '../journal/records.ts';
import type { CashEvent } from './cash-state.ts';

/**
 * The received money covers the total of the last look-up, but the total may have changed since. So
 * "paid" waits for a fresh answer of the back office.
 */
export class FreshAnswer {
	readonly #refresh: (payment: Payment) => Promise<Refreshed>;
	readonly #handle: (event: CashEvent) => void;
	/** Events that wait for the look-up of a covered invoice; null while no look-up is running. */
	#waiting: CashEvent[] | null = null;
	/** The payment whose look-up was answered while the journal could not be read. */
	#unused: Payment | null = null;

	/**
	 * @param refresh looks the payment up again
	 * @param handle gets the events that have waited
	 */
	constructor(refresh: (payment: Payment) => Promise<Refreshed>, handle: (event: CashEvent) => void) {
		this.#refresh = refresh;
		this.#handle = handle;
	}

	/** Looks the payment up. @param events that already wait for the answer */
	ask(payment: Payment, events: CashEvent[] = []): void {
		this.#waiting = events;
		this.#unused = null;
		void this.#refresh(payment).then((refreshed) => {
			if (this.#waiting !== events) return;
			// The total may have grown, so "paid" waits until the journal can be read.
			if (refreshed === 'unreadable') {
				this.#unused = payment;
				return;
			}
			this.#waiting = null;
			for (const event of events) this.#handle(event);
		});
	}

	/** The journal can be read again: repeats a look-up whose answer could not be used. */
	askAgain(): void {
		if (this.#unused) this.ask(this.#unused, this.#waiting ?? []);
	}

	/**
	 * Handles an event now, or after the look-up in progress. If the look-up gets no answer, the
	 * last known total decides.
	 */
	handleAfter(event: CashEvent): void {
		if (this.#waiting) this.#waiting.push(event);
		else this.#handle(event);
	}

	/** The session has ended: its events no longer count. */
	forget(): void {
		this.#waiting = null;
		this.#unused = null;
	}
}
