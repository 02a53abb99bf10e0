import * as v from 'valibot';
import type { Clock } from '../base/clock.ts';
import { fail, messageOf, ok, type Result } from '../base/result.ts';
import type { Anchor } from './anchors.ts';
import type { Attention } from './attention.ts';
import { type CardBook, cardBook } from './card-book.ts';
import { type CashBook, cashBook, OPEN_NOTES } from './cash-book.ts';
import { figuresSince } from './figures-since.ts';
import { assertWritable, WRITES } from './format.ts';
import { findInterrupted, keyOfInterrupted } from './interrupted-restart.ts';
import { JournalFile, type JournalSettings, type OpenStore } from './journal-file.ts';
import { type MoneyBook, moneyBook } from './money-book.ts';
import { type NameBook, nameBook } from './name-book.ts';
import { beginNewJournal, type Reseal, type Restart, type SetAside } from './new-journal.ts';
import { type NoteBook, noteBook } from './note-book.ts';
import { wrongApproval, wrongNote } from './open-items-check.ts';
import { Patrol } from './patrol.ts';
import { type PrintBook, printBook } from './print-book.ts';
import { type ProvedNames, readProvedNames } from './proved-names.ts';
import { type RecentPayment, recentPayments } from './recent-payments.ts';
import { type JournalRecord, subjectOf } from './records.ts';
import type { Store } from './store.ts';
import type { JournalError } from './trouble.ts';
import { type WaitingMoney, waitingMoney } from './waiting-money.ts';

/** The journal as the rest of the daemon uses it: appends records and answers queries. */
export interface Journal extends NoteBook, PrintBook {
	/**
	 * Writes a record. If the result is ok, the record is durable. A failed write may close the
	 * journal; `trouble` reports this until `reopen` succeeds.
	 */
	append(record: JournalRecord): Result<void, JournalError>;
	/** Why no payment may begin; null if payments may begin. */
	trouble(): JournalError | null;
	/**
	 * Opens the file again; intents without an outcome become notes in doubt.
	 * @returns why the file cannot be used; null: it is open
	 */
	reopen(): JournalError | null;
	/**
	 * Number of the newest record when this run first opened the journal: all records up to it come
	 * from earlier runs. 0 if this run has not opened the journal yet.
	 */
	openedAt(): number;
	/** Whether every record has been verified in this run. */
	isVerified(): boolean;
	/**
	 * Verifies the next batch of records; repeated calls verify all records in a cycle. `trouble`
	 * reports any damage found.
	 */
	patrol(): void;
	/** For `restart`: reads the staff names that can still be verified in an unusable journal. */
	provedNames(): Promise<ProvedNames>;
	/**
	 * Sets an unusable journal aside and begins a new journal. The first record names the old journal
	 * and the decision; records of the staff names and the acceptor lock follow. Data read from the
	 * old journal become invalid, so the caller must end the process.
	 * @param lock why the acceptor is locked now, even if no record says so; null: it is not locked
	 */
	restart(decision: Restart, names: ProvedNames, lock: string | null): Result<SetAside, JournalError>;
	/**
	 * Verifies the whole journal whose key is lost, records the decision, then stores a new key. An
	 * earlier rewrite can no longer be detected, so staff must decide. Until the key is stored, the
	 * journal stays refused. Thus after a failure or a power cut the journal is not accepted without
	 * a record of the decision, and staff can decide again.
	 * @param reseal_id a fresh UUID
	 */
	reseal(decision: Reseal & { reseal_id: string }): Result<void, JournalError>;
	/** Records every note without an outcome as in doubt, except the note in flight. */
	doubtOpenIntents(inFlight: string | null): void;
	/** Whether the journal has a record of this kind about the same subject. */
	has(record: JournalRecord): boolean;
	/**
	 * Whether the journal has exactly this record. A write that reported a failure may have stored it
	 * nevertheless.
	 */
	hasWritten(record: JournalRecord): boolean;
	/** The unsent money of each account that has any. */
	waitingMoney(): WaitingMoney[];
	cards: CardBook;
	money: MoneyBook;
	names: NameBook;
	/**
	 * Adds a listener. It is called when the balance of an invoice is computed after a record and the
	 * invoice is in `paid_twice` or `dispute`, even if it was in this state before.
	 */
	onAttention(listener: (listed: Attention) => void): void;
	cashbox: CashBook;
	/** @param most maximum number of payments @returns the newest payments, newest first */
	recentPayments(most: number): RecentPayment[];
	/**
	 * The decision with which this journal began; null: it replaces no other journal. `newest`:
	 * number of the newest record of the previous journal; 0: unknown. `folder`: folder of the
	 * previous journal.
	 */
	begun(): { restart_id: string; time: string; newest: number; folder: string } | null;
	/**
	 * Number and hash of the newest record, to be kept outside the kiosk; number 0 in an empty
	 * journal.
	 */
	newest(): Anchor;
	/**
	 * Counts notes, card sales and paid invoices from one time of the wall clock until another, ms.
	 */
	figuresSince: ReturnType<typeof figuresSince>;
	/** Why the acceptor is locked; null: it is not locked. */
	acceptorLock(): string | null;
	close(): void;
}

const BegunRow = v.object({ restart_id: v.string(), time: v.string(), newest: v.number(), folder: v.string() });
const BEGUN = `SELECT subject AS restart_id, body ->> 'time' AS time, body ->> '$.before.seq' AS newest, body ->> '$.before.folder' AS folder FROM records
	WHERE seq = 1 AND kind = 'journal_restarted'`;

/**
 * Opens the journal. If the file cannot be opened, the daemon still runs, and the journal reports
 * the trouble.
 */
export function openJournal(settings: JournalSettings, clock: Clock, open: OpenStore, freeBytes?: (directory: string) => number): Journal {
	const file = new JournalFile(settings, clock, open, freeBytes);
	const patrol = new Patrol(file);
	const { rows } = file;
	const money = moneyBook(rows);
	const notes = noteBook(rows);
	const cards = cardBook(rows);
	const listeners: ((listed: Attention) => void)[] = [];
	let openedAt: number | null = null;

	function append(record: JournalRecord): Result<void, JournalError> {
		const written = file.append(record);
		if (!written.ok) return written;
		for (const listed of money.attentionSince(written.value)) for (const listener of listeners) listener(listed);
		return ok(undefined);
	}

	function doubtOpenIntents(inFlight: string | null): void {
		for (const { note_id } of rows(
			v.object({ note_id: v.string() }),
			`SELECT note_id FROM notes WHERE ${OPEN_NOTES} AND state = 'intended'`,
		))
			if (note_id !== inFlight)
				append({ kind: 'cash_in_doubt', note_id, why: 'the outcome could not be recorded before the kiosk stopped' });
	}

	function reopen(): JournalError | null {
		if (file.reopen() === null) onOpened();
		return file.whyClosed();
	}

	function onOpened(): void {
		openedAt ??= money.position();
		// If an intent has no outcome, the acceptor may still hold the note. The note is then in
		// doubt, neither credited nor dropped.
		doubtOpenIntents(null);
	}

	/**
	 * @returns the item, or null if it differs from its records; the journal then reports trouble
	 */
	function checkItem<T>(item: T | null, wrong: (store: Store, item: T) => string | null): T | null {
		const store = file.store();
		if (store === null || item === null) return null;
		try {
			const what = wrong(store, item);
			if (what === null) return item;
			file.markSpoilt(`${what}: the journal was changed or damaged`);
		} catch (error) {
			file.markUnreadable(error);
		}
		return null;
	}

	function reseal(decision: Reseal & { reseal_id: string }): Result<void, JournalError> {
		const before = newestOfLost(file);
		if (!before.ok) return before;
		const seal = file.keys.prepare(before.value);
		if (!seal.ok) return fail(file.refuse(seal.error.message));
		file.doubt();
		const closed = file.reopen(seal.value);
		if (closed) return fail(closed);
		const written = append({ kind: 'journal_resealed', ...decision, before: before.value });
		const adopted = written.ok ? file.keys.adopt() : written;
		// The file is closed, because no other record may be sealed with a key that is not stored.
		if (!adopted.ok) return fail(file.refuse(adopted.error.message));
		onOpened();
		return ok(undefined);
	}

	reopen();
	return {
		append,
		trouble: () => file.trouble(),
		reopen,
		openedAt: () => openedAt ?? 0,
		patrol: () => patrol.step(),
		isVerified: () => patrol.isVerified(),
		provedNames: () => provedNames(file),
		restart: (decision, names, lock) => restart(file, decision, names, lock),
		reseal,
		doubtOpenIntents,
		has: (record) =>
			rows(v.object({ seq: v.number() }), 'SELECT seq FROM records WHERE kind = ? AND subject = ?', record.kind, subjectOf(record)).length >
			0,
		hasWritten: (record) =>
			rows(
				v.object({ seq: v.number() }),
				'SELECT seq FROM records WHERE kind = ? AND subject = ? AND body = ?',
				record.kind,
				subjectOf(record),
				JSON.stringify(record),
			).length > 0,
		...notes,
		nextUpload: (account, after) => checkItem(notes.nextUpload(account, after), (from, { note_id }) => wrongNote(from, note_id)),
		cards: {
			...cards,
			nextApproval: (account) => checkItem(cards.nextApproval(account), (from, { attempt_id }) => wrongApproval(from, attempt_id)),
		},
		money,
		names: nameBook(rows),
		onAttention: (listener) => void listeners.push(listener),
		cashbox: cashBook(rows),
		recentPayments: recentPayments(file.listedRows),
		figuresSince: figuresSince(rows, money),
		waitingMoney: () => waitingMoney(rows),
		begun: () => rows(BegunRow, BEGUN)[0] ?? null,
		newest() {
			const { seq, hash } = file.newest();
			return { record: seq, hash };
		},
		...printBook(rows),
		acceptorLock: () =>
			rows(v.object({ why: v.string() }), 'SELECT why FROM acceptor_lock WHERE locked = 1').map((row) => row.why)[0] ?? null,
		close: () => file.close(),
	};
}

function provedNames({ settings: { directory, keyFile }, head, own }: JournalFile): Promise<ProvedNames> {
	const known = head.read();
	const earlier = own.missing() === null ? null : findInterrupted(directory, known);
	if (earlier === null) return readProvedNames(directory, keyFile, known);
	return readProvedNames(earlier, keyOfInterrupted(keyFile, earlier), known);
}

/** Sets the journal aside and begins a new journal. This run can then use neither journal. */
function restart(file: JournalFile, decision: Restart, names: ProvedNames, lock: string | null): Result<SetAside, JournalError> {
	const { settings } = file;
	const closed = file.whyClosed();
	if (closed?.code === 'journal_newer') return fail(closed);
	if (names.list) assertWritable('staff_names_changed', settings.writes?.() ?? WRITES);
	const found = file.trouble()?.message ?? '';
	file.shut();
	const unclaimed = settings.claim?.take() ?? null;
	if (unclaimed !== null) return fail(file.refuse(unclaimed.message));
	try {
		const { directory } = settings;
		const { head, own, keys, clock, open } = file;
		const begun = beginNewJournal({ directory, head, own, keys, clock, open }, decision, { names, lock, found });
		if (!begun.ok) return fail(file.refuse(begun.error.message));
		file.refuseForEver('a new journal was begun; the kiosk restarts with it');
		return begun;
	} catch (error) {
		return fail(file.refuse(messageOf(error)));
	}
}

/** @returns the newest record of a journal whose key is lost */
function newestOfLost(file: JournalFile): Result<{ seq: number; hash: string }, JournalError> {
	const closed = file.whyClosed();
	if (closed?.code === 'journal_newer') return fail(closed);
	const found = file.keys.now();
	const newest = file.own.newest();
	if (found.ok || found.error.code !== 'lost' || !newest.ok)
		return fail({ code: 'journal_unhealthy', message: 'the key of the journal is not missing; nothing was done' });
	const { seq, hash } = newest.value;
	return ok({ seq, hash });
}
