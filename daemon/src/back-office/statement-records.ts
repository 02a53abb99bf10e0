import { ok, type Result } from '../base/result.ts';
import type { Journal } from '../journal/journal.ts';
import type { InvoiceView } from '../journal/money-facts.ts';
import { type JournalRecord, type Payment, type PaymentKey, paymentKey } from '../journal/records.ts';
import type { JournalError } from '../journal/trouble.ts';
import { isSameView } from './invoice-answer.ts';
import type { WaitingStatements } from './waiting-statements.ts';

type Seen = Extract<JournalRecord, { kind: 'invoice_seen' }>;

/** Stores statements of the back office in the journal. */
export interface StatementRecords {
	/** Writes a statement. @returns ok if it is on disk; otherwise the write is retried later */
	record(payment: Payment, view: InvoiceView, source: Seen['source']): Result<void, JournalError>;
	/**
	 * @returns this kiosk's money for the payment, split by its state at the back office
	 * @param asked when the look-up was sent: position of the journal, and monotonic ms
	 * @param answer whether the back office answered "paid", and the payments that it lists
	 */
	ownAt(key: PaymentKey, asked: { seq: number; at: number }, answer: Pick<InvoiceView, 'is_paid' | 'listed'>): InvoiceView['own'];
}

export interface StatementRecordsDeps {
	journal: Journal;
	/** A fresh UUID. */
	newId: () => string;
	/** The current time, ISO 8601 with the site's offset. */
	now: () => string;
	/** Whether the back office may have received this note or sale without confirming it. */
	mayBeTold: (id: string) => boolean;
	/**
	 * Whether the back office confirmed this note shortly before a look-up. The answer to the look-up
	 * may then not list the note yet.
	 * @param asked when the look-up was sent, monotonic ms
	 */
	isConfirmedLately: (note_id: string, asked: number) => boolean;
}

export function statementRecords(deps: StatementRecordsDeps & { waiting: WaitingStatements }): StatementRecords {
	const { journal, waiting } = deps;

	function write(payment: Payment, view: InvoiceView, source: Seen['source']): Result<void, JournalError> {
		const key = paymentKey(payment);
		const known = journal.money.viewOf(key);
		// After a staff review, an earlier "paid" is no longer valid, so the same "paid" must be
		// recorded again.
		const isSetAside = view.is_paid && journal.money.paidTotal(key) === null;
		if (known && isSameView(known, view) && !isSetAside) return ok(undefined);
		const { is_paid, listed, own, ownAtList } = view;
		const kept = journal.money.keptElsewhere(key, view);
		return journal.append({
			kind: 'invoice_seen',
			seen_id: deps.newId(),
			payment,
			is_paid,
			listed: [...listed],
			own,
			...(ownAtList && { own_at_list: ownAtList }),
			...(kept > 0 && { elsewhere_kept: kept }),
			source,
			time: deps.now(),
		});
	}

	return {
		record: (payment, view, source) => waiting.write(paymentKey(payment), () => write(payment, view, source)),
		ownAt: (key, { seq, at }, { is_paid, listed }) =>
			journal.money.ownAtAnswer(key, {
				seq,
				mayBeTold: deps.mayBeTold,
				isConfirmedLately: (note_id) => deps.isConfirmedLately(note_id, at),
				isNamed: (note_id) => listed.some((entry) => entry.note_id === note_id),
				isPaid: is_paid,
			}),
	};
}
