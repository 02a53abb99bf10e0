/** State, events and effects of the cash session; the rules are in cash-machine.ts. */
import type { CashEntry } from '@kiosk/contract/kiosk-api';
import type { AcceptorState, LiveText } from '@kiosk/contract/live';
import { type Rupiah, rupiah, sumRupiah } from '@kiosk/contract/money';
import type { AcceptorCommand, AcceptorReport } from '../acceptor/driver.ts';
import type { JournalRecord, Payment, PaymentKey } from '../journal/records.ts';
import type { JournalError } from '../journal/trouble.ts';
import type { LogEffect } from '../log/event-fields.ts';

/** The owner's rules, from the settings. */
export interface CashPolicy {
	/**
	 * Rupiah for each note code of the driver, e.g. "0x44". A wrong map credits wrong amounts, so
	 * there is no default.
	 */
	notes: ReadonlyMap<string, Rupiah>;
	switchedOff: ReadonlySet<Rupiah>;
	/**
	 * Rupiah above the invoice total that may be taken; null: no limit (the cashier gives change).
	 */
	overpayLimit: Rupiah | null;
}

/** A note between its intent and its outcome. */
export interface NoteInFlight {
	readonly note_id: string;
	readonly payment: Payment;
	readonly nominal: Rupiah;
	readonly time: string;
	/**
	 * The note is certainly in the cashbox; only its record is missing because the journal could
	 * not be written.
	 */
	readonly stacked?: true;
}

export interface Session {
	readonly payment: Payment;
	readonly entries: readonly CashEntry[];
	/** `covered`: enough money is in; waiting for the back office to report "paid". */
	readonly paid: 'no' | 'covered' | 'back_office' | 'kiosk';
	readonly closing: boolean;
	/**
	 * Notes of this session that are in doubt and not settled; until all are settled, no further note
	 * is taken.
	 */
	readonly inDoubt: readonly NoteInFlight[];
	/** The screen does not show this payment or has stopped drawing: no further note is taken. */
	readonly frozen: boolean;
	/** A fresh UUID for the record that the customer was told "paid". */
	readonly paid_id: string;
}

export interface CashState {
	readonly session: Session | null;
	readonly note: NoteInFlight | null;
	/** The last note of this run that is in doubt: a late STACKED report still settles it. */
	readonly doubtful: NoteInFlight | null;
	/**
	 * Id of the newest note in doubt, which may be of the previous run of the daemon; null as soon
	 * as another note may have been inserted. A STACKED report that belongs to no accepted note is
	 * evidence about this note.
	 */
	readonly suspect: string | null;
	/**
	 * The note of `doubtful` or `suspect` that staff found in the cashbox: a STACKED report about it
	 * changes nothing.
	 */
	readonly found: string | null;
	readonly acceptor: AcceptorState;
	/** Id of the last removal of the cashbox, until a return is seen; else null. */
	readonly boxOut: string | null;
	readonly trouble: JournalError['code'] | null;
	/**
	 * Sealed settings, for example note values, have changed and are not confirmed: no note is taken.
	 */
	readonly unconfirmed: boolean;
	readonly enabled: boolean;
	readonly shown: AcceptorState | null;
}

/**
 * @param suspect id of a note in doubt that an earlier run left moments ago, or null
 * @param trouble of the journal, or null
 */
export const initialCashState = (suspect: string | null, trouble: JournalError['code'] | null): CashState => ({
	session: null,
	note: null,
	doubtful: null,
	suspect,
	found: null,
	acceptor: 'disconnected',
	boxOut: null,
	trouble,
	unconfirmed: false,
	enabled: false,
	shown: null,
});

export type CashEvent =
	/**
	 * `paid_id` is a fresh UUID. `frozen` is absent if the same session only reads its books again.
	 */
	| {
			kind: 'open';
			payment: Payment;
			entries: readonly CashEntry[];
			paid: 'back_office' | 'kiosk' | null;
			frozen?: boolean;
			paid_id: string;
	  }
	| { kind: 'close' }
	/** `note_id` (UUID) and `time` (ISO 8601) are fresh, for a record that may be written. */
	| { kind: 'acceptor'; report: AcceptorReport; note_id: string; time: string }
	| { kind: 'written'; record: JournalRecord }
	| { kind: 'not_written'; record: JournalRecord; error: JournalError }
	| { kind: 'paid_by_back_office'; key: PaymentKey }
	| { kind: 'back_office_unreachable' }
	| { kind: 'paid_wait_over'; key: PaymentKey }
	/**
	 * Staff have settled a note in doubt, and the record is on disk. `entry`: the credit of the
	 * note for `payment_id`; null if the note is not in the box.
	 */
	| { kind: 'settled'; note_id: string; payment_id: string | null; nominal: Rupiah; entry: CashEntry | null }
	/** A STACKED report can no longer be about this note. */
	| { kind: 'suspect_over'; note_id: string }
	/** Whether changed settings wait for confirmation. */
	| { kind: 'settings'; unconfirmed: boolean }
	/** State of the journal. `kept`: the journal has the credit although its write failed. */
	| { kind: 'journal'; trouble: JournalError['code'] | null; kept: boolean }
	/** The screen has stopped drawing, or draws again. */
	| { kind: 'picture'; frozen: boolean };

export type CashEffect =
	/** Answered by `written` or `not_written` before any other event. */
	| { kind: 'write'; record: JournalRecord }
	| { kind: 'acceptor'; command: AcceptorCommand }
	/** `about`: the payment that the text names; the text is for screens of its account only. */
	| { kind: 'tell'; text: LiveText; about?: Payment }
	| { kind: 'upload' }
	/** Waits for the back office to report "paid", then sends `paid_wait_over`. */
	| { kind: 'wait_for_paid'; payment: Payment }
	| { kind: 'closed'; session: Session }
	| LogEffect;

/** The next state and the effects, to be run in this order. */
export type Step = { state: CashState; effects: CashEffect[] };

/** @returns rupiah in doubt in this session */
export const inDoubtOf = (session: Session): Rupiah => sumRupiah(session.inDoubt.map((note) => note.nominal));

/** @returns everything received for the invoice, rupiah */
export const receivedOf = (entries: readonly CashEntry[]): Rupiah => rupiah(entries.reduce((sum, entry) => sum + entry.nominal, 0));

/** @returns whether the back office or the kiosk has declared the invoice paid */
export const isPaid = (session: Session): boolean => session.paid === 'back_office' || session.paid === 'kiosk';
