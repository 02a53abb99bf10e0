import type { Clock } from '../base/clock.ts';
import type { PaymentKey } from '../journal/records.ts';
import { remember } from './recent.ts';

/** Pause between two attempts to write a statement that the disk has refused. */
const WRITE_RETRY_MS = 5_000;

/** Statements of the back office that could not be stored or used yet; it does not repeat them. */
export interface WaitingStatements {
	/** Writes as soon as the disk can, unless a newer statement about this payment comes first. */
	writeLater(key: PaymentKey, write: () => void): void;
	dropWrite(key: PaymentKey): void;
	/**
	 * Keeps a message that came while the journal could not be read; only the newest message about
	 * each payment (`of`) counts.
	 */
	hearLater(of: string, hear: () => void): void;
	/**
	 * Called when the journal was reopened, before any other use of it: the message must not be
	 * judged with money that came after it. @returns whether there was a message
	 */
	hear(): boolean;
}

export function keepWaitingStatements({ clock, isUnreadable }: { clock: Clock; isUnreadable: () => boolean }): WaitingStatements {
	/** The newest statement about each payment; the newest payment last. */
	const unwritten = new Map<PaymentKey, () => void>();
	const unheard = new Map<string, () => void>();
	let triesAgain = false;

	function tryAgainLater(): void {
		triesAgain = true;
		clock.after(WRITE_RETRY_MS, () => {
			for (const write of isUnreadable() ? [] : [...unwritten.values()]) write();
			triesAgain = false;
			if (unwritten.size > 0) tryAgainLater();
		});
	}

	function hear(): boolean {
		if (unheard.size === 0 || isUnreadable()) return false;
		const waiting = [...unheard.values()];
		unheard.clear();
		for (const hearOne of waiting) hearOne();
		return true;
	}

	return {
		writeLater(key, write) {
			remember(unwritten, key, write);
			if (!triesAgain) tryAgainLater();
		},
		dropWrite: (key) => void unwritten.delete(key),
		hearLater(of, hearOne) {
			remember(unheard, of, hearOne);
		},
		hear,
	};
}
