import type { Id } from '@kiosk/contract/back-office';
import type { CashCloseAnswer, OpenMachineAnswer } from '@kiosk/contract/kiosk-api';
import type { AcceptorState, LiveText } from '@kiosk/contract/live';
import type { CurrentInvoice } from '../back-office/known-invoices.ts';
import type { Result } from '../base/result.ts';
import type { Balance } from '../journal/balance.ts';
import type { CashNote } from '../journal/cash-book.ts';
import { type JournalRecord, type Payment, type PaymentKey, paymentKey, sameInvoice } from '../journal/records.ts';
import type { JournalError } from '../journal/trouble.ts';
import { onInvoiceChanged } from './cash-books.ts';
import { announceWish, closeMachine, closeUnattended, endIfHeld, leave, type OpenRefusal, openMachine } from './cash-customer.ts';
import type { CashDeskDeps } from './cash-deps.ts';
import { CashRunner, isObservation, type NoteDecision } from './cash-effects.ts';
import { checkJournal, watchJournal } from './cash-journal.ts';
import { shownStateOf } from './cash-machine.ts';
import { greetingOf, machineText } from './cash-messages.ts';
import type { Drawn } from './cash-page.ts';
import { type CashProgress, cashProgress } from './cash-progress.ts';

/** Cash payments: customers' sessions, staff decisions, and the conditions for taking notes. */
export interface CashDesk {
	/**
	 * Announces a request to open the acceptor. A later request or a close cancels this request.
	 * @returns the number of the request
	 */
	announce(): number;
	/**
	 * Opens the acceptor for an invoice that was looked up. First closes the session of another
	 * invoice, and waits until that session and its note in flight have ended. Notes are taken once
	 * the screen has drawn this invoice's cash page.
	 * @param wish number from `announce`
	 * @param session the requesting screen's session
	 */
	open(wish: number, invoice: CurrentInvoice, session: string): Promise<OpenMachineAnswer | OpenRefusal>;
	/**
	 * Closes the session of this invoice; resolves when no note is in flight.
	 * @returns null if no session was open and the received amount is unknown: the journal is
	 * unreadable, or the invoice is not the current one and the journal has no money for it
	 */
	close(id: Id): Promise<CashCloseAnswer | null>;
	/** Closes the open session, for example when its screen is gone, and cancels requests to open. */
	closeUnattended(): void;
	/** Closes an unpaid session if a card sale of its invoice blocks other payments now. */
	endIfHeld(): void;
	/**
	 * Called when the screen that opened the session disconnects: no note is taken until this screen
	 * draws its page again.
	 */
	onScreenGone(): void;
	/**
	 * Called when a screen has drawn a frame. Notes are taken only while the screen that opened the
	 * session shows the cash page of the session's invoice.
	 */
	onDrawn(drawn: Drawn): void;
	/** Session of the screen that opened the cash payment; null if no cash payment is open. */
	payingScreen(): string | null;
	/**
	 * Called when an invoice has changed: its open session gets the new total and money, or ends if
	 * the invoice takes no money now.
	 */
	onInvoiceChanged(payment: Payment, balance: Balance): void;
	/** Checks journal and disk now, reopens a broken journal, and informs the screens of a change. */
	checkJournal(): void;
	markPaid(key: PaymentKey): void;
	onBackOfficeUnreachable(): void;
	/**
	 * Records a staff decision about a note in doubt. The ledger throws if the note is not in doubt.
	 * @returns an error if the decision could not be written. The note then stays in doubt, unless
	 * the reopened journal contains the decision
	 */
	settleNote(note: CashNote, decision: NoteDecision): Result<void, JournalError>;
	/**
	 * @param unconfirmed whether changed settings wait for confirmation; no note is taken meanwhile
	 */
	holdForSettings(unconfirmed: boolean): void;
	/** The payment that a customer is paying in cash now, or null. */
	paying(): PaymentKey | null;
	/**
	 * Whether a customer is paying this invoice in cash under any of its numbers. Money taken under
	 * any of them counts for the invoice.
	 */
	isPayingInvoice(payment: Payment): boolean;
	/**
	 * Whether a card sale of this invoice blocks other payments (`CardDesk.isHolding`). If so, no
	 * note is taken for the invoice.
	 */
	isHeld(payment: Payment): boolean;
	/** State of the acceptor, as the screen shows it. */
	shownState(): AcceptorState;
	/** The messages for a newly connected screen. */
	greeting(): LiveText[];
	/** Allows cash again after a note was pulled back, if the unlocking can be recorded. */
	unlock(why: string): Result<void, JournalError>;
	/**
	 * Ends the open session and allows no new one. Resolves when no note is between its escrow and
	 * its outcome.
	 */
	leave(): Promise<void>;
	isOpen(): boolean;
	/** The work that a restart would interrupt. */
	progress(): CashProgress[];
	/**
	 * Observations that could not be written yet. No device repeats them, so they are kept for a
	 * retry.
	 */
	unwritten(): readonly JournalRecord[];
	/**
	 * Writes the records that wait for the disk, for example the credit of a stacked note.
	 * @returns whether none waits any more
	 */
	writeWaiting(): boolean;
	/** State reported by the acceptor, even if the daemon takes no notes for another reason. */
	acceptorState(): AcceptorState;
	stop(): void;
}

/** Starts the acceptor and the checks of the journal. */
export function startCashDesk(deps: CashDeskDeps): CashDesk {
	const runner = new CashRunner(deps);
	const { page } = runner;
	const stopChecks = watchJournal(runner);
	const shownState = () => shownStateOf(runner.state, deps.policy);
	return {
		announce: () => announceWish(runner),
		open: (wish, invoice, session) => openMachine(runner, wish, invoice, session),
		close: (id) => closeMachine(runner, id),
		closeUnattended: () => closeUnattended(runner),
		endIfHeld: () => endIfHeld(runner),
		onScreenGone: () => page.onGone(),
		onDrawn: (drawn) => page.onDrawn(drawn),
		payingScreen: () => page.session(),
		onInvoiceChanged: (payment, balance) => onInvoiceChanged(runner, payment, balance),
		checkJournal: () => checkJournal(runner),
		markPaid: (key) => runner.handle({ kind: 'paid_by_back_office', key }),
		onBackOfficeUnreachable: () => runner.freshAnswer.handleAfter({ kind: 'back_office_unreachable' }),
		settleNote: (note, decision) => runner.settle(note, decision),
		holdForSettings: (unconfirmed) => runner.handle({ kind: 'settings', unconfirmed }),
		paying: () => runner.state.session && paymentKey(runner.state.session.payment),
		isPayingInvoice: (payment) => runner.state.session !== null && sameInvoice(runner.state.session.payment, payment),
		isHeld: deps.isHeld,
		shownState,
		greeting: () => [machineText(shownState()), ...greetingOf(runner.state.session)],
		unlock: (why) => runner.unlock(why),
		leave: () => leave(runner),
		isOpen: () => runner.state.session !== null,
		progress: () => cashProgress(runner.state, runner.unwritten.length),
		unwritten: () => runner.unwritten.filter(isObservation),
		writeWaiting: () => runner.writeWaiting(),
		acceptorState: () => runner.state.acceptor,
		stop() {
			stopChecks();
			runner.stop();
		},
	};
}
