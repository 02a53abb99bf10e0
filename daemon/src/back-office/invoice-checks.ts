import type { Clock } from '../base/clock.ts';
import { type Payment, type PaymentKey, paymentKey } from '../journal/records.ts';

/**
 * Minimum pause between two look-ups caused by messages about one invoice. It limits the look-ups
 * during a flood of messages.
 */
const CHECK_PAUSE_MS = 1_000;
/** Pause after a failed look-up. A server that has just sent a message usually answers soon. */
const CHECK_RETRY_MS = 5_000;
/**
 * Maximum number of failed look-ups. After them the kiosk waits for the next message or customer.
 */
const MOST_CHECKS = 5;

/**
 * Looks a payment up after a pause. If a message reported the payment, the server can book it
 * during the pause.
 * @param tell whether screens are informed if the invoice is paid
 */
export type CheckInvoice = (payment: Payment, tell: boolean) => void;

/**
 * @param lookUp returns null if the look-up found no invoice
 * @param onFound receives each found invoice, and the `tell` of its check
 */
export function invoiceChecks<Found>(deps: {
	clock: Clock;
	lookUp: (payment: Payment) => Promise<Found | null>;
	onFound: (found: Found, tell: boolean) => void;
}): CheckInvoice {
	/** `again`: another message has come since the look-up was sent. */
	const running = new Map<PaymentKey, { again: boolean; tell: boolean }>();

	function check(payment: Payment, tell: boolean, tries = 1): void {
		const key = paymentKey(payment);
		const other = running.get(key);
		if (other) {
			other.again = true;
			other.tell ||= tell;
			return;
		}
		const mine = { again: false, tell };
		running.set(key, mine);
		deps.clock.after(tries === 1 ? CHECK_PAUSE_MS : CHECK_RETRY_MS, async () => {
			// A message that arrives from now on may be newer than the answer, so it must cause another
			// look-up.
			mine.again = false;
			const found = await deps.lookUp(payment);
			running.delete(key);
			if (found) deps.onFound(found, mine.tell);
			if (mine.again) check(payment, mine.tell);
			else if (!found && tries < MOST_CHECKS) check(payment, mine.tell, tries + 1);
		});
	}
	return (payment, tell) => check(payment, tell);
}
