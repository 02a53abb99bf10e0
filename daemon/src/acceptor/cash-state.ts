/** What the cash session knows and may be told; the rules are in cash-session.ts. */
import type { CashEntry } from '../../contract/kiosk-api.ts';
import type { AcceptorState, LiveText } from '../../contract/live.ts';
import { type Rupiah, rupiah, sumRupiah } from '../../contract/money.ts';
import type { JournalError } from '../journal/journal.ts';
import type { JournalRecord, Payment, PaymentKey } from '../journal/records.ts';
import type { EventId, LogFields } from '../log/log.ts';
import type { AcceptorCommand, AcceptorReport } from './driver.ts';

/** What the owner allows; from the settings. */
export interface CashPolicy {
	/** Note type of the driver, e.g. "0x44", to rupiah. A wrong map is wrong money, so there is no default. */
	notes: ReadonlyMap<string, Rupiah>;
	switchedOff: ReadonlySet<Rupiah>;
	/** Rupiah above the invoice total that may be taken, or null for no limit (change is paid at the cashier). */
	overpayLimit: Rupiah | null;
}

/** A note between its intent and its outcome. */
export interface NoteInFlight {
	readonly note_id: string;
	readonly payment: Payment;
	readonly nominal: Rupiah;
	readonly time: string;
	/** It is in the cashbox for certain; only its record is missing because the journal could not be written. */
	readonly stacked?: true;
}

export interface Session {
	readonly payment: Payment;
	readonly entries: readonly CashEntry[];
	/** `covered`: enough is in; we wait for the back office to say paid. */
	readonly paid: 'no' | 'covered' | 'back_office' | 'kiosk';
	readonly closing: boolean;
	/** Notes that went in doubt in this session and that nobody has settled; while there is one, no further note is taken. */
	readonly inDoubt: readonly NoteInFlight[];
	/** The screen does not show this payment now, or has drawn nothing for too long: no further note is taken. */
	readonly frozen: boolean;
	/** A fresh UUID for the record that this customer was told "paid". */
	readonly paid_id: string;
}

export interface CashState {
	readonly session: Session | null;
	readonly note: NoteInFlight | null;
	/** The last note that went in doubt in this run: a late stacked byte still settles it. */
	readonly doubtful: NoteInFlight | null;
	/**
	 * The newest note in doubt, also of a run that ended moments ago, as long as no other note can have come: a stacked byte that
	 * no accepted note explains is evidence about it.
	 */
	readonly suspect: string | null;
	/** `doubtful` or `suspect`, found in the cashbox by a person: a stacked byte about it says nothing new. */
	readonly found: string | null;
	readonly acceptor: AcceptorState;
	/** The removal of the cashbox after which none has been seen again, or null. */
	readonly boxOut: string | null;
	readonly trouble: JournalError['code'] | null;
	/** Settings that decide about money have changed, and no person has confirmed them: no note is taken. */
	readonly unconfirmed: boolean;
	readonly enabled: boolean;
	readonly shown: AcceptorState | null;
}

export const cashStart = (suspect: string | null, trouble: JournalError['code'] | null): CashState => ({
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
	/** `paid_id` is fresh. `frozen` is left out where the same session only reads its books again. */
	| {
			kind: 'open';
			payment: Payment;
			entries: readonly CashEntry[];
			paid: 'back_office' | 'kiosk' | null;
			frozen?: boolean;
			paid_id: string;
	  }
	| { kind: 'close' }
	/** `note_id` and `time` (ISO 8601) are fresh and used only if a record has to be made. */
	| { kind: 'acceptor'; report: AcceptorReport; note_id: string; time: string }
	| { kind: 'written'; record: JournalRecord }
	| { kind: 'not_written'; record: JournalRecord; error: JournalError }
	| { kind: 'paid_by_back_office'; key: PaymentKey }
	| { kind: 'back_office_unreachable' }
	| { kind: 'paid_wait_over'; key: PaymentKey }
	/** A person has settled a note in doubt, and that is on disk. `entry`: what it now is for `payment_id`, null when not in the box. */
	| { kind: 'settled'; note_id: string; payment_id: string | null; nominal: Rupiah; entry: CashEntry | null }
	/** A stacked byte from now on is no longer about this note. */
	| { kind: 'suspect_over'; note_id: string }
	/** Whether changed settings wait for a person's confirmation. */
	| { kind: 'settings'; unconfirmed: boolean }
	/** How the journal is. `kept`: the credit that the disk refused stands in it all the same. */
	| { kind: 'journal'; trouble: JournalError['code'] | null; kept: boolean }
	/** The screen has drawn nothing for too long, or draws again. */
	| { kind: 'picture'; frozen: boolean };

export type CashEffect =
	/** Answered by `written` or `not_written` before anything else happens. */
	| { kind: 'write'; record: JournalRecord }
	| { kind: 'acceptor'; command: AcceptorCommand }
	| { kind: 'tell'; text: LiveText }
	| { kind: 'upload' }
	/** Wait a moment for the back office to say paid, then send `paid_wait_over`. */
	| { kind: 'wait_for_paid'; payment: Payment }
	| { kind: 'closed'; session: Session }
	| { kind: 'log'; id: EventId; fields: LogFields };

/** A step of the session: what it knows now, and what must be done, in this order. */
export type Step = { state: CashState; effects: CashEffect[] };

/** @returns what of this session a person has to settle, rupiah */
export const inDoubtOf = (session: Session): Rupiah => sumRupiah(session.inDoubt.map((note) => note.nominal));

/** @returns everything received for the invoice, rupiah */
export const receivedOf = (entries: readonly CashEntry[]): Rupiah => rupiah(entries.reduce((sum, entry) => sum + entry.nominal, 0));

/** @returns whether customer and journal may treat the invoice as settled */
export const isPaid = (session: Session): boolean => session.paid === 'back_office' || session.paid === 'kiosk';
