import type { PrintBook, PrintRecord } from '../journal/print-book.ts';
import { shortCode } from './short-code.ts';
import type { SlipKey } from './slip-key.ts';
import { type PaperFacts, slipText } from './slip-text.ts';

/**
 * The proof that a printout is genuine. `code`: the code that staff type on the keypad; '' if the
 * record's number is too large for a code.
 */
export interface PaperCode {
	code: string;
	/** The text of the QR code. */
	text: string;
}

/**
 * @returns the proof of a print that is already in the journal. Null if there is no key or no
 * record; the printout then has no code
 */
export type CodeOf = (print_id: string, facts: Omit<PaperFacts, 'time'>) => PaperCode | null;

/**
 * Creates the proofs of printouts. The screen shows the code of a receipt even if its print fails.
 * Later original receipts of the payment therefore have the code of the first one, so that the
 * cashier accepts only one of them.
 * @param deps.tanggal the current time as DD-MM-YYYY HH:mm in the site's time zone
 */
export function paperCodes(deps: {
	key: SlipKey | null;
	journal: Pick<PrintBook, 'printOf' | 'printAt' | 'firstReceiptOf' | 'givenBackOf'>;
	tanggal: () => string;
}): CodeOf {
	const { key, journal } = deps;

	function recordOf(print_id: string): PrintRecord | null {
		const print = journal.printOf(print_id);
		if (print?.purpose !== 'receipt') return print;
		const first = journal.firstReceiptOf(print.payment_id);
		// A give-back after the first receipt uses up that receipt, so this print gets its own code.
		if (first === null || journal.givenBackOf(print.payment_id).some(({ record }) => record > first)) return print;
		return journal.printAt(first);
	}

	return (print_id, facts) => {
		const record = key && recordOf(print_id);
		if (!key || !record) return null;
		return { code: shortCode(key, record) ?? '', text: slipText(key, { ...facts, time: deps.tanggal() }, record) };
	};
}
