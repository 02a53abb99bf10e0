import type { Clock } from '../base/clock.ts';
import type { Payment } from '../journal/records.ts';

/** Invoices with money of this kiosk that are looked up in one round: those of some hours. */
export const MOST_MISSED = 20;
/** The outbox sends its notes meanwhile, so that the lists contain them. */
const PAUSE_MS = 5_000;
/** A socket that opens and closes all the time causes no flood of look-ups. */
const EVERY_MS = 60_000;

/**
 * A server does not repeat a message that it sent while the live socket was away. So each time the
 * socket opens, the newest invoices are looked up: another payment of one of them must not stay
 * hidden.
 * @param newest the present customer's invoice and those with the newest money; null while the
 * journal cannot be read
 * @param lookUp resolves with or without an answer
 * @returns called when the socket has opened
 */
export function lookUpMissed(deps: {
	clock: Clock;
	newest: () => readonly Payment[] | null;
	lookUp: (payment: Payment) => Promise<unknown>;
}): () => void {
	const { clock } = deps;
	let lastAt = Number.NEGATIVE_INFINITY;
	let running = false;
	/** The socket has opened since the current round began. */
	let opened = false;

	function lookUpSoon(): void {
		running = true;
		clock.after(Math.max(PAUSE_MS, lastAt + EVERY_MS - clock.now()), async () => {
			const newest = deps.newest();
			opened = newest === null;
			lastAt = clock.now();
			// One after the other: a customer's look-up must not wait behind them.
			for (const payment of newest ?? []) await deps.lookUp(payment);
			running = false;
			if (opened) lookUpSoon();
		});
	}

	return () => {
		opened = true;
		if (!running) lookUpSoon();
	};
}
