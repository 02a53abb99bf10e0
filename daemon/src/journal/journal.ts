import { statfsSync } from 'node:fs';
import * as v from 'valibot';
import type { Clock } from '../base/clock.ts';
import { fail, messageOf, ok, type Result } from '../base/result.ts';
import type { Anchor } from './anchors.ts';
import { type CardBook, cardBook } from './card-book.ts';
import { type CashBook, cashBook, OPEN_NOTES } from './cash-book.ts';
import type { Claim } from './claim.ts';
import { diskReserve } from './disk-reserve.ts';
import { figuresSince } from './figures-since.ts';
import { hex, ownFile } from './file-identity.ts';
import { assertWritable, WRITES } from './format.ts';
import { openHead } from './head-file.ts';
import { type Attention, type MoneyBook, moneyBook } from './money-book.ts';
import { type NameBook, nameBook } from './name-book.ts';
import { beginNewJournal, type Reseal, type Restart, type SetAside } from './new-journal.ts';
import { type NoteBook, noteBook } from './note-book.ts';
import { FIRST_WAITING, type WaitingPlace, wrongApproval, wrongNote, wrongWaiting } from './open-items-check.ts';
import { type PrintBook, printBook } from './print-book.ts';
import { type ProvedNames, readProvedNames } from './proved-names.ts';
import { type RecentPayment, recentPayments } from './recent-payments.ts';
import { type JournalRecord, subjectOf } from './records.ts';
import type { Seal } from './seal.ts';
import { sealing } from './sealing.ts';
import { isDamage, isDiskFault, readStore, type Store, type StoreError } from './store.ts';
import type { JournalError } from './trouble.ts';

export interface JournalSettings {
	directory: string;
	/**
	 * With fewer free bytes no note is taken, so that a payment in progress can always be written
	 * to its end.
	 */
	minFreeBytes: number;
	/**
	 * Head file, preferably on another disk; without it a lost or stale journal goes undetected.
	 */
	headFile?: string;
	/** Disk reserve for records that must be written when the disk is full; left out: none. */
	reserveBytes?: number;
	/**
	 * Key file of the seals, preferably on another disk; created at the first start. Left out: a
	 * rewritten chain goes undetected.
	 */
	keyFile?: string;
	/**
	 * @returns the newest format that may be written now; left out: the newest that this version
	 * writes.
	 */
	writes?: () => number;
	/** Held while the file is open; left out: the caller ensures that no other program opens it. */
	claim?: Claim;
}

/** The journal for the rest of the daemon: appends facts and answers queries. */
export interface Journal extends NoteBook, PrintBook {
	/**
	 * Durable if ok. After `broken` the store is closed; `trouble` reports it until `reopen`
	 * succeeds.
	 */
	append(record: JournalRecord): Result<void, JournalError>;
	/** null: notes may be taken. */
	trouble(): JournalError | null;
	/** Reopens the file after `broken`; intents without an outcome become notes in doubt. */
	reopen(): JournalError | null;
	/** Whether every record has been verified in this run. */
	isVerified(): boolean;
	/** Verifies the next batch of records, cycling through all; `trouble` reports what it finds. */
	patrol(): void;
	/** Reads the names of staff that an unusable journal still proves, for `restart`. */
	provedNames(): Promise<ProvedNames>;
	/**
	 * Sets an unusable journal aside and begins a new journal. Its first record names the old journal
	 * and the decision; the names of staff and the lock of the acceptor follow. All data read from
	 * the old journal are void, so the caller ends the process.
	 * @param lock why the acceptor is locked now, perhaps unrecorded; null: it is not
	 */
	restart(decision: Restart, names: ProvedNames, lock: string | null): Result<SetAside, JournalError>;
	/**
	 * Makes a new key for a journal whose key is lost; the journal continues. All of it is read
	 * first. A rewrite before this moment can no longer be detected, so staff must decide.
	 * @param reseal_id a fresh UUID
	 */
	reseal(decision: Reseal & { reseal_id: string }): Result<void, JournalError>;
	/** Puts every intent without an outcome in doubt, except the note in flight. */
	doubtOpenIntents(inFlight: string | null): void;
	/** Whether the journal has this record, which is possible even after a failed write. */
	has(record: JournalRecord): boolean;
	cards: CardBook;
	money: MoneyBook;
	names: NameBook;
	/** Called when a record makes an invoice `paid_twice` or `dispute`, or confirms that it is. */
	onAttention(listener: (listed: Attention) => void): void;
	cashbox: CashBook;
	/** @param most largest number @returns the newest payments, newest first */
	recentPayments(most: number): RecentPayment[];
	/**
	 * The decision with which this journal began; null: it replaces none. `newest`: number of the
	 * newest record of the previous journal; 0: unknown.
	 */
	begun(): { restart_id: string; time: string; newest: number } | null;
	/** The newest record, to be kept outside the kiosk; record 0 in an empty journal. */
	newest(): Anchor;
	/** Payments since a time of the wall clock, ms. */
	figuresSince: ReturnType<typeof figuresSince>;
	acceptorLock(): string | null;
	close(): void;
}

function freeBytesOf(directory: string): number {
	const disk = statfsSync(directory);
	return disk.bavail * disk.bsize;
}

const NewestRow = v.object({ seq: v.number(), hash: v.instance(Uint8Array) });

const BegunRow = v.object({ restart_id: v.string(), time: v.string(), newest: v.number() });
const BEGUN = `SELECT subject AS restart_id, body ->> 'time' AS time, body ->> '$.before.seq' AS newest FROM records
	WHERE seq = 1 AND kind = 'journal_restarted'`;

/** Records that begin a payment; refused while the disk reserve is missing. */
const BEGINS: ReadonlySet<JournalRecord['kind']> = new Set(['cash_intent', 'card_sale', 'card_action']);
/** Retried later, so these may not use the disk reserve. */
const MAY_WAIT: ReadonlySet<JournalRecord['kind']> = new Set([...BEGINS, 'note_uploaded', 'card_approval_sent', 'staff_names_changed']);
/** Records per batch of the patrol: a few milliseconds. */
const SLICE = 250;
/** Pause after a complete cycle. */
const ROUND_PAUSE_MS = 3_600_000;
const CLOSED: JournalError = { code: 'journal_unhealthy', message: 'the journal is closed' };

/**
 * Opens the journal; a file that cannot be opened leaves a journal in trouble, not a stopped
 * daemon.
 */
export function openJournal(
	settings: JournalSettings,
	clock: Clock,
	open: (directory: string, thorough: boolean, seal: Seal | null) => Result<Store, StoreError>,
	freeBytes: (directory: string) => number = freeBytesOf,
): Journal {
	const { directory, reserveBytes = 0 } = settings;
	const head = openHead(settings.headFile ?? null);
	const own = ownFile(directory, head);
	const keys = sealing(settings.keyFile, own, head);
	const reserve = diskReserve(directory, reserveBytes);
	let store: Store | null = null;
	let broken: JournalError | null = null;
	/**
	 * A read or write has failed, or damage was found in an earlier run: the file is verified
	 * completely before it is used.
	 */
	let doubtful = head.read().damage !== null;
	/**
	 * The file's contents are wrong. It is not reopened in this run: it would be trusted until the
	 * next bad page is read.
	 */
	let damaged = false;
	/** A newer version wrote the file: it is used for lists only, and never changed. */
	let newer: JournalError | null = null;
	/** Next record of `patrol`, and the earliest time of its next cycle. */
	let next = 1;
	let nextRound = 0;
	let verified = false;
	/** Position in the queue for the back office; null while the patrol verifies records. */
	let waiting: WaitingPlace | null = null;

	function reopen(): JournalError | null {
		if (damaged || newer) return broken;
		if (store) shut();
		const unclaimed = settings.claim?.take() ?? null;
		if (unclaimed !== null) return refuse(unclaimed.message);
		const missing = own.missing();
		if (missing !== null) return refuse(missing);
		const later = own.newer();
		if (later !== null) return closeAsNewer(later);
		const seal = keys.now();
		if (!seal.ok) return refuse(seal.error.message);
		let opened = open(directory, doubtful, seal.value);
		if (!opened.ok && opened.error.code === 'disk_full' && reserve.release()) opened = open(directory, doubtful, seal.value);
		if (!opened.ok) {
			if (opened.error.code === 'damaged') return markSpoilt(opened.error.message);
			doubtful = true;
			return refuse(opened.error.message);
		}
		store = opened.value;
		own.opened();
		const { seq, hash } = newest();
		// Reading the newest record may itself have found a bad page.
		if (!isOpen()) return broken;
		const behind = own.behind(seq);
		if (behind !== null) return refuse(behind);
		broken = null;
		doubtful = false;
		const sealed = seal.value !== null;
		if (seq > 0 || head.read().damage !== null || head.read().sealed !== sealed) head.replace({ seq, hash, damage: null, sealed });
		doubtOpenIntents(null);
		return broken;
	}

	const isOpen = (): boolean => store !== null;
	const money = moneyBook(rows);
	const listeners: ((listed: Attention) => void)[] = [];

	function shut(): void {
		store?.close();
		store = null;
		settings.claim?.release();
	}

	function refuse(message: string): JournalError {
		shut();
		broken = { code: 'journal_unhealthy', message };
		return broken;
	}

	function closeAsNewer(message: string): JournalError {
		shut();
		newer = { code: 'journal_newer', message };
		broken = newer;
		return newer;
	}

	/**
	 * Marks the damage on disk: the next start verifies everything, even if this process dies
	 * before the message is seen.
	 */
	function markSpoilt(what: string): JournalError {
		damaged = true;
		const written = head.read();
		head.replace({ ...written, damage: written.damage ?? what });
		return refuse(`${what} (the newest record that is known is ${own.reference()})`);
	}

	function newest(): { seq: number; hash: string } {
		const [row] = rows(NewestRow, 'SELECT seq, hash FROM records ORDER BY seq DESC LIMIT 1');
		return row ? { seq: row.seq, hash: hex(row.hash) } : { seq: 0, hash: '' };
	}

	/**
	 * Intents without an outcome: the acceptor may have the note. It is neither credited nor
	 * dropped automatically.
	 */
	function doubtOpenIntents(inFlight: string | null): void {
		for (const { note_id } of rows(
			v.object({ note_id: v.string() }),
			`SELECT note_id FROM notes WHERE ${OPEN_NOTES} AND state = 'intended'`,
		))
			if (note_id !== inFlight)
				append({ kind: 'cash_in_doubt', note_id, why: 'the outcome could not be recorded before the kiosk stopped' });
	}

	function append(record: JournalRecord): Result<void, JournalError> {
		const unfit = checkReplaced();
		if (unfit || !store) return fail(unfit ?? broken ?? CLOSED);
		assertWritable(record.kind, settings.writes?.() ?? WRITES);
		if (BEGINS.has(record.kind) && !reserve.held()) return fail(diskFull('the disk reserve is used up'));
		let written = store.append(record, clock.wall());
		if (!written.ok && written.error.code === 'disk_full' && !MAY_WAIT.has(record.kind) && reserve.release())
			written = store.append(record, clock.wall());
		if (written.ok) {
			const { seq, hash } = newest();
			if (seq === written.value) head.moved(seq, hash);
			for (const listed of money.attentionSince(written.value)) for (const listener of listeners) listener(listed);
			return ok(undefined);
		}
		const { code, message } = written.error;
		if (code === 'disk_full') return fail({ code, message });
		if (code === 'damaged') return fail(markSpoilt(`the journal's file is damaged: ${message}`));
		if (code === 'busy') return fail({ code: 'journal_unhealthy', message });
		doubtful = true;
		return fail(refuse(message));
	}

	/** @returns trouble if the journal's files were removed or replaced while open */
	function checkReplaced(): JournalError | null {
		const exchanged = store && own.exchanged();
		return exchanged === null ? null : refuse(exchanged);
	}

	const diskFull = (what: string): JournalError => ({ code: 'disk_full', message: `the disk of ${directory} is full: ${what}` });

	function trouble(): JournalError | null {
		if (broken) return broken;
		const gone = checkReplaced();
		if (gone) return gone;
		try {
			reserve.probe();
			const free = freeBytes(directory);
			const needed = settings.minFreeBytes + (reserve.held() ? 0 : reserveBytes);
			if (free >= needed && reserve.take()) return null;
			return { code: 'disk_full', message: `${free} bytes free in ${directory}, ${needed} are needed to take notes` };
		} catch (error) {
			return { code: 'journal_unhealthy', message: messageOf(error) };
		}
	}

	function rows<const S extends v.GenericSchema>(schema: S, sql: string, ...parameters: (string | number)[]): v.InferOutput<S>[] {
		try {
			return (store?.rows(sql, ...parameters) ?? []).map((row) => v.parse(schema, row));
		} catch (error) {
			markUnreadable(error);
			return [];
		}
	}

	/** Reads a newer version's journal as far as this version understands it, for lists only. */
	function listedRows<const S extends v.GenericSchema>(schema: S, sql: string, ...parameters: (string | number)[]): v.InferOutput<S>[] {
		if (!newer) return rows(schema, sql, ...parameters);
		const opened = readStore(directory);
		if (!opened.ok) return [];
		try {
			return opened.value.rows(sql, ...parameters).map((row) => v.parse(schema, row));
		} catch {
			return [];
		} finally {
			opened.value.close();
		}
	}

	/** Rethrows anything that is not disk or file damage. */
	function markUnreadable(error: unknown): void {
		if (!isDamage(error)) throw error;
		const where = v.isValiError(error)
			? `a row of the journal cannot be understood (${v.getDotPath(error.issues[0]) ?? 'as a whole'}): `
			: '';
		doubtful = true;
		if (isDiskFault(error)) refuse(messageOf(error));
		else markSpoilt(`the journal's file is damaged: ${where}${messageOf(error)}`);
	}

	function patrol(): void {
		if (!store || clock.now() < nextRound) return;
		try {
			if (waiting !== null) return patrolWaiting(store, waiting);
			const bad = store.verify(next, next + SLICE - 1);
			if (bad !== null) return void markSpoilt(store.fault(bad));
		} catch (error) {
			return markUnreadable(error);
		}
		next += SLICE;
		if (next <= newest().seq) return;
		next = 1;
		waiting = FIRST_WAITING;
	}

	function patrolWaiting(from: Store, place: WaitingPlace): void {
		const found = wrongWaiting(from, place, SLICE);
		if (found.wrong !== null) return void markSpoilt(`${found.wrong}: the journal was changed or damaged`);
		waiting = found.next;
		if (waiting !== null) return;
		nextRound = clock.now() + ROUND_PAUSE_MS;
		verified = true;
	}

	/**
	 * @returns the next item to send; if it differs from its records, null, and the journal is in
	 * trouble
	 */
	function checkItem<T>(item: T | null, wrong: (store: Store, item: T) => string | null): T | null {
		if (store === null || item === null) return null;
		try {
			const what = wrong(store, item);
			if (what === null) return item;
			markSpoilt(`${what}: the journal was changed or damaged`);
		} catch (error) {
			markUnreadable(error);
		}
		return null;
	}

	function restart(decision: Restart, names: ProvedNames, lock: string | null): Result<SetAside, JournalError> {
		if (newer) return fail(newer);
		if (names.list) assertWritable('staff_names_changed', settings.writes?.() ?? WRITES);
		const found = trouble()?.message ?? '';
		shut();
		const unclaimed = settings.claim?.take() ?? null;
		if (unclaimed !== null) return fail(refuse(unclaimed.message));
		try {
			const begun = beginNewJournal({ directory, head, own, keys, clock, open }, decision, { names, lock, found });
			if (!begun.ok) return fail(refuse(begun.error.message));
			damaged = true;
			refuse('a new journal was begun; the kiosk restarts with it');
			return begun;
		} catch (error) {
			return fail(refuse(messageOf(error)));
		}
	}

	function reseal(decision: Reseal & { reseal_id: string }): Result<void, JournalError> {
		if (newer) return fail(newer);
		const found = keys.now();
		const newestNow = own.newest();
		if (found.ok || found.error.code !== 'lost' || !newestNow.ok)
			return fail({ code: 'journal_unhealthy', message: 'the key of the journal is not missing; nothing was done' });
		const { seq, hash } = newestNow.value;
		const renewed = keys.renew({ seq, hash });
		if (!renewed.ok) return fail(refuse(renewed.error.message));
		doubtful = true;
		const wrong = reopen();
		if (wrong !== null) return fail(wrong);
		return append({ kind: 'journal_resealed', ...decision, before: { seq, hash } });
	}

	const notes = noteBook(rows);
	const cards = cardBook(rows);

	reopen();
	return {
		append,
		trouble,
		reopen,
		patrol,
		isVerified: () => verified,
		provedNames: () => readProvedNames(directory, settings.keyFile, head.read()),
		restart,
		reseal,
		doubtOpenIntents,
		has: (record) =>
			rows(v.object({ seq: v.number() }), 'SELECT seq FROM records WHERE kind = ? AND subject = ?', record.kind, subjectOf(record)).length >
			0,
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
		recentPayments: recentPayments(listedRows),
		figuresSince: figuresSince(rows, money),
		begun: () => rows(BegunRow, BEGUN)[0] ?? null,
		newest() {
			const { seq, hash } = newest();
			return { record: seq, hash };
		},
		...printBook(rows),
		acceptorLock: () =>
			rows(v.object({ why: v.string() }), 'SELECT why FROM acceptor_lock WHERE locked = 1').map((row) => row.why)[0] ?? null,
		close() {
			shut();
			head.close();
		},
	};
}
