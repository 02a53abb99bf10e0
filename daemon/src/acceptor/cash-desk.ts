import { type Id, sameId } from '../../contract/back-office.ts';
import type { CashCloseAnswer, OpenMachineAnswer } from '../../contract/kiosk-api.ts';
import type { AcceptorState, LiveText } from '../../contract/live.ts';
import { rupiah } from '../../contract/money.ts';
import type { CurrentInvoice, InvoiceDesk } from '../back-office/invoice-desk.ts';
import type { Clock } from '../clock.ts';
import type { Balance } from '../journal/balance.ts';
import type { CashNote } from '../journal/cash-book.ts';
import type { Journal, JournalError } from '../journal/journal.ts';
import { type JournalRecord, type Payment, type PaymentKey, paymentKey, samePayment } from '../journal/records.ts';
import { aboutPayment } from '../log/about-payment.ts';
import type { Log } from '../log/log.ts';
import { fail, type Result } from '../result.ts';
import { type CashPage, watchCashPage } from './cash-page.ts';
import { cashStep, machineReady, shownState } from './cash-session.ts';
import {
	type CashEffect,
	type CashEvent,
	type CashPolicy,
	type CashState,
	cashStart,
	inDoubtOf,
	isPaid,
	receivedOf,
	type Session,
} from './cash-state.ts';
import type { AcceptorDriver, AcceptorReport } from './driver.ts';

/** How long the back office may take to say "paid" once enough is in; then the kiosk says it and the outbox keeps the proof. */
const PAID_WAIT_MS = 5_000;
/** How often disk space is looked at, and a broken journal is opened again. */
const JOURNAL_CHECK_MS = 5_000;
/** How often a daemon that was asked to stop looks whether the note in flight has settled. */
const IDLE_CHECK_MS = 50;
/** A note in doubt that is younger than this may still be on its way into the cashbox: units take up to 15 s to say so. */
const RECENT_MS = 20_000;

/**
 * Why the machine was not opened. `superseded`: another wish came meanwhile. `held`: the invoice is being paid in another way.
 * `dispute`: staff must look at its money. `no_call`: the back office could not be told of notes.
 */
export type OpenRefusal = 'leaving' | 'superseded' | 'held' | 'dispute' | 'no_call';

/** Around the pure session: runs its effects on journal, acceptor, screen and outbox. */
export interface CashDesk {
	/** A wish to open begins; one that came before it, or is closed meanwhile, is void. @returns names the wish */
	announce(): number;
	/**
	 * Opens the machine for an invoice that was looked up; a session of another invoice, or one that is closing, ends first, its note in
	 * flight awaited. Notes are taken once the screen has drawn the cash page of this invoice.
	 * @param wish as announced @param session of the screen that asks
	 */
	open(wish: number, invoice: CurrentInvoice, session: string): Promise<OpenMachineAnswer | OpenRefusal>;
	/** Closes the session of this invoice; answers when no note is in flight any more. */
	close(id: Id): Promise<CashCloseAnswer>;
	/** The screen is gone or shows something else: no further note is taken. */
	closeUnattended(): void;
	/** The connection to the screen that opened the session is gone: it takes no note until that screen has drawn its page again. */
	screenGone(): void;
	/** A screen has shown a frame. Only the one that opened the session counts, and only on the cash page of its invoice. */
	drawn: CashPage['drawn'];
	/** The session of the screen for which the machine is open; null while it is closed. */
	openFor: CashPage['session'];
	/** What is known of an invoice has changed: a session that is open for it goes by the new total. */
	invoiceChanged(payment: Payment, balance: Balance): void;
	/** Looks at the journal and its disk now; screens are told what has changed. */
	checkJournal(): void;
	paidByBackOffice(key: PaymentKey): void;
	backOfficeUnreachable(): void;
	/**
	 * A person decided about a note that is in doubt; one that is not is refused by the ledger, as a bug.
	 * @returns an error when it could not be written; then nothing has changed
	 */
	settle(note: CashNote, decision: NoteDecision): Result<void, JournalError>;
	/** Changed settings wait for a person's confirmation, or wait no longer; meanwhile no note is taken. */
	settingsUnconfirmed(unconfirmed: boolean): void;
	/** Whether a customer pays this invoice in cash just now. */
	isPaying(payment: Payment): boolean;
	/** What the acceptor is doing, as the screen shows it. */
	shown(): AcceptorState;
	/** What a screen that has just connected must be told. */
	greeting(): LiveText[];
	/** Allows cash again after somebody pulled at a note. */
	unlock(why: string): void;
	/** No session begins any more, and the open one takes no further note. Resolves when no note is between escrow and its outcome. */
	leave(): Promise<void>;
	isOpen(): boolean;
	stop(): void;
}

/** What became of a note in doubt, and who says so. */
export type NoteDecision = Omit<Extract<JournalRecord, { kind: 'cash_settled' }>, 'kind' | 'note_id'>;

export interface CashDeskParts {
	journal: Journal;
	policy: CashPolicy;
	clock: Clock;
	log: Log;
	/** A fresh UUID. */
	newId: () => string;
	tell: (text: LiveText) => void;
	/** There may be something to tell the back office. */
	uploadNow: () => void;
	/** A session has ended; nobody will insert a note for it now. */
	closed: (session: Session) => void;
	/** Whether this invoice is being paid in another way, or may have been: no note is taken for it. */
	held: (payment: Payment) => boolean;
	invoices: Pick<InvoiceDesk, 'balanceOf' | 'keep' | 'current' | 'named' | 'refresh'>;
	/** Whether the back office cannot be told of notes. */
	cannotTell: () => boolean;
	/** An open session whose screen has drawn nothing for so long takes no further note, ms. */
	frozenMs: number;
	/** ISO 8601 with the site's offset */
	timestamp: (at: Date) => string;
	/** null when no acceptor is configured */
	startDriver: ((report: (report: AcceptorReport) => void) => AcceptorDriver) | null;
}

export function startCashDesk(parts: CashDeskParts): CashDesk {
	const { journal, policy, clock, log } = parts;
	// One that nobody had accepted has been heard already.
	const fresh = journal.inDoubt().findLast((note) => note.id !== null);
	const age = fresh ? clock.wall().getTime() - Date.parse(fresh.time) : 0;
	// One stacked byte is evidence about it; a second one is another note, in this run or the next.
	const explained = fresh && journal.has({ kind: 'cash_evidence', note_id: fresh.note_id, what: '' });
	// A time in the future is that of a clock that was wrong: nobody knows how old the note is.
	const recent = fresh && !explained && age >= 0 && age < RECENT_MS ? fresh.note_id : null;
	let state: CashState = {
		...cashStart(recent, journal.trouble()?.code ?? null),
		acceptor: parts.startDriver ? 'disconnected' : 'not_configured',
		boxOut: journal.cashbox.boxOut(),
	};
	let waiting: ((session: Session) => void)[] = [];
	let leaving = false;
	let cancelPaidWait = () => {};
	/** What happens once the look-up of a covered invoice has ended; null while none is under way. */
	let afterAnswer: CashEvent[] | null = null;
	/** What was seen while the journal could not be written. */
	const unwritten: JournalRecord[] = [];
	/** The newest wish to open; closing makes it void. */
	let newestWish = 0;
	const page = watchCashPage({
		clock,
		frozenMs: parts.frozenMs,
		shows: (shows) => handle({ kind: 'picture', frozen: !shows }),
		left: () => handle({ kind: 'close' }),
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
				// What was seen stays in its order: a cashbox that is back comes after the one that was taken out.
				const written = isObservation(effect.record) && unwritten.length > 0 ? fail(BEHIND) : journal.append(effect.record);
				if (written.ok) return handle({ kind: 'written', record: effect.record });
				log.event('journal.unhealthy', { code: written.error.code, message: written.error.message });
				if (isObservation(effect.record)) unwritten.push(effect.record);
				return handle({ kind: 'not_written', record: effect.record, error: written.error });
			}
			case 'acceptor':
				return driver?.send(effect.command);
			case 'tell':
				return parts.tell(effect.text);
			case 'upload':
				return parts.uploadNow();
			case 'wait_for_paid':
				cancelPaidWait();
				cancelPaidWait = clock.after(PAID_WAIT_MS, () => orAfterAnswer({ kind: 'paid_wait_over', key: paymentKey(effect.payment) }));
				askAgain(effect.payment);
				return;
			case 'closed': {
				page.close();
				const told = waiting;
				waiting = [];
				for (const answer of told) answer(effect.session);
				return parts.closed(effect.session);
			}
			case 'log':
				return log.event(effect.id, effect.fields);
			default:
				return effect satisfies never;
		}
	}

	const driver =
		parts.startDriver?.((report) => handle({ kind: 'acceptor', report, note_id: parts.newId(), time: parts.timestamp(clock.wall()) })) ??
		null;

	let cancelCheck = clock.after(JOURNAL_CHECK_MS, checkOften);
	function checkOften(): void {
		cancelCheck = clock.after(JOURNAL_CHECK_MS, checkOften);
		checkJournal();
		// A bit that flips in an old record is found while nobody waits.
		if (!state.session && !state.note) journal.patrol();
	}

	function checkJournal(): void {
		let trouble = journal.trouble();
		// A note in flight has its intent on disk; opening the file under it would declare it in doubt.
		const reopened = trouble?.code === 'journal_unhealthy' && !state.note;
		if (reopened) trouble = journal.reopen() ?? journal.trouble();
		// One that was closed by somebody else's write and is open again has had its effects here all the same.
		if ((trouble?.code ?? null) === state.trouble && (trouble || !reopened)) return;
		if (trouble) log.event('journal.unhealthy', { code: trouble.code, message: trouble.message });
		else {
			// An outcome that could not be written in between leaves its intent open.
			journal.doubtOpenIntents(state.note?.note_id ?? null);
			for (const record of unwritten.splice(0)) if (!journal.has(record)) run({ kind: 'write', record });
			log.event('journal.healthy', {});
			// While it was closed there seemed to be nothing to send.
			parts.uploadNow();
		}
		const { doubtful } = state;
		const kept = doubtful !== null && journal.has({ kind: 'cash_credit', note_id: doubtful.note_id, late: true });
		// Before the machine is enabled again.
		if (!trouble && state.session && !state.session.closing) readAgain(state.session);
		handle({ kind: 'journal', trouble: trouble?.code ?? null, kept });
	}

	/** Enough is in for the total as it was looked up; it may have changed since, so what says "paid" waits for the answer. */
	function askAgain(payment: Payment): void {
		const current = parts.invoices.current();
		if (!current || !samePayment(current.payment, payment)) return;
		const mine: CashEvent[] = [];
		afterAnswer = mine;
		void parts.invoices.refresh(payment).then(() => {
			if (afterAnswer !== mine) return;
			afterAnswer = null;
			for (const event of mine) handle(event);
		});
	}

	/** Without the back office's word enough is in only for the total that was known; while it is being asked, that waits. */
	function orAfterAnswer(event: CashEvent): void {
		if (afterAnswer) afterAnswer.push(event);
		else handle(event);
	}

	/** A session that was opened while the journal could not be read does not know what had been paid before. */
	function readAgain({ payment }: Session): void {
		const balance = parts.invoices.balanceOf(paymentKey(payment));
		// A credit that the disk kept although it said no becomes known with the journal's health.
		const entries = balance.entries.filter((entry) => entry.note_id === null || entry.note_id !== state.doubtful?.note_id);
		reopen(payment, { ...balance, entries });
	}

	/** The same session by what is known now. */
	function reopen(payment: Payment, balance: Balance): void {
		handle({ kind: 'open', payment, entries: balance.entries, paid: paidBy(payment, balance), paid_id: parts.newId() });
		for (const text of sessionMessages(state.session)) parts.tell(text);
	}

	/** @returns by whose word this invoice is paid at its present total; null while the notes alone may cover it */
	function paidBy(payment: Payment, balance: Balance): 'back_office' | 'kiosk' | null {
		if (balance.state !== 'paid' && balance.state !== 'paid_twice') return null;
		const current = parts.invoices.current();
		const view = current && samePayment(current.payment, payment) ? current.view : journal.money.viewOf(paymentKey(payment));
		return view?.is_paid ? 'back_office' : journal.money.toldPaid(paymentKey(payment));
	}

	const isOf = (session: Session | null, id: Id): session is Session => session !== null && sameId(session.payment.id, id);

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
			if (parts.held(payment)) return 'held';
			const balance = parts.invoices.balanceOf(paymentKey(payment));
			if (balance.state === 'dispute') return 'dispute';
			if (balance.due > 0 && parts.cannotTell()) return 'no_call';
			const kept = parts.invoices.keep(invoice);
			if (!kept.ok) log.event('journal.unhealthy', { code: kept.error.code, message: kept.error.message });
			const { entries } = balance;
			const frozen = !page.open(session, payment);
			handle({ kind: 'open', payment, entries, paid: paidBy(payment, balance), frozen, paid_id: parts.newId() });
			if (!kept.ok) checkJournal();
			// A fault that only a restart clears is worth one; the driver refuses while a note may be on its way.
			if (state.acceptor === 'bill_jam' || state.acceptor === 'motor_failure' || state.acceptor === 'sensor_problem') driver?.send('reset');
			const shown = shownState(state, policy);
			return {
				machine_ready: shown === 'ready',
				message: machineReady(shown).ict_text,
				entries,
				is_paid: state.session !== null && isPaid(state.session),
			};
		},
		async close(id) {
			newestWish += 1;
			const session = isOf(state.session, id) ? await closeSession() : null;
			const payment = session?.payment ?? parts.invoices.named(id);
			if (!payment) return { entries: [], received: rupiah(0), is_paid: false, in_doubt: rupiah(0) };
			// A journal that cannot be read looks empty; what the customer has seen counted is still known.
			if (session && journal.trouble()?.code === 'journal_unhealthy')
				return {
					entries: [...session.entries],
					received: receivedOf(session.entries),
					is_paid: isPaid(session),
					in_doubt: inDoubtOf(session),
				};
			const { state: now, entries, received } = parts.invoices.balanceOf(paymentKey(payment));
			return { entries, received, is_paid: now === 'paid' || now === 'paid_twice', in_doubt: session ? inDoubtOf(session) : rupiah(0) };
		},
		closeUnattended() {
			newestWish += 1;
			handle({ kind: 'close' });
		},
		screenGone: page.gone,
		drawn: page.drawn,
		openFor: page.session,
		invoiceChanged(payment, balance) {
			const { session } = state;
			if (!session || session.closing || !samePayment(session.payment, payment)) return;
			if (balance.state === 'dispute') return handle({ kind: 'close' });
			const changed = session.payment.total !== payment.total || receivedOf(session.entries) !== balance.received;
			if (session.payment.total !== payment.total)
				log.event('invoice.total_changed', { ...aboutPayment(payment), before: session.payment.total, total: payment.total });
			if (changed || (isPaid(session) && balance.due > 0)) reopen(payment, balance);
		},
		checkJournal,
		paidByBackOffice: (key) => handle({ kind: 'paid_by_back_office', key }),
		settle(note, decision) {
			const { note_id, payment_id, time } = note;
			const written = journal.append({ kind: 'cash_settled', note_id, ...decision });
			if (!written.ok) return written;
			const nominal = decision.nominal ?? note.nominal ?? rupiah(0);
			log.event('cash.note_settled', { note_id, nominal, invoice: note.noinvoice, outcome: decision.outcome });
			handle({ kind: 'settled', note_id, payment_id, nominal, entry: decision.outcome === 'in_box' ? { note_id, nominal, time } : null });
			return written;
		},
		isPaying: (payment) => state.session !== null && samePayment(state.session.payment, payment),
		settingsUnconfirmed: (unconfirmed) => handle({ kind: 'settings', unconfirmed }),
		backOfficeUnreachable: () => orAfterAnswer({ kind: 'back_office_unreachable' }),
		shown: () => shownState(state, policy),
		greeting: () => [machineReady(shownState(state, policy)), ...sessionMessages(state.session)],
		unlock(why) {
			run({ kind: 'write', record: { kind: 'acceptor_lock', lock_id: parts.newId(), locked: false, why } });
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
/** Seen once and told by nobody again; everything else follows from its intent, which is on disk. */
const isObservation = ({ kind }: JournalRecord): boolean => OBSERVATIONS.has(kind);

/** A screen that reloads in the middle of a payment gets every note again; their ids make that harmless. */
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
