import { ok, type Result } from '../base/result.ts';
import type { Journal } from '../journal/journal.ts';
import type { InvoiceView } from '../journal/money-facts.ts';
import { type JournalRecord, type Payment, type PaymentKey, paymentKey } from '../journal/records.ts';
import type { JournalError } from '../journal/trouble.ts';
import { isSameView } from './invoice-answer.ts';
import type { WaitingStatements } from './waiting-statements.ts';

type Seen = Extract<JournalRecord, { kind: 'invoice_seen' }>;

/** The statements of the back office in the journal. */
export interface StatementRecords {
	/** @returns ok if this statement is on disk; if not, it is written later */
	record(payment: Payment, view: InvoiceView, source: Seen['source']): Result<void, JournalError>;
	/**
	 * @returns this kiosk's money for the payment, split by its state at the back office
	 * @param seq position of the journal when the back office was asked
	 * @param at monotonic ms when the back office was asked
	 * @param isPaid whether the back office answered "paid"
	 */
	ownAt(key: PaymentKey, asked: { seq: number; at: number }, answer: Pick<InvoiceView, 'is_paid' | 'listed'>): InvoiceView['own'];
}

export interface StatementRecordsDeps {
	journal: Journal;
	/** A fresh UUID. */
	newId: () => string;
	/** Now, ISO 8601 with the site's offset. */
	now: () => string;
	/** Whether the back office may know this note or sale without having confirmed it. */
	mayBeTold: (id: string) => boolean;
	/**
	 * Whether the back office confirmed this note so shortly before a question that the list in its
	 * answer may lack the note.
	 * @param asked when the question was sent, monotonic ms
	 */
	isConfirmedLately: (note_id: string, asked: number) => boolean;
}

export function statementRecords(deps: StatementRecordsDeps & { waiting: WaitingStatements }): StatementRecords {
	const { journal, waiting } = deps;

	function write(payment: Payment, view: InvoiceView, source: Seen['source']): Result<void, JournalError> {
		const key = paymentKey(payment);
		const known = journal.money.viewOf(key);
		// A review by staff sets an earlier "paid" aside, so the same "paid" must be recorded again.
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
