import { rupiah } from '@kiosk/contract/money';
import { sameId } from '@kiosk/contract/same-id';
import type { AcceptorDriver } from '../acceptor/driver.ts';
import { fail, type Result } from '../base/result.ts';
import type { CashNote } from '../journal/cash-book.ts';
import { type JournalRecord, type Payment, paymentKey, sameInvoice } from '../journal/records.ts';
import { isClosed, type JournalError, logTrouble } from '../journal/trouble.ts';
import { BlindStart } from './cash-blind-start.ts';
import type { CashDeskDeps } from './cash-deps.ts';
import { FreshAnswer } from './cash-fresh-answer.ts';
import { cashStep } from './cash-machine.ts';
import { CashPage } from './cash-page.ts';
import { RECENT_MS, restoreCashState } from './cash-restart.ts';
import type { CashEffect, CashEvent, CashState, Session } from './cash-state.ts';

/**
 * How long the kiosk waits for the back office to report a covered invoice as paid. After this
 * time, the kiosk itself declares the invoice paid. The outbox still sends the notes.
 */
const PAID_WAIT_MS = 5_000;

/** A staff decision about a note in doubt, with the name of the person and the reason. */
export type NoteDecision = Omit<Extract<JournalRecord, { kind: 'cash_settled' }>, 'kind' | 'note_id'>;

/**
 * Holds the state of the cash session's state machine, and runs its effects on journal, devices and
 * screen.
 */
export class CashRunner {
	readonly deps: CashDeskDeps;
	readonly page: CashPage;
	readonly freshAnswer: FreshAnswer;
	readonly driver: AcceptorDriver | null;
	/**
	 * Records of observations, and the credit of a stacked note, that wait for the journal, oldest
	 * first.
	 */
	unwritten: readonly JournalRecord[] = [];
	/** Staff decisions whose write failed; their records may nevertheless be on disk. */
	#unsureDecisions: { note: CashNote; decision: NoteDecision }[] = [];
	/** The reason that staff gave for an unlocking whose write failed. */
	#unsureUnlock: string | null = null;
	/**
	 * The acceptor's reports about its cashbox, while the journal has been unreadable since the
	 * start; otherwise null.
	 */
	blindStart: BlindStart | null;
	state: CashState;
	/** Number of the newest request to open. Closing increases it to cancel the request. */
	newestWish = 0;
	/** Whether the daemon is stopping. If so, no session begins. */
	leaving = false;
	/** Number of steps whose effects are running. */
	#running = 0;
	/**
	 * The driver's reports that arrived while effects were running. They are handled after these
	 * effects.
	 */
	readonly #reports: CashEvent[] = [];
	#waiting: ((session: Session) => void)[] = [];
	#cancelPaidWait = () => {};
	#cancelSuspect = () => {};

	constructor(deps: CashDeskDeps) {
		this.deps = deps;
		this.blindStart = isClosed(deps.journal.trouble()) ? new BlindStart() : null;
		const { state, suspectMs } = restoreCashState(deps);
		this.state = state;
		this.page = new CashPage({
			clock: deps.clock,
			frozenMs: deps.frozenMs,
			isIdReused(payment) {
				const current = deps.invoices.current()?.payment;
				return current !== undefined && sameId(current.id, payment.id) && !sameInvoice(current, payment);
			},
			onShown: (shown) => this.handle({ kind: 'picture', frozen: !shown }),
			onLeft: () => this.handle({ kind: 'close' }),
		});
		this.freshAnswer = new FreshAnswer(
			(payment) => deps.invoices.refresh(payment),
			(event) => this.handle(event),
		);
		if (state.suspect !== null) this.#watchSuspect(state.suspect, suspectMs);
		this.driver =
			deps.startDriver?.((report) => {
				const event: CashEvent = { kind: 'acceptor', report, note_id: deps.newId(), time: deps.timestamp(deps.clock.wall()) };
				if (this.#running > 0) this.#reports.push(event);
				else this.handle(event);
			}) ?? null;
	}

	handle(event: CashEvent): void {
		if (event.kind === 'acceptor') this.blindStart?.onReport(event.report, event.time);
		const before = this.state.suspect;
		const step = cashStep(this.state, event, this.deps.policy);
		this.state = step.state;
		const { suspect } = step.state;
		if (suspect !== null && suspect !== before) this.#watchSuspect(suspect, RECENT_MS);
		this.#running += 1;
		try {
			for (const effect of step.effects) this.#run(effect);
		} finally {
			this.#running -= 1;
		}
		const report = this.#running === 0 ? this.#reports.shift() : undefined;
		if (report) this.handle(report);
	}

	/** Writes a record and gives the outcome to the state machine. */
	write(record: JournalRecord): void {
		const { journal, log } = this.deps;
		if (record.kind === 'cashbox_removed') this.blindStart?.onRemoval(record.removal_id);
		const kept = isObservation(record) ? record : record.kind === 'cash_credit' ? { ...record, late: true } : null;
		// These records are written in order: the removal of a cashbox comes before its return, and the
		// credit of a note belongs to the cashbox that was in place.
		this.writeWaiting();
		const isBehind = kept !== null && (this.unwritten.length > 0 || this.#isEarly(record));
		if (!isBehind && this.#isOver(record)) return this.#drop(record);
		const written = isBehind ? fail(BEHIND) : journal.append(record);
		if (written.ok) return this.handle({ kind: 'written', record });
		logTrouble(log, written.error);
		if (kept !== null) this.unwritten = [...this.unwritten, kept];
		this.handle({ kind: 'not_written', record, error: written.error });
	}

	/**
	 * Writes the waiting records, oldest first, until one cannot be written.
	 * @returns whether no record waits any more
	 */
	writeWaiting(): boolean {
		const { journal } = this.deps;
		// The journal may already contain a waiting removal (`readHidden`).
		if (this.blindStart !== null) return this.unwritten.length === 0;
		for (let [first] = this.unwritten; first; [first] = this.unwritten) {
			const record = first;
			const isOnDisk = journal.has(record);
			if (!isOnDisk && this.#isEarly(record)) return false;
			const isOver = !isOnDisk && this.#isOver(record);
			if (!isOnDisk && !isOver && !journal.append(record).ok) return false;
			this.unwritten = this.unwritten.filter((one) => one !== record);
			if (isOver) this.#drop(record);
			else this.handle({ kind: 'written', record });
		}
		return true;
	}

	/**
	 * A late credit or evidence needs a note in doubt. If the record of the doubt is missing, it is
	 * written first.
	 * @returns whether the doubt of the note still cannot be written
	 */
	#isEarly(record: JournalRecord): boolean {
		const { journal } = this.deps;
		if (!isAboutDoubt(record) || this.#stateOf(record.note_id) !== 'intended') return false;
		journal.doubtOpenIntents(this.state.note?.note_id ?? null);
		return this.#stateOf(record.note_id) === 'intended';
	}

	/** Whether staff have settled the note of this late credit or evidence meanwhile. */
	#isOver(record: JournalRecord): boolean {
		if (!isAboutDoubt(record)) return false;
		const state = this.#stateOf(record.note_id);
		return state === 'credited' || state === 'returned';
	}

	#stateOf = (note_id: string): CashNote['state'] | undefined => this.deps.journal.cashbox.find(note_id)[0]?.state;

	#drop(record: JournalRecord): void {
		if (isAboutDoubt(record)) this.deps.log.event('cash.report_dropped', { note_id: record.note_id, record: record.kind });
	}

	/** Writes a staff decision about a note in doubt. @returns the error if it was not written */
	settle(note: CashNote, decision: NoteDecision): Result<void, JournalError> {
		const written = this.deps.journal.append(settledRecord(note.note_id, decision));
		if (!written.ok) {
			this.#unsureDecisions.push({ note, decision });
			return written;
		}
		this.#unsureDecisions = this.#unsureDecisions.filter((unsure) => unsure.note.note_id !== note.note_id);
		this.#onSettled(note, decision);
		return written;
	}

	/**
	 * Records that the acceptor is unlocked, then unlocks it.
	 * @returns the error if the unlocking was not recorded
	 */
	unlock(why: string): Result<void, JournalError> {
		const { journal, newId } = this.deps;
		// The record of the lock comes before the record of its end.
		if (!this.writeWaiting()) return fail(BEHIND);
		const written = journal.append({ kind: 'acceptor_lock', lock_id: newId(), locked: false, why });
		if (written.ok) this.#onUnlocked(why);
		else this.#unsureUnlock = why;
		return written;
	}

	#onUnlocked(why: string): void {
		this.#unsureUnlock = null;
		this.deps.log.event('acceptor.unlocked', { why });
		this.driver?.send('unlock');
	}

	/**
	 * Called when the journal has reopened: applies staff decisions and an unlocking whose write
	 * failed, if their records are on disk nevertheless. Forgets the others.
	 */
	hearKeptDecisions(): void {
		const { journal } = this.deps;
		const why = this.#unsureUnlock;
		this.#unsureUnlock = null;
		// If a note was pulled back later, the acceptor stays locked, even if the record of the new
		// lock still waits.
		if (why !== null && this.unwritten.length === 0 && journal.acceptorLock() === null) this.#onUnlocked(why);
		const kept = this.#unsureDecisions
			.splice(0)
			.filter(({ note: { note_id }, decision }) => journal.hasWritten(settledRecord(note_id, decision)));
		// The same decision may have been tried more than once.
		for (const { note, decision } of new Map(kept.map((one) => [one.note.note_id, one])).values()) this.#onSettled(note, decision);
	}

	#onSettled(note: CashNote, decision: NoteDecision): void {
		const { note_id, payment_id, time } = note;
		const nominal = decision.nominal ?? note.nominal ?? rupiah(0);
		this.deps.log.event('cash.note_settled', { note_id, nominal, invoice: note.noinvoice, outcome: decision.outcome });
		const entry = decision.outcome === 'in_box' ? { note_id, nominal, time } : null;
		this.handle({ kind: 'settled', note_id, payment_id, nominal, entry });
	}

	/**
	 * Closes the open session. @returns the session, as soon as it and any note in flight have ended;
	 * null if no session is open
	 */
	closeSession(): Promise<Session> | null {
		if (!this.state.session) return null;
		return new Promise((answer) => {
			this.#waiting.push(answer);
			this.handle({ kind: 'close' });
		});
	}

	stop(): void {
		this.#cancelPaidWait();
		this.#cancelSuspect();
		this.page.close();
		this.driver?.stop();
	}

	#run(effect: CashEffect): void {
		switch (effect.kind) {
			case 'write':
				return this.write(effect.record);
			case 'acceptor':
				return this.driver?.send(effect.command);
			case 'tell':
				return this.deps.notify(effect.text, effect.about);
			case 'upload':
				return this.deps.uploadNow();
			case 'wait_for_paid':
				return this.#waitForPaid(effect.payment);
			case 'closed':
				return this.#endSession(effect.session);
			case 'log':
				return this.deps.log.event(effect.id, effect.fields);
			default:
				return effect satisfies never;
		}
	}

	#waitForPaid(payment: Payment): void {
		this.#cancelPaidWait();
		this.#cancelPaidWait = this.deps.clock.after(PAID_WAIT_MS, () =>
			this.freshAnswer.handleAfter({ kind: 'paid_wait_over', key: paymentKey(payment) }),
		);
		this.freshAnswer.ask(payment);
	}

	#endSession(session: Session): void {
		this.page.close();
		this.freshAnswer.forget();
		const waiting = this.#waiting;
		this.#waiting = [];
		for (const answer of waiting) answer(session);
		this.deps.onClosed(session);
	}

	#watchSuspect(note_id: string, ms: number): void {
		this.#cancelSuspect();
		this.#cancelSuspect = this.deps.clock.after(ms, () => this.handle({ kind: 'suspect_over', note_id }));
	}
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
 * Whether this record is an observation. No device repeats it, so an unwritten observation is kept
 * for a retry.
 */
export const isObservation = ({ kind }: JournalRecord): boolean => OBSERVATIONS.has(kind);

/** Whether this record needs a note in doubt. */
const isAboutDoubt = (record: JournalRecord): record is Extract<JournalRecord, { kind: 'cash_credit' | 'cash_evidence' }> =>
	record.kind === 'cash_evidence' || (record.kind === 'cash_credit' && record.late);

const settledRecord = (note_id: string, decision: NoteDecision): JournalRecord => ({ kind: 'cash_settled', note_id, ...decision });
