import type { AcceptorState, ReturnReason } from '@kiosk/contract/live';

/**
 * Reports of a bill acceptor's driver to the cash session. They are the same for every protocol.
 */
export type AcceptorReport =
	/**
	 * A note is in escrow and waits for `accept` or `reject`. `code`: the driver's name of the note
	 * type, e.g. "0x44".
	 */
	| { kind: 'escrow'; code: string }
	/**
	 * A note is in the cashbox. `accepted`: whether it is certainly the note that the session
	 * accepted. `late`: `outcome_missing` was reported for this note before. `code`: the note's type;
	 * null if the driver is not certain.
	 */
	| { kind: 'stacked'; accepted: boolean; late: boolean; code: string | null }
	/** A note went back to the customer. `accepted`: the session had sent `accept` for it. */
	| { kind: 'returned'; accepted: boolean }
	/** The acceptor or its driver returns a note that was not accepted. */
	| { kind: 'refused'; reason: ReturnReason }
	/**
	 * The outcome of an accepted note is missing: the note may be in the cashbox or with the
	 * customer. `other`: another note may have come meanwhile, so a later STACKED proves nothing
	 * about the accepted note.
	 */
	| { kind: 'outcome_missing'; why: string; other: boolean }
	/**
	 * The unit reports notes or removals of the cashbox faster than is plausible. `begun`: from now
	 * on the driver only counts these reports and takes no note. `over`: the reports have stopped.
	 * `refused` counts the reports about returned notes, `stacked` those about notes that were
	 * stacked without acceptance.
	 */
	| { kind: 'rush'; phase: 'begun' }
	| { kind: 'rush'; phase: 'over'; refused: number; stacked: number }
	/**
	 * The cashbox was removed. The driver reports this even if another state hides `cashbox_open` or
	 * the cashbox is already back. During a rush the driver does not report removals. If the cashbox
	 * is still out when the rush ends, the driver reports its removal then.
	 */
	| { kind: 'cashbox_removed' }
	/** The cashbox is in place, although the reported state does not show this. */
	| { kind: 'cashbox_in_place' }
	| { kind: 'state'; state: AcceptorState };

/**
 * States that a unit reports only while its cashbox is in place. Other states do not show whether
 * the cashbox is in place.
 */
export const WITH_BOX: ReadonlySet<AcceptorState> = new Set(['inhibited', 'ready', 'busy']);

/** Commands of the cash session to any acceptor. */
export type AcceptorCommand = 'enable' | 'inhibit' | 'accept' | 'reject' | 'hold' | 'reset' | 'lock' | 'unlock';

export interface AcceptorDriver {
	send(command: AcceptorCommand): void;
	stop(): void;
}
