import type { Clock } from '../base/clock.ts';
import { type Payment, type PaymentKey, paymentKey } from '../journal/records.ts';
import { remember } from './recent.ts';

/** Longer than a server takes to list what it has confirmed. */
const EVERY_MS = 25_000;
/** Look-ups without an answer before an invoice is given up, as one that the server has deleted. */
const MOST_TRIES = 100;

/**
 * "Paid" does not tell how much was paid elsewhere while the back office may know money of this
 * kiosk that it has not confirmed. Once it has, the invoice is looked up again: a double payment
 * must not stay hidden.
 */
export type LookAgain = (payment: Payment) => void;

/**
 * @param isReported whether the back office has confirmed all money of this kiosk for the payment
 * @param lookUp @returns whether an answer came
 */
export function lookAgainWhenReported(deps: {
	clock: Clock;
	isReported: (key: PaymentKey) => boolean;
	lookUp: (payment: Payment) => Promise<boolean>;
}): LookAgain {
	/** `reported`: already at the last look. */
	const pending = new Map<PaymentKey, { payment: Payment; reported: boolean; tries: number }>();
	let waiting = false;

	function wait(): void {
		if (waiting || pending.size === 0) return;
		waiting = true;
		deps.clock.after(EVERY_MS, async () => {
			for (const [key, one] of [...pending]) {
				if (!one.reported) one.reported = deps.isReported(key);
				else if ((await deps.lookUp(one.payment)) || ++one.tries >= MOST_TRIES) pending.delete(key);
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
