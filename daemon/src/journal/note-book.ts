import { IdSchema } from '@kiosk/contract/back-office';
import { type Rupiah, sumRupiah } from '@kiosk/contract/money';
import { RupiahSchema } from '@kiosk/contract/money-schema';
import * as v from 'valibot';
import { OPEN_NOTES } from './cash-book.ts';
import { WAITING_NOTES } from './open-items-check.ts';
import { keysFrom, withoutNumber } from './payment-keys.ts';
import { type Account, accountKey, type Payment, type PaymentKey, paymentKey, sameInvoice } from './records.ts';
import type { Rows } from './rows.ts';

const RowId = v.nullable(v.pipe(v.string(), v.parseJson(), v.nullable(IdSchema)));

/** A note in the ledger. */
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

/**
 * A note joined with its own records. If the note differs from its records, the note was changed,
 * because a change of a record would be detected.
 */
const RecordedNote = v.pipe(
	v.object({ ...NoteRow.entries, recorded: v.nullable(v.number()), grounded: v.number() }),
	v.check(({ nominal, recorded, grounded }) => nominal === recorded && grounded === 1, 'it differs from its record'),
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
/** A credited note to report to the back office. `payment_id`: key of its payment. */
export type CreditedNote = v.InferOutput<typeof CreditedNote>;

const WaitingNote = v.object({ ...CreditedNote.entries, parked: v.nullable(v.string()) });
export type WaitingNote = v.InferOutput<typeof WaitingNote>;
/**
 * A note that waits for staff. `parked`: the reason. `unassigned`: it has no account and is not
 * parked yet.
 */
export type ParkedNote = WaitingNote & { parked: string; unassigned: boolean };
const NO_ACCOUNT = 'it was taken by an earlier version, which did not record the account';

const NOTE = 'note_id, id, odoo_id, noinvoice, nominal, time, state, why, uploaded_seq';

const RECORDED_NOTES = `SELECT ${NOTE}, (SELECT body ->> 'nominal' FROM records WHERE kind = 'cash_intent' AND subject = note_id) AS recorded,
	state <> 'credited' OR EXISTS (
		SELECT 1 FROM records WHERE seq = credited_seq AND subject = note_id AND kind IN ('cash_credit', 'cash_settled')) AS grounded
	FROM notes WHERE payment_id = ? ORDER BY credited_seq, time`;

/**
 * Notes that can be sent. Notes of earlier versions have no account and are not sent until staff
 * assign one.
 */
const SENDABLE = `${WAITING_NOTES} AND account IS NOT NULL`;
const CREDITED = `${NOTE}, payment_id, credited_seq`;
export const ACCOUNT_OF_KEY = v.pipe(
	v.string(),
	v.parseJson(),
	v.tuple([v.string(), v.string(), v.boolean()]),
	v.transform(([server, outlet, development]): Account => ({ server, outlet, development })),
);

/** Queries about notes and the accounts for which they were taken. */
export interface NoteBook {
	notesOf(key: PaymentKey): JournalNote[];
	/** Whether a note of this invoice, under any of its numbers, is in doubt or has no outcome. */
	hasOpenNote(payment: Payment): boolean;
	/** Notes that staff have to settle, oldest first. */
	inDoubt(): JournalNote[];
	/**
	 * Time of the newest doubt record, wall-clock ms; null if the acceptor has reported the note
	 * since, or if the record is not among the newest records.
	 */
	unheardDoubt(): number | null;
	/**
	 * @param after number of a record; notes credited up to this record are skipped
	 * @returns the oldest note of this account that waits to be sent
	 */
	nextUpload(account: Account, after?: number): CreditedNote | null;
	/**
	 * Number and sum of the notes of all accounts that wait to be sent. `oldest`: when the first of
	 * them was taken, ISO 8601.
	 */
	waitingUploads(): { count: number; total: Rupiah; oldest: string | null };
	/**
	 * Waiting notes of other accounts; of all accounts if none is logged in. `accounts`: these
	 * accounts.
	 */
	waitingForOthers(account: Account | null): { count: number; total: Rupiah; accounts: Account[] };
	/** Every account for which this kiosk has taken notes or sold by card. */
	accounts(): Account[];
	/**
	 * The oldest waiting notes of other accounts; of all accounts if none is logged in.
	 * @param most maximum number of notes
	 */
	notesForOthers(account: Account | null, most: number): WaitingNote[];
	/**
	 * Whether the back office has ever confirmed a note of this account. A note that staff entered by
	 * hand does not count, because it says nothing about the server.
	 */
	hasConfirmed(account: Account): boolean;
	/**
	 * Whether the back office has confirmed a later note of the same account. If so, it has accepted
	 * a note after it refused this note, because notes are sent in the order in which they were
	 * taken. A note that staff entered by hand does not count as confirmed.
	 */
	isLaterConfirmed(note_id: string): boolean;
	/** Whether a credited note is neither confirmed by the back office nor entered there by staff. */
	isUntold(note_id: string): boolean;
	/**
	 * The notes confirmed since `time`, wall-clock ms.
	 * @returns `at`: time of the confirmation, wall-clock ms
	 */
	uploadedSince(time: number): { note_id: string; at: number }[];
	/**
	 * Whether the note was credited by this position of the journal for the invoice to which it
	 * belongs now. An invoice whose number has changed is still the same invoice. A note that version
	 * 0.1.0 credited without an account counts for any invoice.
	 */
	creditedUntil(note_id: string, seq: number): boolean;
	/**
	 * Notes that wait for staff, oldest first: refused by the back office, or without an account.
	 */
	parked(): ParkedNote[];
}

/**
 * Number of newest records that are searched. Fewer records are written in the 20 seconds in which
 * the acceptor may still report a note in doubt, or the back office's list may lack a confirmed
 * note.
 */
const NEWEST = 256;
/**
 * Notes in doubt, in the order of their records, not of their times, because after the clock was
 * set back, an older note may have the latest time.
 */
const IN_DOUBT = `SELECT ${NOTE} FROM notes CROSS JOIN records AS begun ON begun.kind IN ('cash_intent', 'cash_unexplained') AND begun.subject = note_id
	WHERE ${OPEN_NOTES} AND state = 'in_doubt' ORDER BY begun.seq`;
const OPEN_OF = `SELECT ${NOTE} FROM notes WHERE ${OPEN_NOTES} AND payment_id = ?`;
const OPEN_UNDER_OTHER_NUMBER = `SELECT ${NOTE} FROM notes WHERE ${OPEN_NOTES} AND payment_id > ? AND payment_id < ?`;
/**
 * Time of the newest doubt record, and whether the acceptor has reported the note since. A note
 * that staff have settled also counts, because the acceptor may still report it.
 */
const UNHEARD_DOUBT = `SELECT at, EXISTS (
		SELECT 1 FROM records AS word WHERE word.kind IN ('cash_credit', 'cash_returned', 'cash_evidence') AND word.subject = doubt.subject
	) AS heard FROM records AS doubt
	WHERE seq > (SELECT max(seq) FROM records) - ${NEWEST} AND +kind = 'cash_in_doubt' ORDER BY seq DESC LIMIT 1`;

/**
 * Each step finds the next account in an index, so that the query skips the millions of rows of one
 * account. The table `waiting` leaves out parked notes, so their accounts are read separately.
 */
const ACCOUNTS = `WITH RECURSIVE
	told (account) AS (
		SELECT min(account) FROM notes INDEXED BY notes_confirmed WHERE uploaded_seq IS NOT NULL
		UNION ALL SELECT (SELECT min(account) FROM notes INDEXED BY notes_confirmed WHERE uploaded_seq IS NOT NULL AND account > told.account)
			FROM told WHERE told.account IS NOT NULL),
	sold (account) AS (
		SELECT min(account) FROM card_sales INDEXED BY card_sales_of_account WHERE account IS NOT NULL
		UNION ALL SELECT (SELECT min(account) FROM card_sales INDEXED BY card_sales_of_account WHERE account > sold.account)
			FROM sold WHERE sold.account IS NOT NULL)
	SELECT account FROM told WHERE account IS NOT NULL
	UNION SELECT account FROM sold WHERE account IS NOT NULL
	UNION SELECT account FROM notes WHERE ${OPEN_NOTES} AND account IS NOT NULL
	UNION SELECT account FROM waiting WHERE account <> ''
	UNION SELECT account FROM notes INDEXED BY notes_parked WHERE parked IS NOT NULL AND uploaded_seq IS NULL AND account IS NOT NULL`;

export const noteBook = (rows: Rows): NoteBook => ({
	notesOf: (key) => rows(RecordedNote, RECORDED_NOTES, key),
	hasOpenNote(payment) {
		const key = paymentKey(payment);
		const isSame = ({ odoo_id, noinvoice }: JournalNote) => sameInvoice({ ...payment, odoo_id, noinvoice }, payment);
		return rows(NoteRow, OPEN_OF, key).length > 0 || rows(NoteRow, OPEN_UNDER_OTHER_NUMBER, ...keysFrom(withoutNumber(key))).some(isSame);
	},
	inDoubt: () => rows(NoteRow, IN_DOUBT),
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
	accounts: () => rows(v.object({ account: ACCOUNT_OF_KEY }), ACCOUNTS).map(({ account }) => account),
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
			`SELECT EXISTS (SELECT 1 FROM notes INDEXED BY notes_confirmed CROSS JOIN records AS told ON told.seq = uploaded_seq AND +told.kind = 'note_uploaded'
				WHERE account = ? AND uploaded_seq IS NOT NULL) AS found`,
			accountKey(account) ?? '',
		).some(({ found }) => found === 1),
	isLaterConfirmed: (note_id) =>
		rows(
			v.object({ note_id: v.string() }),
			`SELECT later.note_id FROM notes AS own CROSS JOIN notes AS later INDEXED BY notes_credited ON later.credited_seq > own.credited_seq
			CROSS JOIN records AS told ON told.seq = later.uploaded_seq AND +told.kind = 'note_uploaded'
			WHERE own.note_id = ? AND later.account = own.account LIMIT 1`,
			note_id,
		).length > 0,
	isUntold: (note_id) =>
		rows(
			v.object({ note_id: v.string() }),
			`SELECT note_id FROM notes WHERE note_id = ? AND state = 'credited' AND uploaded_seq IS NULL`,
			note_id,
		).length > 0,
	uploadedSince: (time) =>
		rows(
			v.object({ note_id: v.string(), at: v.number() }),
			`SELECT subject AS note_id, at FROM records
			WHERE seq > (SELECT max(seq) FROM records) - ${NEWEST} AND +kind = 'note_uploaded' AND at > ?`,
			time,
		),
	creditedUntil(note_id, seq) {
		const [note] = rows(
			v.object({ payment_id: v.nullable(v.string()), moved_seq: v.nullable(v.number()) }),
			'SELECT payment_id, moved_seq FROM notes WHERE note_id = ? AND credited_seq <= ?',
			note_id,
			seq,
		);
		if (!note || note.moved_seq === null || note.moved_seq <= seq) return note !== undefined;
		const invoice = withoutNumber(note.payment_id as PaymentKey);
		return rows(
			v.object({ from: v.string() }),
			`SELECT body ->> 'from' AS "from" FROM records WHERE kind = 'note_moved' AND body ->> 'note_id' = ?`,
			note_id,
		).some(({ from }) => from.startsWith(invoice) || withoutNumber(from as PaymentKey) === from);
	},
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
