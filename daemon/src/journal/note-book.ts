import * as v from 'valibot';
import { IdSchema } from '../../contract/back-office.ts';
import { type Rupiah, RupiahSchema, sumRupiah } from '../../contract/money.ts';
import { OPEN_NOTES } from './cash-book.ts';
import { WAITING_NOTES } from './open-items.ts';
import { type Account, accountKey, type PaymentKey } from './records.ts';
import type { Rows } from './rows.ts';

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

/** The same beside its own records, which nobody can change unseen: what is paid is counted by these. */
const RecordedNote = v.pipe(
	v.object({ ...NoteRow.entries, recorded: v.nullable(v.number()), grounded: v.number() }),
	v.check(({ nominal, recorded, grounded }) => nominal === recorded && grounded === 1, 'it is not what was recorded'),
	v.transform(({ recorded: _recorded, grounded: _grounded, ...note }) => note),
);

const CreditedNote = v.object({
	...NoteRow.entries,
	payment_id: v.pipe(
		v.string(),
		v.transform((key) => key as PaymentKey),
	),
	id: v.pipe(v.string(), v.parseJson(), IdSchema),
	nominal: RupiahSchema,
	credited_seq: v.number(),
});
/** A credited note that the back office is to hear of. `payment_id`: key of its payment. */
export type CreditedNote = v.InferOutput<typeof CreditedNote>;

const WaitingNote = v.object({ ...CreditedNote.entries, parked: v.nullable(v.string()) });
export type WaitingNote = v.InferOutput<typeof WaitingNote>;
/** A note that waits for staff. `parked`: why. `unassigned`: it belongs to no account, and no record says yet that it waits. */
export type ParkedNote = WaitingNote & { parked: string; unassigned: boolean };
const NO_ACCOUNT = 'it was taken by an earlier version, which did not write down for which account';

const NOTE = 'note_id, id, odoo_id, noinvoice, nominal, time, state, why, uploaded_seq';

const RECORDED_NOTES = `SELECT ${NOTE}, (SELECT body ->> 'nominal' FROM records WHERE kind = 'cash_intent' AND subject = note_id) AS recorded,
	state <> 'credited' OR EXISTS (
		SELECT 1 FROM records WHERE seq = credited_seq AND subject = note_id AND kind IN ('cash_credit', 'cash_settled')) AS grounded
	FROM notes WHERE payment_id = ? ORDER BY credited_seq, time`;

/** Only staff can say which account a note of an earlier version belongs to. */
const SENDABLE = `${WAITING_NOTES} AND account IS NOT NULL`;
const CREDITED = `${NOTE}, payment_id, credited_seq`;
const ACCOUNT_OF_KEY = v.pipe(
	v.string(),
	v.parseJson(),
	v.tuple([v.string(), v.string(), v.boolean()]),
	v.transform(([server, outlet, development]): Account => ({ server, outlet, development })),
);

/** What is asked of single notes while payments go on. */
export interface NoteBook {
	notesOf(key: PaymentKey): JournalNote[];
	/** Notes for a person to settle, oldest first. */
	inDoubt(): JournalNote[];
	/** When the newest doubt was written, wall ms; null when the acceptor has said since where the note is, or it lies far back. */
	unheardDoubt(): number | null;
	/** The oldest credited note of this account that the back office has not confirmed. @param after only of those credited after this record */
	nextUpload(account: Account, after?: number): CreditedNote | null;
	/** All notes that wait to be sent, for whichever account. `oldest`: when the first of them was taken, ISO 8601. */
	waitingUploads(): { count: number; total: Rupiah; oldest: string | null };
	/** Those that wait for other accounts than this one, or for any where none is logged in. `accounts`: which. */
	waitingForOthers(account: Account | null): { count: number; total: Rupiah; accounts: Account[] };
	/** The oldest of them, one by one. @param most how many at most */
	notesForOthers(account: Account | null, most: number): WaitingNote[];
	/** Whether the back office has ever confirmed a note of this account. */
	hasConfirmed(account: Account): boolean;
	/** Whether the note was credited by this position of the journal. */
	creditedUntil(note_id: string, seq: number): boolean;
	/** Notes that wait for staff, oldest first: the back office refuses them, or they belong to no account. */
	parked(): ParkedNote[];
}

/** More records than are written while anybody waits for a word about a note in doubt. */
const NEWEST = 256;
/** That staff have settled the note does not count: the acceptor may still speak of it. */
const UNHEARD_DOUBT = `SELECT at, EXISTS (
		SELECT 1 FROM records AS word WHERE word.kind IN ('cash_credit', 'cash_returned', 'cash_evidence') AND word.subject = doubt.subject
	) AS heard FROM records AS doubt
	WHERE seq > (SELECT max(seq) FROM records) - ${NEWEST} AND +kind = 'cash_in_doubt' ORDER BY seq DESC LIMIT 1`;

export const noteBook = (rows: Rows): NoteBook => ({
	notesOf: (key) => rows(RecordedNote, RECORDED_NOTES, key),
	inDoubt: () => rows(NoteRow, `SELECT ${NOTE} FROM notes WHERE ${OPEN_NOTES} AND state = 'in_doubt' ORDER BY time`),
	unheardDoubt() {
		const doubt = rows(v.object({ at: v.number(), heard: v.number() }), UNHEARD_DOUBT)[0];
		return doubt?.heard === 0 ? doubt.at : null;
	},
	nextUpload: (account, after = 0) =>
		rows(
			CreditedNote,
			`SELECT ${CREDITED} FROM notes WHERE ${WAITING_NOTES} AND account = ? AND credited_seq > ? ORDER BY credited_seq LIMIT 1`,
			accountKey(account) ?? '',
			after,
		)[0] ?? null,
	waitingForOthers(account) {
		const Waiting = v.object({ count: v.number(), total: RupiahSchema, account: ACCOUNT_OF_KEY });
		const sql = `SELECT count, total, account FROM waiting WHERE count > 0 AND account NOT IN ('', ?)`;
		const found = rows(Waiting, sql, accountKey(account) ?? '-');
		const count = found.reduce((sum, one) => sum + one.count, 0);
		return { count, total: sumRupiah(found.map(({ total }) => total)), accounts: found.map((one) => one.account) };
	},
	notesForOthers: (account, most) =>
		rows(
			WaitingNote,
			`SELECT ${CREDITED}, parked FROM notes WHERE ${SENDABLE} AND account <> ? ORDER BY credited_seq LIMIT ?`,
			accountKey(account) ?? '-',
			most,
		),
	hasConfirmed: (account) =>
		rows(
			v.object({ found: v.number() }),
			`SELECT EXISTS (SELECT 1 FROM notes INDEXED BY notes_confirmed WHERE account = ? AND uploaded_seq IS NOT NULL) AS found`,
			accountKey(account) ?? '',
		).some(({ found }) => found === 1),
	creditedUntil: (note_id, seq) =>
		rows(v.object({ note_id: v.string() }), 'SELECT note_id FROM notes WHERE note_id = ? AND credited_seq <= ?', note_id, seq).length > 0,
	parked: () =>
		rows(
			WaitingNote,
			`SELECT ${CREDITED}, parked FROM notes WHERE parked IS NOT NULL AND uploaded_seq IS NULL
			UNION ALL SELECT ${CREDITED}, parked FROM notes WHERE ${WAITING_NOTES} AND account IS NULL ORDER BY credited_seq`,
		).map((note) => ({ ...note, parked: note.parked ?? NO_ACCOUNT, unassigned: note.parked === null })),
	waitingUploads() {
		const Waiting = v.object({ count: v.number(), total: RupiahSchema, oldest: v.nullable(v.string()) });
		const sql = `SELECT coalesce(sum(count), 0) AS count, coalesce(sum(total), 0) AS total,
			(SELECT time FROM notes WHERE ${SENDABLE} ORDER BY credited_seq LIMIT 1) AS oldest FROM waiting WHERE account <> ''`;
		return rows(Waiting, sql)[0] ?? { count: 0, total: v.parse(RupiahSchema, 0), oldest: null };
	},
});
