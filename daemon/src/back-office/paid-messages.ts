import type { Id } from '@kiosk/contract/back-office';
import { sameId } from '@kiosk/contract/same-id';
import type { Clock } from '../base/clock.ts';
import type { Balance } from '../journal/balance.ts';
import type { MoneyBook } from '../journal/money-book.ts';
import type { InvoiceView } from '../journal/money-facts.ts';
import { accountKey, type Payment, type PaymentKey, paymentKey } from '../journal/records.ts';
import type { CheckInvoice } from './invoice-checks.ts';
import type { KnownInvoices } from './known-invoices.ts';
import { unknownKey } from './learn-answer.ts';
import type { LookAgain } from './look-again.ts';
import type { StatementRecords } from './statement-records.ts';
import type { WaitingStatements } from './waiting-statements.ts';

/** Handles the back office's messages that an invoice is paid. */
export interface PaidMessages {
	/**
	 * Handles "paid" in the back office's answer to a note. If a look-up was sent after the note and
	 * its answer came first, the kiosk ignores this "paid" and looks the invoice up again, because
	 * the total may have grown.
	 * @param asked when the note was sent, monotonic ms
	 */
	hearNoteAnswer(key: PaymentKey, asked: number): void;
	/**
	 * Handles a "paid" message from the live socket, which names a payment of the logged-in outlet
	 * only by its id.
	 * @param odoo_id order id from the message, if any; it distinguishes two invoices with the same
	 * id
	 * @returns whether the screen may be informed now. If not, the kiosk looks the payment up first,
	 * for example if the message puts the invoice in dispute. A message with an unknown order id
	 * is ignored
	 */
	hearPaidById(id: Id, odoo_id?: Id | null): boolean;
}

export function hearPaidMessages(deps: {
	known: KnownInvoices;
	records: StatementRecords;
	waiting: WaitingStatements;
	money: MoneyBook;
	clock: Clock;
	check: CheckInvoice;
	lookAgain: LookAgain;
	/** Stores a message for the next run if the journal does not store it. */
	keep: (payment: Payment) => void;
	/** Called when the state of an invoice may have changed. */
	onChanged: (payment: Payment, balance: Balance) => void;
}): PaidMessages {
	const { known, records, waiting, money, clock, check } = deps;
	const { recent } = known;

	/** @param at time of the back office's statement, monotonic ms */
	function hearPaid(key: PaymentKey, source: 'message' | 'note_answer', at = clock.now()): void {
		if (known.isUnreadable()) return waiting.hearLater(key, () => hearPaid(key, source, at));
		if ((recent.newest(key)?.askedAt ?? at) > at) return;
		const payment = known.newestPayment(key);
		if (!payment) return;
		recent.hearPaid(key, at, payment.total);
		const before = known.viewOf(key);
		const answer = { is_paid: true, listed: before?.listed ?? [] };
		const view: InvoiceView = {
			total: payment.total,
			...answer,
			own: records.ownAt(key, { seq: money.position(), at: clock.now() }, answer),
			ownAtList: before ? (before.ownAtList ?? before.own) : undefined,
		};
		const isNews = !before?.is_paid || before.total !== view.total;
		if (isNews) known.adopt(key, view);
		if (isNews && money.keepsAnswersOn(key)) records.record(payment, view, source);
		else if (isNews) deps.keep(payment);
		if (known.isUnreadable()) return;
		deps.lookAgain(payment);
		deps.onChanged(payment, known.balanceOf(key));
		// Only a look-up gives the payments and the current total. A repeated message may be about
		// another payment.
		if (money.keepsAnswersOn(key) || known.currentOf(key)) check(payment, false);
	}

	/**
	 * Whether a look-up must confirm a message. A message contains no amount and no invoice number,
	 * so it may be about a smaller total or another invoice. If the invoice is in dispute, the
	 * message itself may be wrong.
	 */
	function isInQuestion(payment: Payment, odoo_id: Id | null | undefined): boolean {
		const key = paymentKey(payment);
		const booked = money.paidTotal(key);
		const before = recent.wasPaidBelow(key, payment.total) || (booked !== null && booked < payment.total);
		if (before || known.balanceOf(key).state === 'dispute') return true;
		if (odoo_id !== null && odoo_id !== undefined) return false;
		return known.paymentsWithId(payment.id).some((other) => paymentKey(other) !== key);
	}

	function hearUnknown(id: Id, odoo_id: Id | null | undefined): void {
		const outlet = accountKey(known.account());
		const hearAgain = () => void (accountKey(known.account()) === outlet && hearPaidById(id, odoo_id));
		if (known.isUnreadable()) waiting.hearLater(JSON.stringify([outlet, id]), hearAgain);
		recent.hearUnknownPaid(unknownKey(known.account(), id), odoo_id, clock.now(), null);
	}

	/**
	 * Handles a message that came while the journal was unreadable. By now the id may mean another
	 * invoice, or another outlet may have logged in.
	 */
	function hearKept(payment: Payment, odoo_id: Id | null | undefined, at: number): void {
		const key = paymentKey(payment);
		const meant = known.findPayment(payment.id);
		if (!meant || paymentKey(meant) !== key) hearPaid(key, 'message', at);
		// The screen may not have been informed when the message came.
		else if (hearPaidById(payment.id, odoo_id)) check(payment, true);
	}

	function hearPaidById(id: Id, odoo_id?: Id | null): boolean {
		const shown = known.findPayment(id);
		if (!shown) {
			hearUnknown(id, odoo_id);
			return true;
		}
		const isOther = odoo_id !== null && odoo_id !== undefined && shown.odoo_id !== null && !sameId(shown.odoo_id, odoo_id);
		if (isOther) {
			const meant = known.paymentsWithId(id).find((payment) => sameId(payment.odoo_id, odoo_id));
			if (meant) check(meant, false);
			return false;
		}
		const key = paymentKey(shown);
		const at = clock.now();
		if (known.isUnreadable()) waiting.hearLater(key, () => hearKept(shown, odoo_id, at));
		if (isInQuestion(shown, odoo_id)) {
			check(shown, true);
			return false;
		}
		if (!known.isUnreadable()) hearPaid(key, 'message');
		if (known.balanceOf(key).state !== 'dispute') return true;
		check(shown, true);
		return false;
	}

	return {
		hearNoteAnswer(key, asked) {
			const later = recent.newest(key);
			if (later && later.askedAt > asked) check(later.payment, true);
			else hearPaid(key, 'note_answer');
		},
		hearPaidById,
	};
}
