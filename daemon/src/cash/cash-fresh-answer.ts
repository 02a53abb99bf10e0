import type { Refreshed } from '../back-office/invoice-calls.ts';
import type { Payment } from '../journal/records.ts';
import type { CashEvent } from './cash-state.ts';

/**
 * When the received money covers the total of the last look-up, looks the payment up again, because
 * the total may have grown. The kiosk declares the invoice paid only after this look-up.
 */
export class FreshAnswer {
	readonly #refresh: (payment: Payment) => Promise<Refreshed>;
	readonly #handle: (event: CashEvent) => void;
	/** Events that wait for a look-up; null if no look-up is running and none must be repeated. */
	#waiting: CashEvent[] | null = null;
	/**
	 * The payment whose look-up must be repeated, because the journal was unreadable when the answer
	 * came.
	 */
	#unused: Payment | null = null;

	/**
	 * @param refresh looks the payment up again
	 * @param handle gets the waiting events after the answer
	 */
	constructor(refresh: (payment: Payment) => Promise<Refreshed>, handle: (event: CashEvent) => void) {
		this.#refresh = refresh;
		this.#handle = handle;
	}

	/** Looks the payment up. @param events events that already wait for the answer */
	ask(payment: Payment, events: CashEvent[] = []): void {
		this.#waiting = events;
		this.#unused = null;
		void this.#refresh(payment).then((refreshed) => {
			if (this.#waiting !== events) return;
			// The answer could not be used, and the total may have grown. "Paid" therefore waits for
			// another look-up, when the journal is readable.
			if (refreshed === 'unreadable') {
				this.#unused = payment;
				return;
			}
			this.#waiting = null;
			for (const event of events) this.#handle(event);
		});
	}

	/**
	 * Called when the journal is readable again: repeats a look-up whose answer could not be used.
	 */
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

	/** Called when the session has ended: discards its events. */
	forget(): void {
		this.#waiting = null;
		this.#unused = null;
	}
}
