import type { Id } from '@kiosk/contract/back-office';
import { sameId } from '@kiosk/contract/same-id';
import type { InvoiceView } from '../journal/money-facts.ts';
import { type Payment, type PaymentKey, paymentKey, sameAccount } from '../journal/records.ts';
import { remember } from './recent.ts';

/** A statement of the back office about one invoice. */
export interface Statement {
	payment: Payment;
	view: InvoiceView;
	/** When the look-up was sent, monotonic ms. */
	askedAt: number;
}

/**
 * The back office's answers and messages of this run about the newest invoices. They may arrive in
 * the wrong order. The journal stores only those about invoices for which
 * `MoneyBook.keepsAnswersOn` is true.
 */
export interface RecentStatements {
	/** Adds the newest answer to a look-up of this payment. */
	hearAnswer(key: PaymentKey, statement: Statement): void;
	/** @returns the latest answer about this payment, updated by later messages */
	newest(key: PaymentKey): Statement | undefined;
	/** @returns the account's payment with this id; of several, the payment with the latest answer */
	paymentWithId(account: Payment['account'], id: Id): Payment | null;
	/** Called when a message has changed the view of this payment. */
	adopt(key: PaymentKey, view: InvoiceView): void;
	/**
	 * Called when a message reports this payment as paid. @param at monotonic ms @param total rupiah
	 */
	hearPaid(key: PaymentKey, at: number, total: number): void;
	/** Whether a message since `at` reports the payment as paid at this total. */
	isPaidSince(key: PaymentKey, at: number, total: number): boolean;
	/**
	 * Whether a message since `since` reports the payment as paid at this total, and no look-up that
	 * was sent after the message had the answer "paid".
	 */
	isOnlyAnnounced(key: PaymentKey, since: number, total: number): boolean;
	/** Whether a message or an answer reports the payment as paid at a smaller total. */
	wasPaidBelow(key: PaymentKey, total: number): boolean;
	/**
	 * Called when a message reports "paid" about an unknown invoice. The message is kept, because a
	 * slow answer to an earlier look-up may still report "unpaid".
	 * @param of the key that `unknownKey` makes of account and id
	 * @param at monotonic ms
	 * @param total rupiah; null: unknown
	 */
	hearUnknownPaid(of: string, odoo_id: Id | null | undefined, at: number, total: number | null): void;
	/**
	 * Called when an invoice becomes known: an earlier message about its id now applies to this
	 * payment.
	 * @returns when the message arrived; null if there was none
	 */
	adoptUnknownPaid(of: string, payment: Payment): number | null;
}

export function recentStatements(): RecentStatements {
	const statements = new Map<PaymentKey, Statement>();
	/** Time and total (rupiah) of the newest "paid" messages. */
	const paid = new Map<PaymentKey, { at: number; total: number; isConfirmed: boolean }>();
	/** Totals of the newest answers "paid", rupiah. */
	const paidTotals = new Map<PaymentKey, number>();
	const unknownPaid = new Map<string, { at: number; odoo_id: Id | null | undefined; total: number | null }>();

	function isPaidSince(key: PaymentKey, at: number, total: number): boolean {
		const said = paid.get(key);
		return said !== undefined && said.at >= at && said.total === total;
	}

	const hearPaid = (key: PaymentKey, at: number, total: number): void => remember(paid, key, { at, total, isConfirmed: false });

	return {
		hearAnswer(key, statement) {
			remember(statements, key, statement);
			if (!statement.view.is_paid) return;
			remember(paidTotals, key, statement.view.total);
			const said = paid.get(key);
			if (said && statement.askedAt > said.at) said.isConfirmed = true;
		},
		newest: (key) => statements.get(key),
		paymentWithId: (account, id) =>
			[...statements.values()].findLast(({ payment }) => sameAccount(payment.account, account) && sameId(payment.id, id))?.payment ?? null,
		adopt(key, view) {
			const known = statements.get(key);
			if (known) statements.set(key, { ...known, view });
		},
		hearPaid,
		isPaidSince,
		isOnlyAnnounced: (key, since, total) => isPaidSince(key, since, total) && paid.get(key)?.isConfirmed === false,
		wasPaidBelow: (key, total) => [paid.get(key)?.total, paidTotals.get(key)].some((said) => said !== undefined && said < total),
		hearUnknownPaid: (of, odoo_id, at, total) => remember(unknownPaid, of, { at, odoo_id, total }),
		adoptUnknownPaid(of, payment) {
			const said = unknownPaid.get(of);
			const isOther = said?.odoo_id != null && payment.odoo_id !== null && !sameId(said.odoo_id, payment.odoo_id);
			if (!said || isOther) return null;
			unknownPaid.delete(of);
			hearPaid(paymentKey(payment), said.at, said.total ?? payment.total);
			return said.at;
		},
	};
}
