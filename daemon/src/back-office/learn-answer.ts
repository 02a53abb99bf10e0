import type { Id, Invoice, InvoiceInfo } from '@kiosk/contract/back-office';
import type { Balance } from '../journal/balance.ts';
import type { MoneyBook } from '../journal/money-book.ts';
import type { InvoiceView } from '../journal/money-facts.ts';
import { accountKey, type Payment, type PaymentKey, paymentKey, sameAccount } from '../journal/records.ts';
import type { Log } from '../log/log.ts';
import { keptOf, keptOpenOf, listedOf, paymentOf } from './invoice-answer.ts';
import type { Asked } from './invoice-calls.ts';
import type { CheckInvoice } from './invoice-checks.ts';
import type { CurrentInvoice, KnownInvoices } from './known-invoices.ts';
import type { LookAgain } from './look-again.ts';
import type { StatementRecords } from './statement-records.ts';

/**
 * `other_outlet`: the outlet for which the look-up was sent is not logged in now. `unreadable`: the
 * journal is unreadable, so the due amount is unknown. `isDispute`: the invoice was a dispute when
 * the journal was last readable.
 */
export type Learned =
	| { code: 'learned'; found: CurrentInvoice; payment: Payment; balance: Balance }
	| { code: 'unreadable'; isDispute: boolean }
	| { code: 'other_outlet' };

/**
 * Processes an answer to a look-up.
 * @param of `any`: the answer's invoice becomes the current invoice. `current`: the answer updates
 * the current invoice only if it is the same invoice
 */
export type LearnAnswer = (number: string, asked: Asked, info: InvoiceInfo, of: 'any' | 'current') => Learned;

export function learnAnswers(deps: {
	known: KnownInvoices;
	records: StatementRecords;
	money: MoneyBook;
	check: CheckInvoice;
	lookAgain: LookAgain;
	log: Log;
	/** Called when an invoice's total or payments may have changed. */
	onChanged: (payment: Payment, balance: Balance) => void;
}): LearnAnswer {
	const { known, records, money } = deps;
	const { recent } = known;

	function learn(number: string, asked: Asked, info: InvoiceInfo, of: 'any' | 'current'): Learned {
		if (asked.account === null || !sameAccount(asked.account, known.account())) return { code: 'other_outlet' };
		const { results } = info;
		const key = paymentKey(paymentOf(asked.account, results));
		if (!asked.readable || known.isUnreadable()) return forgetUnreadable(key, asked, of);
		const current = known.currentOf(key);
		const later = recent.newest(key);
		// If the answer to a later look-up arrived first, this answer is out of date.
		const isOvertaken = later !== undefined && later.askedAt > asked.at;
		const announcedAt = recent.adoptUnknownPaid(unknownKey(asked.account, results.id), paymentOf(asked.account, results));
		if (isOvertaken && current) return { code: 'learned', found: current, payment: current.payment, balance: known.balanceOf(key) };
		const statement = isOvertaken
			? later
			: { payment: paymentOf(asked.account, results), view: viewOf(results, key, asked), askedAt: asked.at };
		const { payment, view } = statement;
		// The balance is computed before the record is written, because a failed write closes the
		// journal.
		const judged = known.balanceFor(key, view);
		// If a read has just failed, the answer may have been compared with books that looked empty.
		if (known.isUnreadable()) return forgetUnreadable(key, asked, of);
		const kept = keptOf(results);
		const shown = isOvertaken ? { ...kept, total: view.total, is_paid: view.is_paid } : kept;
		// Keeps the number that the customer entered, even after a look-up by the invoice's own number.
		const entered = of === 'current' && current ? current.number : number;
		const found: CurrentInvoice = { number: entered, info: { ...info, results: shown }, open: keptOpenOf(results), ...statement };
		if (of === 'any' || current) known.current = found;
		if (isOvertaken) return { code: 'learned', found, payment, balance: judged };
		// Money was given back or voided after the look-up was sent, so this answer may still count
		// that money.
		if (!view.is_paid && money.isReturnedSince(key, asked.seq)) {
			deps.check(payment, false);
			return { code: 'learned', found, payment, balance: judged };
		}
		recent.hearAnswer(key, statement);
		if (money.keepsAnswersOn(key)) records.record(payment, view, 'look_up');
		// If the disk has refused this record, the journal may be closed now.
		if (known.isUnreadable()) return forgetUnreadable(key, asked, of);
		if (view.is_paid) deps.lookAgain(payment);
		const balance = known.balanceFor(key, view);
		if (known.isUnreadable()) return forgetUnreadable(key, asked, of);
		// The screen refuses payments for this invoice. Without a record, only this log event shows the
		// dispute to staff.
		if (balance.state === 'dispute' && !money.keepsAnswersOn(key))
			deps.log.event('back_office.contradiction', { invoice: payment.noinvoice, reason: balance.why });
		deps.onChanged(payment, balance);
		if (announcedAt !== null && (announcedAt >= asked.at || !view.is_paid)) deps.check(payment, false);
		return { code: 'learned', found, payment, balance };
	}

	function viewOf(results: Invoice, key: PaymentKey, asked: Asked): InvoiceView {
		// A message that came after the look-up was sent is newer than the answer. The message applies
		// only to the total that was valid when it came.
		const is_paid = results.is_paid || recent.isPaidSince(key, asked.at, results.total);
		const answer = { is_paid, listed: listedOf(results) };
		return { total: results.total, ...answer, own: records.ownAt(key, asked, answer) };
	}

	function forgetUnreadable(key: PaymentKey, asked: Asked, of: 'any' | 'current'): Learned {
		// If the journal is readable again, a later look-up may already have set the current invoice.
		const isOvertaken = !known.isUnreadable() && known.current !== null && known.current.askedAt > asked.at;
		if (of === 'any' && !isOvertaken) known.current = null;
		return { code: 'unreadable', isDispute: known.wasDispute(key) };
	}

	return learn;
}

/** @returns the key for messages that name only an id, while no invoice with this id is known */
export const unknownKey = (account: Payment['account'], id: Id): string => JSON.stringify([accountKey(account), String(id)]);
