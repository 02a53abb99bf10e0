import type { Clock } from '../base/clock.ts';
import { ok, type Result } from '../base/result.ts';
import type { PaymentKey } from '../journal/records.ts';
import type { JournalError } from '../journal/trouble.ts';
import { remember } from './recent.ts';

/** Pause before a retry to write a statement that the disk has refused. */
const WRITE_RETRY_MS = 5_000;
/** Largest number of waiting statements about one payment. */
const MOST_UNWRITTEN = 20;

type Write = () => Result<void, JournalError>;

/**
 * Keeps statements of the back office that could not be stored or processed yet, because the back
 * office does not repeat them.
 */
export interface WaitingStatements {
	/**
	 * Writes a statement as soon as the disk accepts it, after the earlier statements about this
	 * payment. The order matters: a "paid" that came before the kiosk reported its money shows a
	 * payment elsewhere.
	 * @returns ok if all statements about the payment are on disk
	 */
	write(key: PaymentKey, write: Write): Result<void, JournalError>;
	/**
	 * Keeps a message that arrived while the journal was unreadable. Only the newest message about
	 * each payment (`of`) is kept.
	 */
	hearLater(of: string, hear: () => void): void;
	/**
	 * Called when the journal has reopened, before any other use of the journal: a message must not
	 * be compared with money that came after it.
	 */
	hear(): void;
}

export function keepWaitingStatements({ clock, isUnreadable }: { clock: Clock; isUnreadable: () => boolean }): WaitingStatements {
	/** The waiting statements about each payment, oldest first. */
	const unwritten = new Map<PaymentKey, Write[]>();
	const unheard = new Map<string, () => void>();
	let triesAgain = false;

	function tryAgainLater(): void {
		triesAgain = true;
		clock.after(WRITE_RETRY_MS, () => {
			for (const key of isUnreadable() ? [] : [...unwritten.keys()]) writeAll(key);
			triesAgain = false;
			if (unwritten.size > 0) tryAgainLater();
		});
	}

	function writeAll(key: PaymentKey): Result<void, JournalError> {
		const writes = unwritten.get(key) ?? [];
		for (let write = writes[0]; write; write = writes[0]) {
			const written = write();
			if (!written.ok) return written;
			writes.shift();
		}
		unwritten.delete(key);
		return ok(undefined);
	}

	function hear(): void {
		if (isUnreadable()) return;
		const waiting = [...unheard.values()];
		unheard.clear();
		for (const hearOne of waiting) hearOne();
	}

	return {
		write(key, write) {
			const writes = unwritten.get(key) ?? [];
			// The oldest statement is the best evidence of payments elsewhere, so the second oldest is
			// dropped.
			if (writes.length >= MOST_UNWRITTEN) writes.splice(1, 1);
			writes.push(write);
			remember(unwritten, key, writes);
			const written = writeAll(key);
			if (!written.ok && !triesAgain) tryAgainLater();
			return written;
		},
		hearLater(of, hearOne) {
			remember(unheard, of, hearOne);
		},
		hear,
	};
}
