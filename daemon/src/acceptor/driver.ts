import type { AcceptorState, ReturnReason } from '../../contract/live.ts';

/** What any bill acceptor tells the cash session, in meanings; no bytes pass this line. */
export type AcceptorReport =
	/** A note lies in escrow and waits for `accept` or `reject`, now. `code` is the driver's name of the note type, e.g. "0x44". */
	| { kind: 'escrow'; code: string }
	/**
	 * A note is in the cashbox. `accepted`: the one that we had asked for, and no other. `late`: after it had been said to be missing.
	 * `code`: its type, or null when the driver does not know it for certain.
	 */
	| { kind: 'stacked'; accepted: boolean; late: boolean; code: string | null }
	/** The note went back to the customer. `accepted`: although we had accepted it. */
	| { kind: 'returned'; accepted: boolean }
	/** The note went back, or is going back, for a reason the driver knows itself. */
	| { kind: 'refused'; reason: ReturnReason }
	/**
	 * An accepted note whose outcome did not come: it may be in the cashbox or in the customer's hand. `other`: another note may have
	 * come meanwhile, so what is stacked from now on without being accepted is no evidence about this one.
	 */
	| { kind: 'outcome_missing'; why: string; other: boolean }
	/**
	 * More words about notes than paper can move: from `begun` on they are only counted, and no note is taken. `over`: the line was calm again;
	 * so many of them had said that a note went back, or fell into the cashbox without having been accepted.
	 */
	| { kind: 'rush'; phase: 'begun' }
	| { kind: 'rush'; phase: 'over'; refused: number; stacked: number }
	| { kind: 'state'; state: AcceptorState };

/** What the cash session may ask of any acceptor. */
export type AcceptorCommand = 'enable' | 'inhibit' | 'accept' | 'reject' | 'hold' | 'reset' | 'unlock';

export interface AcceptorDriver {
	send(command: AcceptorCommand): void;
	stop(): void;
}
