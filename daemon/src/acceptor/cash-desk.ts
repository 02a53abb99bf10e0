import { type Id, type ReceivedPayment, sameId } from '../../contract/back-office.ts';
import type { CashCloseAnswer, CashEntry, OpenMachineAnswer, OpenMachineRequest } from '../../contract/kiosk-api.ts';
import type { AcceptorState, LiveText } from '../../contract/live.ts';
import { rupiah } from '../../contract/money.ts';
import type { Clock } from '../clock.ts';
import type { CashNote } from '../journal/cash-book.ts';
import type { Journal, JournalError } from '../journal/journal.ts';
import type { JournalRecord } from '../journal/records.ts';
import type { Log } from '../log/log.ts';
import type { Result } from '../result.ts';
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
import { receivedEntries } from './received.ts';

/** How long the back office may take to say "paid" once enough is in; then the kiosk says it and the outbox keeps the proof. */
const PAID_WAIT_MS = 5_000;
/** How often disk space is looked at, and a broken journal is opened again. */
const JOURNAL_CHECK_MS = 5_000;
/** How often a daemon that was asked to stop looks whether the note in flight has settled. */
const IDLE_CHECK_MS = 50;
/** A note in doubt that is younger than this may still be on its way into the cashbox: units take up to 15 s to say so. */
const RECENT_MS = 20_000;

/** Around the pure session: runs its effects on journal, acceptor, screen and outbox. */
export interface CashDesk {
	/**
	 * Opens the machine for an invoice; a session of another invoice, or one that is closing, ends first, its note in flight awaited.
	 * @returns null when the invoice is being paid in another way
	 */
	open(request: OpenMachineRequest, listed: readonly ReceivedPayment[]): Promise<OpenMachineAnswer | 'leaving' | null>;
	/** Closes the session of this invoice; answers when no note is in flight any more. */
	close(id: Id): Promise<CashCloseAnswer>;
	/** Nobody looks at the screen: no further note is taken. */
	closeUnattended(): void;
	/** The screen has shown a frame; an open session that had stopped for want of one takes notes again. */
	drawn(): void;
	/** What this kiosk took for the invoice, oldest first, whoever knows of it. */
	credited(id: Id): CashEntry[];
	paidByBackOffice(id: Id): void;
	backOfficeUnreachable(): void;
	/**
	 * A person decided about a note that is in doubt; one that is not is refused by the ledger, as a bug.
	 * @returns an error when it could not be written; then nothing has changed
	 */
	settle(note: CashNote, decision: NoteDecision): Result<void, JournalError>;
	/** Changed settings wait for a person's confirmation, or wait no longer; meanwhile no note is taken. */
	settingsUnconfirmed(unconfirmed: boolean): void;
	/** Whether a customer pays this invoice in cash just now. */
	isPaying(id: Id): boolean;
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
	held: (id: Id) => boolean;
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
	};
	let waiting: ((session: Session) => void)[] = [];
	let leaving = false;
	let cancelPaidWait = () => {};
	/** What was seen while the journal could not be written. */
	const unwritten: JournalRecord[] = [];
	/** What the back office had received for the open session's invoice when it was looked up. */
	let listed: readonly ReceivedPayment[] = [];

	/** When the screen last showed a frame, monotonic ms; null before it ever said so. */
	let drawnAt: number | null = null;
	let cancelWatch = () => {};
	/** Looks again when the picture would be too old. @param since the last frame, or the beginning of the session before the first one */
	function watchPicture(since: number): void {
		cancelWatch();
		const left = since + parts.frozenMs - clock.now();
		if (left <= 0) return handle({ kind: 'picture', frozen: true });
		cancelWatch = clock.after(left, () => watchPicture(drawnAt ?? since));
	}

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
				const written = journal.append(effect.record);
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
				cancelPaidWait = clock.after(PAID_WAIT_MS, () => handle({ kind: 'paid_wait_over', id: effect.id }));
				return;
			case 'closed': {
				cancelWatch();
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

	/** A session that was opened while the journal could not be read does not know what had been paid before. */
	function readAgain({ payment }: Session): void {
		// A credit that the disk kept although it said no becomes known with the journal's health.
		const own = ownEntries(payment.id).filter((entry) => entry.note_id !== state.doubtful?.note_id);
		handle({ kind: 'open', payment, entries: receivedEntries(listed, own), paid: journal.paidBy(payment.id) });
		for (const text of sessionMessages(state.session)) parts.tell(text);
	}

	const ownEntries = (id: Id): CashEntry[] =>
		journal
			.notesOf(id)
			.flatMap((note) =>
				note.state === 'credited' && note.nominal !== null ? [{ note_id: note.note_id, nominal: note.nominal, time: note.time }] : [],
			);

	function closeSession(): Promise<Session> | null {
		if (!state.session) return null;
		return new Promise((answer) => {
			waiting.push(answer);
			handle({ kind: 'close' });
		});
	}

	return {
		async open(request, received) {
			if (state.session && (state.session.closing || !sameId(state.session.payment.id, request.id))) await closeSession();
			checkJournal();
			if (leaving) return 'leaving';
			if (parts.held(request.id)) return null;
			listed = received;
			const payment = { id: request.id, odoo_id: request.odoo_id ?? null, noinvoice: request.noinvoice ?? '', total: request.total };
			const entries = receivedEntries(listed, ownEntries(request.id));
			const since = drawnAt ?? clock.now();
			handle({ kind: 'open', payment, entries, paid: journal.paidBy(request.id), frozen: clock.now() - since >= parts.frozenMs });
			watchPicture(since);
			// A fault that only a restart clears is worth one; the driver refuses while a note may be on its way.
			if (state.acceptor === 'bill_jam' || state.acceptor === 'motor_failure' || state.acceptor === 'sensor_problem') driver?.send('reset');
			const shown = shownState(state, policy);
			const session = state.session;
			return {
				machine_ready: shown === 'ready',
				message: machineReady(shown).ict_text,
				entries,
				is_paid: session !== null && isPaid(session),
			};
		},
		async close(id) {
			const session = state.session && sameId(state.session.payment.id, id) ? await closeSession() : null;
			const entries = session?.entries ?? ownEntries(id);
			const is_paid = session ? isPaid(session) || session.paid === 'covered' : journal.paidBy(id) !== null;
			return { entries: [...entries], received: receivedOf(entries), is_paid, in_doubt: session ? inDoubtOf(session) : rupiah(0) };
		},
		closeUnattended: () => handle({ kind: 'close' }),
		drawn() {
			drawnAt = clock.now();
			if (!state.session?.frozen) return;
			handle({ kind: 'picture', frozen: false });
			watchPicture(drawnAt);
		},
		credited: ownEntries,
		paidByBackOffice(id) {
			handle({ kind: 'paid_by_back_office', id });
			// Begun here and paid elsewhere: nobody has to look after it any more.
			const partial = state.session && sameId(state.session.payment.id, id) ? null : journal.cashbox.partialOf(id);
			if (partial) journal.append({ kind: 'invoice_paid', payment: partial.payment, by: 'back_office' });
		},
		settle(note, decision) {
			const { note_id, payment_id, time } = note;
			const written = journal.append({ kind: 'cash_settled', note_id, ...decision });
			if (!written.ok) return written;
			const nominal = decision.nominal ?? note.nominal ?? rupiah(0);
			log.event('cash.note_settled', { note_id, nominal, invoice: note.noinvoice, outcome: decision.outcome });
			handle({ kind: 'settled', note_id, payment_id, nominal, entry: decision.outcome === 'in_box' ? { note_id, nominal, time } : null });
			return written;
		},
		isPaying: (id) => state.session !== null && sameId(state.session.payment.id, id),
		settingsUnconfirmed: (unconfirmed) => handle({ kind: 'settings', unconfirmed }),
		backOfficeUnreachable: () => handle({ kind: 'back_office_unreachable' }),
		shown: () => shownState(state, policy),
		greeting: () => [machineReady(shownState(state, policy)), ...sessionMessages(state.session)],
		unlock(why) {
			run({ kind: 'write', record: { kind: 'acceptor_lock', lock_id: parts.newId(), locked: false, why } });
			driver?.send('unlock');
		},
		async leave() {
			leaving = true;
			handle({ kind: 'close' });
			while (state.note) await new Promise<void>((resolve) => void clock.after(IDLE_CHECK_MS, resolve));
		},
		isOpen: () => state.session !== null,
		stop() {
			cancelCheck();
			cancelPaidWait();
			cancelSuspect();
			cancelWatch();
			driver?.stop();
		},
	};
}

/** Seen once and told by nobody again; everything else follows from its intent, which is on disk. */
const isObservation = ({ kind }: JournalRecord): boolean =>
	kind === 'cash_unexplained' || kind === 'cash_evidence' || kind === 'acceptor_lock';

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
