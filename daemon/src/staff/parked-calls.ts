import type { ServerResponse } from 'node:http';
import { accountWords } from '../back-office/account-messages.ts';
import type { InvoiceDesk } from '../back-office/invoice-desk.ts';
import type { CurrentInvoice } from '../back-office/known-invoices.ts';
import type { Outbox } from '../back-office/outbox.ts';
import type { OutletToken } from '../back-office/token.ts';
import type { Clock } from '../base/clock.ts';
import type { CashDesk } from '../cash/cash-desk.ts';
import { answerJson, refuse } from '../http/handler.ts';
import type { Journal } from '../journal/journal.ts';
import type { ParkedNote } from '../journal/note-book.ts';
import { type JournalRecord, paymentKey } from '../journal/records.ts';
import { refusedRecordText } from '../journal/trouble.ts';
import type { Log } from '../log/log.ts';
import { isBeingPaid } from './being-paid.ts';
import type { ParkedWish } from './parked-choices.ts';

/** Maximum number of notes of other accounts that are listed. */
const MOST_OF_OTHERS = 100;
/**
 * How long a decision waits while a note is being sent. A call to the back office usually ends
 * sooner.
 */
const IN_FLIGHT_MS = 10_000;

/**
 * A note as staff see it. `why`: why the note waits. `elsewhere`: whether it waits for an account
 * that is not logged in.
 */
export interface WaitingForStaff {
	note_id: string;
	noinvoice: string;
	nominal: number;
	time: string;
	why: string;
	elsewhere: boolean;
}

/** The invoice that `cash move` shows for confirmation. */
export interface FoundInvoice {
	key: string;
	noinvoice: string;
	total: number;
}

export interface ParkedCalls {
	list(): { parked: WaitingForStaff[] };
	/** Looks the invoice up in the back office, for `cash move`. */
	lookUp(response: ServerResponse, number: string): Promise<void>;
	decide(response: ServerResponse, wish: ParkedWish): Promise<void>;
}

/** `parked`: why the note is parked; null for a note that only waits for another account. */
type Waiting = Omit<ParkedNote, 'parked'> & { parked: string | null };

/**
 * Staff decisions about notes that the back office refuses, or whose account will not log in again.
 */
export function parkedCalls(deps: {
	journal: Journal;
	token: Pick<OutletToken, 'current'>;
	invoices: Pick<InvoiceDesk, 'lookUp' | 'keep'>;
	outbox: Pick<Outbox, 'kick' | 'whenSettled' | 'isSending'>;
	cash: Pick<CashDesk, 'isPayingInvoice' | 'isHeld'>;
	clock: Clock;
	/** @returns a fresh UUID */
	newId: () => string;
	log: Log;
}): ParkedCalls {
	const { journal, token, outbox, log } = deps;
	const { money } = journal;
	const account = () => token.current()?.account ?? null;
	/**
	 * Waiting notes of other accounts. Without a log-in the list is empty: otherwise every note would
	 * count as another account's.
	 */
	const ofOthers = (): Waiting[] =>
		account() ? journal.notesForOthers(account(), MOST_OF_OTHERS).map((note) => ({ ...note, unassigned: false })) : [];
	const all = (): Waiting[] => [...journal.parked(), ...ofOthers()];
	const accountOf = ({ payment_id }: Waiting) => money.paymentOf(payment_id)?.account ?? null;
	const why = (note: Waiting): string => note.parked ?? `it waits for ${accountWords(accountOf(note))}`;

	/**
	 * @returns the waiting note whose id begins with this. If there is no such note or more than one,
	 * refuses the request and returns null.
	 */
	function oneNote(response: ServerResponse, beginning: string): Waiting | null {
		const found = all().filter(({ note_id }) => note_id.startsWith(beginning));
		const [note] = found;
		if (!note || found.length > 1) {
			const count = note ? `${found.length} notes begin` : 'no note waiting for staff begins';
			refuse(response, 404, 'no_such_note', `${count} with ${beginning}; kioskctl cash parked lists them`);
			return null;
		}
		const payment = money.paymentOf(note.payment_id);
		if (!payment || !isBeingPaid(deps, payment)) return note;
		refuse(response, 409, 'busy', 'Not now: a customer is paying this invoice.');
		return null;
	}

	/**
	 * Waits up to IN_FLIGHT_MS until no note is being sent.
	 * @returns false after refusing the request
	 */
	async function waitUntilNoneInFlight(response: ServerResponse): Promise<boolean> {
		const settled = await new Promise<boolean>((resolve) => {
			const cancel = deps.clock.after(IN_FLIGHT_MS, () => resolve(false));
			void outbox.whenSettled().then(() => {
				cancel();
				resolve(true);
			});
		});
		if (!settled) refuseWhileSending(response);
		return settled;
	}

	const refuseWhileSending = (response: ServerResponse): void =>
		refuse(response, 409, 'busy', 'A note is being sent. Nothing was done; try again in a moment.');

	/**
	 * Parks the note, so that it is not sent meanwhile.
	 * @returns the note; null after refusing the request
	 */
	function parkedNote(response: ServerResponse, beginning: string): Waiting | null {
		const note = oneNote(response, beginning);
		if (!note || (note.parked !== null && !note.unassigned)) return note;
		// During the look-up the note's account may have been logged in for a moment, so the note may
		// be in flight.
		if (outbox.isSending()) {
			refuseWhileSending(response);
			return null;
		}
		return write(response, { kind: 'note_parked', park_id: deps.newId(), note_id: note.note_id, reason: why(note) }) ? note : null;
	}

	/** @returns whether the record is on disk; if false, the request has been refused */
	function write(response: ServerResponse, record: JournalRecord): boolean {
		const written = journal.append(record);
		if (!written.ok) refuse(response, 503, written.error.code, refusedRecordText(written.error));
		return written.ok;
	}

	function done(response: ServerResponse, how: 'resent' | 'booked' | 'moved', notes: readonly Waiting[]): void {
		for (const { note_id, nominal, noinvoice } of notes)
			log.event('outbox.settled_by_staff', { note_id, nominal, invoice: noinvoice, how });
		outbox.kick();
		answerJson(response, 200, { notes: notes.map(listed) });
	}

	function resend(response: ServerResponse, { note: beginning, by, why }: Extract<ParkedWish, { action: 'resend' }>): void {
		const one = beginning === 'all' ? null : oneNote(response, beginning);
		if (beginning !== 'all' && !one) return;
		const notes = one ? [one] : journal.parked();
		const sendable = notes.filter((note) => note.parked !== null && accountOf(note) !== null);
		if (one && sendable.length === 0) {
			const unknown = 'No account is known for this note, so it is not sent: kioskctl cash move assigns it to an invoice.';
			return refuse(response, 409, 'not_parked', accountOf(one) ? 'It is not parked: it is sent when its account is logged in.' : unknown);
		}
		for (const { note_id } of sendable) if (!write(response, { kind: 'note_resent', resend_id: deps.newId(), note_id, by, why })) return;
		done(response, 'resent', sendable);
	}

	async function book(response: ServerResponse, { note: beginning, by, why }: Extract<ParkedWish, { action: 'book' }>): Promise<void> {
		if (!(await waitUntilNoneInFlight(response))) return;
		const note = parkedNote(response, beginning);
		if (note && write(response, { kind: 'note_booked', note_id: note.note_id, by, why })) done(response, 'booked', [note]);
	}

	async function move(response: ServerResponse, wish: Extract<ParkedWish, { action: 'move' }>): Promise<void> {
		const { number, expected, by, why } = wish;
		// Nothing may be awaited after the look-up, because meanwhile the invoice could be paid, or a
		// customer could begin to pay it.
		if (!(await waitUntilNoneInFlight(response))) return;
		const found = await foundInvoice(response, number);
		if (!found) return;
		const { payment } = found;
		if (paymentKey(payment) !== expected)
			return refuse(response, 409, 'changed', `${number} is now another invoice. Nothing was done; check the number and try again.`);
		if (deps.cash.isPayingInvoice(payment)) return refuse(response, 409, 'busy', 'Not now: a customer is paying that invoice.');
		if (deps.cash.isHeld(payment))
			return refuse(response, 409, 'busy', 'Not now: a card sale of that invoice is open or unknown. Nothing was done.');
		const note = parkedNote(response, wish.note);
		if (!note) return;
		if (note.payment_id === expected)
			return refuse(response, 409, 'same', 'It already counts for this invoice. To send it again: kioskctl cash resend.');
		const { note_id, payment_id: from, nominal, noinvoice } = note;
		const held = money.ownMoney(from);
		if (held < nominal) {
			const given = `Rp ${nominal} was given back for ${noinvoice}, and this kiosk holds Rp ${held} for it`;
			return refuse(response, 409, 'given_back', `${given}. The note cannot pay another invoice. Nothing was done.`);
		}
		// The look-up is stored before the move: once the back office counts this note, the note cannot
		// be distinguished from payments made elsewhere.
		const kept = deps.invoices.keep(found);
		if (!kept.ok) return refuse(response, 503, kept.error.code, refusedRecordText(kept.error));
		if (!write(response, { kind: 'note_moved', move_id: deps.newId(), note_id, from, payment, by, why })) return;
		done(response, 'moved', [note]);
		// The kiosk now holds money for this invoice, so the journal needs the back office's view of
		// the invoice.
		void deps.invoices.lookUp(number, undefined, 'current');
	}

	async function foundInvoice(response: ServerResponse, number: string): Promise<CurrentInvoice | null> {
		if (!account()) {
			refuse(response, 409, 'logged_out', 'No outlet is logged in, so no invoice can be looked up: log in on the screen.');
			return null;
		}
		const found = await deps.invoices.lookUp(number, undefined, 'current');
		if (!found) refuse(response, 404, 'no_such_invoice', `The back office has no invoice ${number}, or does not answer. Nothing was done.`);
		return found;
	}

	const listed = (note: Waiting): WaitingForStaff => {
		const { note_id, noinvoice, nominal, time } = note;
		return { note_id, noinvoice, nominal, time, why: why(note), elsewhere: note.parked === null };
	};

	return {
		list: () => ({ parked: all().map(listed) }),
		async lookUp(response, number) {
			const found = await foundInvoice(response, number);
			if (!found) return;
			const { noinvoice, total } = found.payment;
			answerJson(response, 200, { key: paymentKey(found.payment), noinvoice, total } satisfies FoundInvoice);
		},
		async decide(response, wish) {
			if (wish.action === 'resend') return resend(response, wish);
			return wish.action === 'book' ? book(response, wish) : move(response, wish);
		},
	};
}
