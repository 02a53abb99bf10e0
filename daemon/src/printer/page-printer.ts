import type { Receipt } from '@kiosk/contract/receipt';
import { ok, type Result } from '../base/result.ts';
import type { Journal } from '../journal/journal.ts';
import type { JournalError } from '../journal/trouble.ts';
import type { CodeOf } from '../proof/paper-code.ts';
import { isCopy, receiptFacts } from './print-desk.ts';
import type { PrintSubject } from './print-job.ts';

/** Makes a receipt for the browser's print dialog, which is used if no printer is configured. */
export type PagePrinter = (of: PrintSubject, receipt: Receipt) => Result<Receipt, JournalError>;

/**
 * @returns a function that records a receipt and gives it to the screen. The dialog does not report
 * whether paper came out, so the next receipt is a copy.
 */
export function pagePrinter(deps: { journal: Journal; newId: () => string; clockInDoubt: () => boolean; codeOf: CodeOf }): PagePrinter {
	const { journal, newId } = deps;
	return ({ key }, receipt) => {
		const print_id = newId();
		const copy = isCopy(journal, key, receipt);
		const recorded = journal.append({ kind: 'print_requested', print_id, payment_id: key, purpose: copy ? 'copy' : 'receipt' });
		if (!recorded.ok) return recorded;
		const proof = deps.codeOf(print_id, receiptFacts(receipt, copy)) ?? undefined;
		journal.append({ kind: 'print_ended', print_id, state: 'abandoned', reason: 'the browser prints' });
		return ok({ ...receipt, copy, clock_in_doubt: deps.clockInDoubt(), ...(proof && { proof }) });
	};
}
