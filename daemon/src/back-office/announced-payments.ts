import type { Clock } from '../base/clock.ts';
import { type Payment, type PaymentKey, paymentKey } from '../journal/records.ts';
import type { CheckInvoice } from './invoice-checks.ts';
import type { KeptAnnouncements } from './kept-announcements.ts';
import { unknownKey } from './learn-answer.ts';
import type { RecentStatements } from './recent-statements.ts';

/**
 * For this time after a "paid" message, the kiosk takes no money for the invoice even if look-ups
 * answer "unpaid". The server may book the payment late, and the customer would otherwise pay
 * twice.
 */
const ANNOUNCED_MS = 300_000;
/** Pause between look-ups of an invoice that only a message reported as paid. */
const AGAIN_MS = 20_000;

/** Payments that a message has reported as paid but no look-up has confirmed. */
export interface AnnouncedPayments {
	/**
	 * Whether a message of the last five minutes has reported this payment as paid at this total, and
	 * no look-up has confirmed the message.
	 * @param total rupiah
	 */
	has(key: PaymentKey, total: number): boolean;
	/** If only a message has reported the payment as paid, looks the payment up after a pause. */
	checkSoon(payment: Payment): void;
	/** Stores the message about this payment, so that it is still valid after a restart. */
	keep(payment: Payment): void;
}

/**
 * @param deps.kept stores the messages for the next run
 * @param deps.check looks the payment up; the answer to this look-up leads to the next `checkSoon`
 */
export function watchAnnouncedPayments(deps: {
	clock: Clock;
	recent: Pick<RecentStatements, 'isOnlyAnnounced' | 'hearUnknownPaid'>;
	kept: KeptAnnouncements;
	check: CheckInvoice;
}): AnnouncedPayments {
	const { clock } = deps;
	const waiting = new Set<PaymentKey>();
	const has = (key: PaymentKey, total: number): boolean => deps.recent.isOnlyAnnounced(key, clock.now() - ANNOUNCED_MS, total);

	// This run has looked up no invoice yet, so stored messages are handled like messages about
	// unknown invoices. If the clock was set back, a message's age is unknown and counts as 0.
	for (const { payment, at } of deps.kept.earlier) {
		const age = Math.max(0, clock.wall().getTime() - at);
		if (age < ANNOUNCED_MS)
			deps.recent.hearUnknownPaid(unknownKey(payment.account, payment.id), payment.odoo_id, clock.now() - age, payment.total);
	}

	return {
		has,
		keep: (payment) => deps.kept.keep(payment, clock.wall().getTime()),
		checkSoon(payment) {
			const key = paymentKey(payment);
			if (waiting.has(key) || !has(key, payment.total)) return;
			waiting.add(key);
			clock.after(AGAIN_MS, () => {
				waiting.delete(key);
				if (has(key, payment.total)) deps.check(payment, true);
			});
		},
	};
}
