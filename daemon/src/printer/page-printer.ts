import type { Receipt } from '@kiosk/contract/receipt';
import { ok, type Result } from '../base/result.ts';
import type { Journal, JournalError } from '../journal/journal.ts';
import type { PrintSubject } from './print-desk.ts';

/** Without a configured printer the browser's dialog prints; the daemon still makes the receipt. */
export type PagePrinter = (of: PrintSubject, receipt: Receipt) => Result<Receipt, JournalError>;

/**
 * @returns a function that records a receipt for the page. The dialog does not report whether it
 * printed, so paper may be out, and the next receipt is a copy.
 */
export function pagePrinter(deps: { journal: Journal; newId: () => string; clockInDoubt: () => boolean }): PagePrinter {
	const { journal, newId } = deps;
	return ({ key }, receipt) => {
		const print_id = newId();
		const copy = journal.timesPrinted(key) > 0;
		const recorded = journal.append({ kind: 'print_requested', print_id, payment_id: key, purpose: copy ? 'copy' : 'receipt' });
		if (!recorded.ok) return recorded;
		journal.append({ kind: 'print_ended', print_id, state: 'abandoned', reason: 'the browser prints' });
		return ok({ ...receipt, copy, clock_in_doubt: deps.clockInDoubt() });
	};
}
