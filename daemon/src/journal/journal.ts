import { statfsSync } from 'node:fs';
import * as v from 'valibot';
import { type Id, IdSchema } from '../../contract/back-office.ts';
import { type Rupiah, RupiahSchema } from '../../contract/money.ts';
import type { Clock } from '../clock.ts';
import { fail, messageOf, ok, type Result } from '../result.ts';
import { type CardBook, cardBook } from './card-book.ts';
import { type CashBook, cashBook, OPEN_NOTES } from './cash-book.ts';
import { type JournalRecord, subjectOf } from './records.ts';
import { isDamage, type Store, type StoreError } from './store.ts';

export type JournalError = { code: 'disk_full' | 'journal_unhealthy'; message: string };

const RowId = v.nullable(v.pipe(v.string(), v.parseJson(), v.nullable(IdSchema)));

/** A note as the ledger knows it. */
const NoteRow = v.object({
	note_id: v.string(),
	id: RowId,
	odoo_id: RowId,
	noinvoice: v.string(),
	nominal: v.nullable(RupiahSchema),
	time: v.string(),
	state: v.picklist(['intended', 'credited', 'returned', 'in_doubt']),
	why: v.string(),
	uploaded_seq: v.nullable(v.number()),
});
export type JournalNote = v.InferOutput<typeof NoteRow>;

const CreditedNote = v.object({ ...NoteRow.entries, id: v.pipe(v.string(), v.parseJson(), IdSchema), nominal: RupiahSchema });
export type CreditedNote = v.InferOutput<typeof CreditedNote>;

const NOTE = 'note_id, id, odoo_id, noinvoice, nominal, time, state, why, uploaded_seq';

/** Notes for the outbox; one without an invoice is nothing to tell the back office. */
const WAITING = 'credited_seq IS NOT NULL AND uploaded_seq IS NULL AND payment_id IS NOT NULL';

export interface JournalSettings {
	directory: string;
	/** Below this many free bytes no note is taken, so that the payment that has begun can always be written to its end. */
	minFreeBytes: number;
}

/** The journal as the rest of the daemon uses it: append one fact, ask what is true. */
export interface Journal {
	/** Durable when ok. A `broken` store closes itself; `health` says so until `reopen` succeeds. */
	append(record: JournalRecord): Result<void, JournalError>;
	/** null: notes may be taken. */
	trouble(): JournalError | null;
	/** Opens the file again after `broken`; notes whose outcome is unknown become in doubt. */
	reopen(): JournalError | null;
	/** Puts every intent without an outcome in doubt, but for the note in flight. */
	doubtOpenIntents(inFlight: string | null): void;
	/** Whether it holds this very record, as it may although the disk said no. */
	has(record: JournalRecord): boolean;
	notesOf(id: Id): JournalNote[];
	/** Notes for a person to settle, oldest first. */
	inDoubt(): JournalNote[];
	/** The oldest credited note that the back office has not confirmed. */
	nextUpload(): CreditedNote | null;
	waitingUploads(): { count: number; total: Rupiah; oldest: string | null };
	/** Who said that this payment is settled. An approved card sale settles it by itself, until it is voided. */
	paidBy(id: Id): 'back_office' | 'kiosk' | null;
	cards: CardBook;
	cashbox: CashBook;
	/** How often a receipt of this payment reached paper, or may have. */
	timesPrinted(id: Id): number;
	openPrints(): string[];
	acceptorLock(): string | null;
	close(): void;
}

function freeBytesOf(directory: string): number {
	const disk = statfsSync(directory);
	return disk.bavail * disk.bsize;
}

/** Opens the journal; a file that cannot be opened leaves a journal in trouble, not a dead daemon. */
export function openJournal(
	settings: JournalSettings,
	clock: Clock,
	open: (directory: string, thorough: boolean) => Result<Store, StoreError>,
	freeBytes: (directory: string) => number = freeBytesOf,
): Journal {
	let store: Store | null = null;
	let broken: JournalError | null = null;
	/** A page that a start does not read turned out damaged; the file is trusted again only as a whole. */
	let damaged = false;

	function reopen(): JournalError | null {
		store?.close();
		store = null;
		const opened = open(settings.directory, damaged);
		if (opened.ok) {
			damaged = false;
			store = opened.value;
			broken = null;
			doubtOpenIntents(null);
		} else broken = { code: 'journal_unhealthy', message: opened.error.message };
		return broken;
	}

	/** An intent without an outcome: the acceptor may have the note. It is never credited by itself and never dropped. */
	function doubtOpenIntents(inFlight: string | null): void {
		for (const { note_id } of rows(
			v.object({ note_id: v.string() }),
			`SELECT note_id FROM notes WHERE ${OPEN_NOTES} AND state = 'intended'`,
		))
			if (note_id !== inFlight)
				append({ kind: 'cash_in_doubt', note_id, why: 'the outcome could not be recorded before the kiosk stopped' });
	}

	function append(record: JournalRecord): Result<void, JournalError> {
		if (!store) return fail(broken ?? { code: 'journal_unhealthy', message: 'the journal is closed' });
		const written = store.append(record, clock.wall());
		if (written.ok) return ok(undefined);
		const { code, message } = written.error;
		if (code === 'disk_full') return fail({ code, message });
		const error: JournalError = { code: 'journal_unhealthy', message };
		if (code === 'broken') {
			broken = error;
			store.close();
			store = null;
		}
		return fail(error);
	}

	function trouble(): JournalError | null {
		if (broken) return broken;
		try {
			const free = freeBytes(settings.directory);
			if (free >= settings.minFreeBytes) return null;
			return {
				code: 'disk_full',
				message: `${free} bytes free in ${settings.directory}, ${settings.minFreeBytes} are needed to take notes`,
			};
		} catch (error) {
			return { code: 'journal_unhealthy', message: messageOf(error) };
		}
	}

	function rows<const S extends v.GenericSchema>(schema: S, sql: string, ...parameters: (string | number)[]): v.InferOutput<S>[] {
		try {
			return (store?.rows(sql, ...parameters) ?? []).map((row) => v.parse(schema, row));
		} catch (error) {
			if (!isDamage(error)) throw error;
			damaged = true;
			broken = { code: 'journal_unhealthy', message: messageOf(error) };
			store?.close();
			store = null;
			return [];
		}
	}

	reopen();
	return {
		append,
		trouble,
		reopen,
		doubtOpenIntents,
		has: (record) =>
			rows(v.object({ seq: v.number() }), 'SELECT seq FROM records WHERE kind = ? AND subject = ?', record.kind, subjectOf(record)).length >
			0,
		notesOf: (id) => rows(NoteRow, `SELECT ${NOTE} FROM notes WHERE payment_id = ? ORDER BY credited_seq, time`, String(id)),
		inDoubt: () => rows(NoteRow, `SELECT ${NOTE} FROM notes WHERE ${OPEN_NOTES} AND state = 'in_doubt' ORDER BY time`),
		nextUpload: () => rows(CreditedNote, `SELECT ${NOTE} FROM notes WHERE ${WAITING} ORDER BY credited_seq LIMIT 1`)[0] ?? null,
		waitingUploads() {
			const Waiting = v.object({ count: v.number(), total: RupiahSchema, oldest: v.nullable(v.string()) });
			const sql = `SELECT count(*) AS count, coalesce(sum(nominal), 0) AS total, min(time) AS oldest
				FROM notes WHERE ${WAITING}`;
			return rows(Waiting, sql)[0] ?? { count: 0, total: v.parse(RupiahSchema, 0), oldest: null };
		},
		paidBy: (id) =>
			rows(
				v.object({ by: v.picklist(['back_office', 'kiosk']) }),
				`SELECT by FROM paid WHERE payment_id = ? UNION ALL SELECT 'kiosk' FROM card_sales WHERE payment_id = ? AND state = 'approved'`,
				String(id),
				String(id),
			)[0]?.by ?? null,
		cards: cardBook(rows),
		cashbox: cashBook(rows),
		timesPrinted: (id) =>
			rows(
				v.object({ n: v.number() }),
				`SELECT count(*) AS n FROM prints CROSS JOIN records ON kind = 'print_requested' AND subject = print_id
				WHERE payment_id = ? AND state <> 'failed' AND body ->> 'purpose' <> 'slip'`,
				String(id),
			)[0]?.n ?? 0,
		openPrints: () =>
			rows(v.object({ print_id: v.string() }), `SELECT print_id FROM prints WHERE state = 'requested'`).map((row) => row.print_id),
		acceptorLock: () =>
			rows(v.object({ why: v.string() }), 'SELECT why FROM acceptor_lock WHERE locked = 1').map((row) => row.why)[0] ?? null,
		close() {
			store?.close();
			store = null;
		},
	};
}
