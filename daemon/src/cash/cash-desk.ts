import { type Id, sameId } from '@kiosk/contract/back-office';
import type { CashCloseAnswer, OpenMachineAnswer } from '@kiosk/contract/kiosk-api';
import type { AcceptorState, LiveText } from '@kiosk/contract/live';
import { rupiah } from '@kiosk/contract/money';
import type { AcceptorDriver, AcceptorReport } from '../acceptor/driver.ts';
import type { CurrentInvoice, InvoiceDesk } from '../back-office/invoice-desk.ts';
import type { Clock } from '../base/clock.ts';
import { fail, type Result } from '../base/result.ts';
import type { Balance } from '../journal/balance.ts';
import type { CashNote } from '../journal/cash-book.ts';
import type { Journal, JournalError } from '../journal/journal.ts';
import { type JournalRecord, type Payment, type PaymentKey, paymentKey, samePayment } from '../journal/records.ts';
import { aboutPayment } from '../log/about-payment.ts';
import type { Log } from '../log/log.ts';
import { cashStep, machineText, shownStateOf } from './cash-machine.ts';
import { type CashPage, watchCashPage } from './cash-page.ts';
import {
	type CashEffect,
	type CashEvent,
	type CashPolicy,
	type CashState,
	inDoubtOf,
	initialCashState,
	isPaid,
	receivedOf,
	type Session,
} from './cash-state.ts';

/**
 * How long the back office may take to say "paid" once the invoice is covered. After that the kiosk
 * says it; the outbox keeps the proof.
 */
const PAID_WAIT_MS = 5_000;
/** Interval for checking disk space and for reopening a broken journal. */
const JOURNAL_CHECK_MS = 5_000;
/** While stopping: interval for checking whether the note in flight is settled. */
const IDLE_CHECK_MS = 50;
/**
 * A younger note in doubt may still be on its way into the cashbox: units take up to 15 s to report
 * it.
 */
const RECENT_MS = 20_000;

/**
 * Why the machine was not opened. `superseded`: a newer request came meanwhile. `held`: another
 * payment of the invoice is open or unknown. `dispute`: staff must check its money. `no_call`:
 * notes could not be reported to the back office.
 */
export type OpenRefusal = 'leaving' | 'superseded' | 'held' | 'dispute' | 'no_call';

/** Runs the effects of the pure cash session on journal, acceptor, screen and outbox. */
export interface CashDesk {
	/**
	 * Announces a request to open. It cancels an earlier request and is itself cancelled by
	 * closing. @returns the number of the request
	 */
	announce(): number;
	/**
	 * Opens the machine for an invoice that was looked up. A session that belongs to another
	 * invoice or is closing ends first, after its note in flight. Notes are taken once the screen
	 * has drawn the cash page of this invoice.
	 * @param wish number from `announce`
	 * @param session the requesting screen's session
	 */
	open(wish: number, invoice: CurrentInvoice, session: string): Promise<OpenMachineAnswer | OpenRefusal>;
	/**
	 * Closes the session of this invoice; resolves when no note is in flight.
	 * @returns null if neither this run nor the journal knows the payment, so that what was
	 * received for it is unknown
	 */
	close(id: Id): Promise<CashCloseAnswer | null>;
	/** The screen is gone or shows another page: no further note is taken. */
	closeUnattended(): void;
	/**
	 * The screen that opened the session lost its connection: no note is taken until it draws its
	 * page again.
	 */
	onScreenGone(): void;
	/**
	 * A screen has drawn a frame. Counts only from the screen that opened the session, on the cash
	 * page of its invoice.
	 */
	onDrawn: CashPage['onDrawn'];
	/** Session of the screen for which the machine is open; null while it is closed. */
	payingScreen: CashPage['session'];
	/** The invoice has changed: an open session for it uses the new total. */
	onInvoiceChanged(payment: Payment, balance: Balance): void;
	/** Checks journal and disk now, and informs the screens of a change. */
	checkJournal(): void;
	markPaid(key: PaymentKey): void;
	onBackOfficeUnreachable(): void;
	/**
	 * Records a decision of staff about a note in doubt. For any other note the ledger throws: that
	 * is a bug.
	 * @returns an error if it could not be written; then nothing has changed
	 */
	settleNote(note: CashNote, decision: NoteDecision): Result<void, JournalError>;
	/**
	 * @param unconfirmed whether changed settings wait for confirmation; no note is taken meanwhile
	 */
	holdForSettings(unconfirmed: boolean): void;
	/** Whether a customer is paying this invoice in cash. */
	isPaying(payment: Payment): boolean;
	/** State of the acceptor, as the screen shows it. */
	shownState(): AcceptorState;
	/** The messages for a newly connected screen. */
	greeting(): LiveText[];
	/** Allows cash again after a manipulation attempt (note pulled). */
	unlock(why: string): void;
	/**
	 * Ends the desk: no new session, and no further note in the open one. Resolves when no note is
	 * between escrow and its outcome.
	 */
	leave(): Promise<void>;
	isOpen(): boolean;
	stop(): void;
}

/** The outcome of a note in doubt, with name and reason. */
export type NoteDecision = Omit<Extract<JournalRecord, { kind: 'cash_settled' }>, 'kind' | 'note_id'>;

export interface CashDeskDeps {
	journal: Journal;
	policy: CashPolicy;
	clock: Clock;
	log: Log;
	/** A fresh UUID. */
	newId: () => string;
	notify: (text: LiveText) => void;
	/** Called when there may be notes to upload. */
	uploadNow: () => void;
	/** A session has ended; no more notes are expected for it. */
	onClosed: (session: Session) => void;
	/**
	 * Whether another payment of this invoice is open or may have succeeded; then no note is taken
	 * for it.
	 */
	isHeld: (payment: Payment) => boolean;
	invoices: Pick<InvoiceDesk, 'balanceOf' | 'keep' | 'current' | 'findPayment' | 'refresh'>;
	/** Whether the back office cannot receive notes. */
	isCallUnknown: () => boolean;
	/** A session whose screen has drawn nothing for this long takes no further note, ms. */
	frozenMs: number;
	/** ISO 8601 with the site's offset */
	timestamp: (at: Date) => string;
	/** null without an acceptor in the settings. */
	startDriver: ((report: (report: AcceptorReport) => void) => AcceptorDriver) | null;
}

export function startCashDesk(deps: CashDeskDeps): CashDesk {
	const { journal, policy, clock, log } = deps;
	// An unexplained note was already reported by the unit.
	const fresh = journal.inDoubt().findLast((note) => note.id !== null);
	const age = fresh ? clock.wall().getTime() - Date.parse(fresh.time) : 0;
	// One STACKED report is evidence about this note; a second one, in this run or the next, is
	// another note.
	const explained = fresh && journal.has({ kind: 'cash_evidence', note_id: fresh.note_id, what: '' });
	// A time in the future comes from a wrong clock: the age of the note is not known.
	const recent = fresh && !explained && age >= 0 && age < RECENT_MS ? fresh.note_id : null;
	let state: CashState = {
		...initialCashState(recent, journal.trouble()?.code ?? null),
		acceptor: deps.startDriver ? 'disconnected' : 'not_configured',
		boxOut: journal.cashbox.boxOut(),
	};
	let waiting: ((session: Session) => void)[] = [];
	let leaving = false;
	let cancelPaidWait = () => {};
	/** Events that wait for the look-up of a covered invoice; null while there is none. */
	let afterAnswer: CashEvent[] | null = null;
	/** The payment whose look-up was answered while the journal could not be read. */
	let answerUnused: Payment | null = null;
	/** Observations made while the journal could not be written. */
	const unwritten: JournalRecord[] = [];
	/** The newest request to open; closing cancels it. */
	let newestWish = 0;
	const page = watchCashPage({
		clock,
		frozenMs: deps.frozenMs,
		onShown: (shows) => handle({ kind: 'picture', frozen: !shows }),
		onLeft: () => handle({ kind: 'close' }),
	});

	let cancelSuspect = () => {};
	if (recent !== null) suspectFor(recent, RECENT_MS - age);
	function suspectFor(note_id: string, ms: number): void {
		cancelSuspect();
		cancelSuspect = clock.after(ms, () => handle({ kind: 'suspect_over', note_id }));
	}

	function handle(event: CashEvent): void {
		const before = state.suspect;
		const step = cashStep(state, event, policy);
		state = step.state;
		if (state.suspect !== null && state.suspect !== before) suspectFor(state.suspect, RECENT_MS);
		for (const effect of step.effects) run(effect);
	}

	function run(effect: CashEffect): void {
		switch (effect.kind) {
			case 'write': {
				// Observations keep their order: the return of a cashbox follows its removal.
				const written = isObservation(effect.record) && unwritten.length > 0 ? fail(BEHIND) : journal.append(effect.record);
				if (written.ok) return handle({ kind: 'written', record: effect.record });
				log.event('journal.unhealthy', { code: written.error.code, message: written.error.message });
				if (isObservation(effect.record)) unwritten.push(effect.record);
				return handle({ kind: 'not_written', record: effect.record, error: written.error });
			}
			case 'acceptor':
				return driver?.send(effect.command);
			case 'tell':
				return deps.notify(effect.text);
			case 'upload':
				return deps.uploadNow();
			case 'wait_for_paid':
				cancelPaidWait();
				cancelPaidWait = clock.after(PAID_WAIT_MS, () => orAfterAnswer({ kind: 'paid_wait_over', key: paymentKey(effect.payment) }));
				if (isCurrent(effect.payment)) askAgain(effect.payment, []);
				return;
			case 'closed': {
				page.close();
				afterAnswer = null;
				answerUnused = null;
				const told = waiting;
				waiting = [];
				for (const answer of told) answer(effect.session);
				return deps.onClosed(effect.session);
			}
			case 'log':
				return log.event(effect.id, effect.fields);
			default:
				return effect satisfies never;
		}
	}

	const driver =
		deps.startDriver?.((report) => handle({ kind: 'acceptor', report, note_id: deps.newId(), time: deps.timestamp(clock.wall()) })) ?? null;

	let cancelCheck = clock.after(JOURNAL_CHECK_MS, checkOften);
	function checkOften(): void {
		cancelCheck = clock.after(JOURNAL_CHECK_MS, checkOften);
		checkJournal();
		// Verifies old records for flipped bits between payments.
		if (!state.session && !state.note) journal.patrol();
	}

	function checkJournal(): void {
		let trouble = journal.trouble();
		// A note in flight has its intent on disk; reopening the file now would put the note in
		// doubt.
		const reopened = trouble?.code === 'journal_unhealthy' && !state.note;
		if (reopened) trouble = journal.reopen() ?? journal.trouble();
		// If another writer closed and reopened the journal meanwhile, its effects must still run
		// here.
		if ((trouble?.code ?? null) === state.trouble && (trouble || !reopened)) return;
		if (trouble) log.event('journal.unhealthy', { code: trouble.code, message: trouble.message });
		else {
			// The journal was not writable when the outcome came, so the intent is still open.
			journal.doubtOpenIntents(state.note?.note_id ?? null);
			for (const record of unwritten.splice(0)) if (!journal.has(record)) run({ kind: 'write', record });
			log.event('journal.healthy', {});
			// Uploads found nothing to send while the journal was closed.
			deps.uploadNow();
		}
		const { doubtful } = state;
		const kept = doubtful !== null && journal.has({ kind: 'cash_credit', note_id: doubtful.note_id, late: true });
		// Before the machine is enabled again.
		if (!trouble && state.session && !state.session.closing) readAgain(state.session);
		if (!trouble && answerUnused) askAgain(answerUnused, afterAnswer ?? []);
		handle({ kind: 'journal', trouble: trouble?.code ?? null, kept });
	}

	function isCurrent(payment: Payment): boolean {
		const current = deps.invoices.current();
		return current !== null && samePayment(current.payment, payment);
	}

	/**
	 * Enough money is in for the total that was looked up. It may have changed since, so "paid"
	 * waits for a fresh answer.
	 */
	function askAgain(payment: Payment, mine: CashEvent[]): void {
		afterAnswer = mine;
		answerUnused = null;
		void deps.invoices.refresh(payment).then((used) => {
			if (afterAnswer !== mine) return;
			// Its total may have grown, so "paid" waits until the journal can be read.
			if (!used) {
				answerUnused = payment;
				return;
			}
			afterAnswer = null;
			for (const event of mine) handle(event);
		});
	}

	/**
	 * Without an answer, only the last known total decides; while the back office is being asked,
	 * the event waits.
	 */
	function orAfterAnswer(event: CashEvent): void {
		if (afterAnswer) afterAnswer.push(event);
		else handle(event);
	}

	/** A session opened while the journal was unreadable does not know the earlier payments. */
	function readAgain({ payment }: Session): void {
		const balance = deps.invoices.balanceOf(paymentKey(payment));
		// A credit that reached the disk although the write failed appears once the journal works
		// again.
		const entries = balance.entries.filter((entry) => entry.note_id === null || entry.note_id !== state.doubtful?.note_id);
		reopen(payment, { ...balance, entries });
	}

	/** Reopens the same session with the current books. */
	function reopen(payment: Payment, balance: Balance): void {
		handle({ kind: 'open', payment, entries: balance.entries, paid: paidBy(payment, balance), paid_id: deps.newId() });
		for (const text of sessionMessages(state.session)) deps.notify(text);
	}

	/**
	 * @returns whose word makes this invoice paid at its present total; null while the notes alone
	 * may cover it
	 */
	function paidBy(payment: Payment, balance: Balance): 'back_office' | 'kiosk' | null {
		if (balance.state !== 'paid' && balance.state !== 'paid_twice') return null;
		const current = deps.invoices.current();
		const view = current && samePayment(current.payment, payment) ? current.view : journal.money.viewOf(paymentKey(payment));
		return view?.is_paid ? 'back_office' : journal.money.toldPaid(paymentKey(payment));
	}

	const isOf = (session: Session | null, id: Id): session is Session => session !== null && sameId(session.payment.id, id);

	function refusalOf(payment: Payment, { state, due }: Balance): OpenRefusal | null {
		if (deps.isHeld(payment)) return 'held';
		if (state === 'dispute') return 'dispute';
		return due > 0 && deps.isCallUnknown() ? 'no_call' : null;
	}

	function closeSession(): Promise<Session> | null {
		if (!state.session) return null;
		return new Promise((answer) => {
			waiting.push(answer);
			handle({ kind: 'close' });
		});
	}

	return {
		announce() {
			newestWish += 1;
			return newestWish;
		},
		async open(wish, invoice, session) {
			const { payment } = invoice;
			if (state.session && (state.session.closing || !samePayment(state.session.payment, payment))) await closeSession();
			checkJournal();
			if (leaving) return 'leaving';
			if (wish !== newestWish) return 'superseded';
			const balance = deps.invoices.balanceOf(paymentKey(payment));
			const refusal = refusalOf(payment, balance);
			if (refusal !== null) {
				// A page that was loaded anew in the middle of a payment shows the refusal, and no machine.
				handle({ kind: 'close' });
				return refusal;
			}
			const kept = deps.invoices.keep(invoice);
			if (!kept.ok) log.event('journal.unhealthy', { code: kept.error.code, message: kept.error.message });
			const { entries } = balance;
			const frozen = !page.open(session, payment);
			handle({ kind: 'open', payment, entries, paid: paidBy(payment, balance), frozen, paid_id: deps.newId() });
			if (!kept.ok) checkJournal();
			// Tries a reset for a fault that only a restart clears; the driver refuses while a note
			// may be in transit.
			if (state.acceptor === 'bill_jam' || state.acceptor === 'motor_failure' || state.acceptor === 'sensor_problem') driver?.send('reset');
			const shown = shownStateOf(state, policy);
			return {
				machine_ready: shown === 'ready',
				message: machineText(shown).ict_text,
				entries,
				is_paid: state.session !== null && isPaid(state.session),
			};
		},
		async close(id) {
			newestWish += 1;
			const session = isOf(state.session, id) ? await closeSession() : null;
			const payment = session?.payment ?? deps.invoices.findPayment(id);
			if (!payment) return null;
			// An unreadable journal looks empty; the entries that the customer has seen are still
			// in the session.
			if (session && journal.trouble()?.code === 'journal_unhealthy')
				return {
					entries: [...session.entries],
					received: receivedOf(session.entries),
					is_paid: isPaid(session),
					in_doubt: inDoubtOf(session),
				};
			const { state: now, entries, received } = deps.invoices.balanceOf(paymentKey(payment));
			return { entries, received, is_paid: now === 'paid' || now === 'paid_twice', in_doubt: session ? inDoubtOf(session) : rupiah(0) };
		},
		closeUnattended() {
			newestWish += 1;
			handle({ kind: 'close' });
		},
		onScreenGone: page.onGone,
		onDrawn: page.onDrawn,
		payingScreen: page.session,
		onInvoiceChanged(payment, balance) {
			const { session } = state;
			if (!session || session.closing || !samePayment(session.payment, payment)) return;
			if (balance.state === 'dispute') return handle({ kind: 'close' });
			const changed = session.payment.total !== payment.total || receivedOf(session.entries) !== balance.received;
			if (session.payment.total !== payment.total)
				log.event('invoice.total_changed', { ...aboutPayment(payment), before: session.payment.total, total: payment.total });
			if (changed || (isPaid(session) && balance.due > 0)) reopen(payment, balance);
		},
		checkJournal,
		markPaid: (key) => handle({ kind: 'paid_by_back_office', key }),
		settleNote(note, decision) {
			const { note_id, payment_id, time } = note;
			const written = journal.append({ kind: 'cash_settled', note_id, ...decision });
			if (!written.ok) return written;
			const nominal = decision.nominal ?? note.nominal ?? rupiah(0);
			log.event('cash.note_settled', { note_id, nominal, invoice: note.noinvoice, outcome: decision.outcome });
			handle({ kind: 'settled', note_id, payment_id, nominal, entry: decision.outcome === 'in_box' ? { note_id, nominal, time } : null });
			return written;
		},
		isPaying: (payment) => state.session !== null && samePayment(state.session.payment, payment),
		holdForSettings: (unconfirmed) => handle({ kind: 'settings', unconfirmed }),
		onBackOfficeUnreachable: () => orAfterAnswer({ kind: 'back_office_unreachable' }),
		shownState: () => shownStateOf(state, policy),
		greeting: () => [machineText(shownStateOf(state, policy)), ...sessionMessages(state.session)],
		unlock(why) {
			run({ kind: 'write', record: { kind: 'acceptor_lock', lock_id: deps.newId(), locked: false, why } });
			driver?.send('unlock');
		},
		async leave() {
			leaving = true;
			newestWish += 1;
			handle({ kind: 'close' });
			while (state.note) await new Promise<void>((resolve) => void clock.after(IDLE_CHECK_MS, resolve));
		},
		isOpen: () => state.session !== null,
		stop() {
			cancelCheck();
			cancelPaidWait();
			cancelSuspect();
			page.close();
			driver?.stop();
		},
	};
}

const BEHIND: JournalError = { code: 'journal_unhealthy', message: 'an earlier record waits to be written' };

const OBSERVATIONS: ReadonlySet<JournalRecord['kind']> = new Set([
	'cash_unexplained',
	'cash_evidence',
	'acceptor_lock',
	'acceptor_rush',
	'cashbox_removed',
	'cashbox_returned',
]);
/**
 * An observation that no device repeats. All other records can be derived from the intent on disk.
 */
const isObservation = ({ kind }: JournalRecord): boolean => OBSERVATIONS.has(kind);

/** A screen that reloads during a payment gets every note again; their ids make that harmless. */
function sessionMessages(session: Session | null): LiveText[] {
	if (!session) return [];
	const { id, odoo_id } = session.payment;
	const notes = session.entries.flatMap((entry): LiveText[] =>
		entry.note_id === null
			? []
			: [{ type: 'payment_cash_notification', id, odoo_id, note_id: entry.note_id, nominal: entry.nominal, time: entry.time }],
	);
	return isPaid(session) ? [...notes, { type: 'payment_notification', id, is_paid: true }] : notes;
}
