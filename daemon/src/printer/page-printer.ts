import type { Receipt } from '../../contract/receipt.ts';
import type { Journal, JournalError } from '../journal/journal.ts';
import { ok, type Result } from '../result.ts';
import type { PrintSubject } from './print-desk.ts';

/** Where no printer is configured the browser's own dialog prints. The receipt is the daemon's all the same. */
export type PagePrinter = (of: PrintSubject, receipt: Receipt) => Result<Receipt, JournalError>;

/**
 * @returns what records a receipt for the page. Nothing tells whether the dialog printed, so paper may be out from then on, and
 * the next one is a copy.
 */
export function pagePrinter(parts: { journal: Journal; newId: () => string; clockInDoubt: () => boolean }): PagePrinter {
	const { journal, newId } = parts;
	return ({ key }, receipt) => {
		const print_id = newId();
		const copy = journal.timesPrinted(key) > 0;
		const recorded = journal.append({ kind: 'print_requested', print_id, payment_id: key, purpose: copy ? 'copy' : 'receipt' });
		if (!recorded.ok) return recorded;
		journal.append({ kind: 'print_ended', print_id, state: 'abandoned', reason: 'the browser prints' });
		return ok({ ...receipt, copy, clock_in_doubt: parts.clockInDoubt() });
	};
}
