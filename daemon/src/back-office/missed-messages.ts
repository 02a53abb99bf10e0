import type { Clock } from '../base/clock.ts';
import type { Payment } from '../journal/records.ts';
import { isAnswered, type Refreshed } from './invoice-calls.ts';

/**
 * How many invoices with money of this kiosk are looked up in one round: about those of the last
 * hours.
 */
export const MOST_MISSED = 20;
/** Pause before a round. Meanwhile the outbox sends its notes, so that the lists contain them. */
const PAUSE_MS = 5_000;
/**
 * Shortest time between two rounds, so that a socket that keeps opening and closing causes no flood
 * of look-ups.
 */
const EVERY_MS = 60_000;

/**
 * How many times an invoice without an answer is looked up: the socket may open before the server
 * answers look-ups.
 */
const MOST_ROUNDS = 5;

/**
 * A server does not repeat a message that it sent while the live socket was away. So each time the
 * socket opens, the newest invoices are looked up: another payment of one of them must not stay
 * hidden.
 * @param newest the present customer's invoice and those with the newest money; null while the
 * journal cannot be read
 * @param lookUp returns `unreadable` if the answer came while the journal could not be read
 * @returns a function to call each time the socket has opened
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
	 * Looks the invoices up one after the other, so that a customer's look-up need not wait behind
	 * them.
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
