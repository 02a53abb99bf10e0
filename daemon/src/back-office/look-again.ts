import type { Clock } from '../base/clock.ts';
import { type Payment, type PaymentKey, paymentKey } from '../journal/records.ts';
import { remember } from './recent.ts';

/** Interval between look-ups; longer than a server takes to list a confirmed payment. */
const EVERY_MS = 25_000;
/**
 * Maximum number of look-ups without an answer. If all stay unanswered, the server has probably
 * deleted the invoice.
 */
const MOST_TRIES = 100;

/**
 * Looks the invoice up again as soon as all money that this kiosk took for it is reported:
 * confirmed by the back office, or entered there by staff. Before that, "paid" does not show how
 * much was paid elsewhere, and a double payment could stay hidden. Does nothing if all this money
 * is already reported.
 */
export type LookAgain = (payment: Payment) => void;

/**
 * @param isReported whether all money of this kiosk for the payment was confirmed by the back
 * office or entered there by staff
 * @param lookUp returns whether an answer came
 */
export function lookAgainWhenReported(deps: {
	clock: Clock;
	isReported: (key: PaymentKey) => boolean;
	lookUp: (payment: Payment) => Promise<boolean>;
}): LookAgain {
	/** `reported`: whether all money was already reported at the last check. */
	const pending = new Map<PaymentKey, { payment: Payment; reported: boolean; tries: number }>();
	let waiting = false;

	function wait(): void {
		if (waiting || pending.size === 0) return;
		waiting = true;
		deps.clock.after(EVERY_MS, async () => {
			for (const [key, one] of [...pending]) {
				if (!one.reported) one.reported = deps.isReported(key);
				else if ((await deps.lookUp(one.payment)) || ++one.tries >= MOST_TRIES) {
					// During the look-up another one may have been requested.
					if (pending.get(key) === one) pending.delete(key);
				}
			}
			waiting = false;
			wait();
		});
	}

	return (payment) => {
		const key = paymentKey(payment);
		if (deps.isReported(key)) return;
		remember(pending, key, { payment, reported: false, tries: 0 });
		wait();
	};
}
