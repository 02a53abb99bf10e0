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
	/** Maximum overpayment, rupiah; null: no limit, because the cashier gives change. */
	overpayLimit: Rupiah | null;
}

/** A note between its intent and its outcome. */
export interface NoteInFlight {
	readonly note_id: string;
	readonly payment: Payment;
	readonly nominal: Rupiah;
	readonly time: string;
}

export interface Session {
	readonly payment: Payment;
	readonly entries: readonly CashEntry[];
	/**
	 * `covered`: the received money covers the total, and the kiosk waits for the back office to
	 * report "paid".
	 */
	readonly paid: 'no' | 'covered' | 'back_office' | 'kiosk';
	readonly closing: boolean;
	/** Notes of this session in doubt. No further note is taken until all of them are settled. */
	readonly inDoubt: readonly NoteInFlight[];
	/**
	 * Whether the screen has stopped drawing or does not show this payment. If so, no further note is
	 * taken.
	 */
	readonly frozen: boolean;
	/** A fresh UUID for the record `invoice_paid`. */
	readonly paid_id: string;
}

export interface CashState {
	readonly session: Session | null;
	readonly note: NoteInFlight | null;
	/** The last note of this run that is in doubt. A late STACKED report can still credit it. */
	readonly doubtful: NoteInFlight | null;
	/**
	 * Id of the newest note in doubt, of this or an earlier run; null as soon as another note may
	 * have been inserted, or after `RECENT_MS`. A STACKED report without an accepted note is evidence
	 * about this note.
	 */
	readonly suspect: string | null;
	/**
	 * Id of the note that staff found in the cashbox while it was `doubtful` or `suspect`. A STACKED
	 * report about this note changes nothing.
	 */
	readonly found: string | null;
	readonly acceptor: AcceptorState;
	/** Id of the last cashbox removal; null once a cashbox is reported in place. */
	readonly boxOut: string | null;
	readonly trouble: JournalError['code'] | null;
	/**
	 * Whether changed sealed settings, for example note values, wait for confirmation. If so, no note
	 * is taken.
	 */
	readonly unconfirmed: boolean;
	readonly enabled: boolean;
	readonly shown: AcceptorState | null;
}

/**
 * @param suspect id of a note that an earlier run left in doubt less than `RECENT_MS` ago, or null
 * @param trouble fault of the journal, or null
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
	 * `paid_id` is a fresh UUID. `frozen` is absent if the event only updates total and entries of an
	 * open session.
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
	/**
	 * `note_id` (a new UUID) and `time` (now, ISO 8601) are for the record that the report may cause.
	 */
	| { kind: 'acceptor'; report: AcceptorReport; note_id: string; time: string }
	| { kind: 'written'; record: JournalRecord }
	| { kind: 'not_written'; record: JournalRecord; error: JournalError }
	| { kind: 'paid_by_back_office'; key: PaymentKey }
	| { kind: 'back_office_unreachable' }
	| { kind: 'paid_wait_over'; key: PaymentKey }
	/**
	 * Staff have settled a note in doubt, and the record is on disk. `entry`: the note's credit for
	 * `payment_id`; null if the note is not in the cashbox.
	 */
	| { kind: 'settled'; note_id: string; payment_id: string | null; nominal: Rupiah; entry: CashEntry | null }
	/** The time limit for a STACKED report about this note has passed. */
	| { kind: 'suspect_over'; note_id: string }
	/** Whether changed settings wait for confirmation. */
	| { kind: 'settings'; unconfirmed: boolean }
	/** State of the journal. */
	| { kind: 'journal'; trouble: JournalError['code'] | null }
	/** The screen no longer shows the payment, or shows it again. */
	| { kind: 'picture'; frozen: boolean };

export type CashEffect =
	/** The runner answers with `written` or `not_written` before any other event. */
	| { kind: 'write'; record: JournalRecord }
	| { kind: 'acceptor'; command: AcceptorCommand }
	/**
	 * `about`: the payment whose id the text contains. The text is sent only while this id still
	 * refers to the same payment.
	 */
	| { kind: 'tell'; text: LiveText; about?: Payment }
	| { kind: 'upload' }
	/** Gives the back office `PAID_WAIT_MS` to report "paid", then sends `paid_wait_over`. */
	| { kind: 'wait_for_paid'; payment: Payment }
	| { kind: 'closed'; session: Session }
	| LogEffect;

/** The next state, and the effects in the order in which they must run. */
export type Step = { state: CashState; effects: CashEffect[] };

/** @returns rupiah in doubt in this session */
export const inDoubtOf = (session: Session): Rupiah => sumRupiah(session.inDoubt.map((note) => note.nominal));

/** @returns everything received for the invoice, rupiah */
export const receivedOf = (entries: readonly CashEntry[]): Rupiah => rupiah(entries.reduce((sum, entry) => sum + entry.nominal, 0));

/** @returns whether the back office or the kiosk has declared the invoice paid */
export const isPaid = (session: Session): boolean => session.paid === 'back_office' || session.paid === 'kiosk';
