import type { Clock } from '../base/clock.ts';
import type { Payment } from '../journal/records.ts';
import { isAnswered, type Refreshed } from './invoice-calls.ts';

/**
 * Maximum number of invoices with money of this kiosk in one round. A kiosk takes money for about
 * so many invoices in a few hours.
 */
export const MOST_MISSED = 20;
/**
 * Pause before a round. During the pause the outbox sends its notes, so that the answers list these
 * notes.
 */
const PAUSE_MS = 5_000;
/**
 * Minimum time between two rounds. It limits the look-ups if the socket keeps opening and closing.
 */
const EVERY_MS = 60_000;

/**
 * Maximum number of look-ups of an invoice without an answer. Retries are needed because the socket
 * may open before the server answers look-ups.
 */
const MOST_ROUNDS = 5;

/**
 * Looks the newest invoices up each time the live socket opens. A server does not repeat messages
 * that it sent while the socket was closed, and a payment elsewhere must not stay hidden.
 * @param newest returns the invoices to look up: the current customer's invoice, then invoices with
 * a note in doubt or an unknown card sale, then those with the newest money; null while the journal
 * is unreadable
 * @param lookUp returns `unreadable` if the journal was unreadable when the answer came
 * @returns a function that must be called each time the socket has opened
 */
export function lookUpMissed(deps: {
	clock: Clock;
	newest: () => readonly Payment[] | null;
	lookUp: (payment: Payment) => Promise<Refreshed>;
}): () => void {
	const { clock } = deps;
	let lastAt = Number.NEGATIVE_INFINITY;
	let running = false;
	/** Whether the socket has opened since the newest invoices were listed. */
	let opened = false;
	/** Invoices that still need an answer. */
	let left: readonly Payment[] = [];
	/** Rounds so far for the invoices in `left`. */
	let rounds = 0;

	function lookUpSoon(): void {
		running = true;
		clock.after(Math.max(PAUSE_MS, lastAt + EVERY_MS - clock.now()), async () => {
			lastAt = clock.now();
			if (opened) listAgain();
			await lookUpLeft();
			running = false;
			if (opened || left.length > 0) lookUpSoon();
		});
	}

	function listAgain(): void {
		const newest = deps.newest();
		opened = newest === null;
		[left, rounds] = [newest ?? [], 0];
	}

	/**
	 * Looks the invoices up one by one, so that a customer's look-up need not wait for many others.
	 */
	async function lookUpLeft(): Promise<void> {
		rounds += 1;
		const unanswered: Payment[] = [];
		for (const payment of left) {
			const answer = await deps.lookUp(payment);
			if (answer === 'unreadable') opened = true;
			else if (!isAnswered(answer)) unanswered.push(payment);
		}
		left = rounds < MOST_ROUNDS ? unanswered : [];
	}

	return () => {
		opened = true;
		if (!running) lookUpSoon();
	};
}
