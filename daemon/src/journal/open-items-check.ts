import type { SQLInputValue } from 'node:sqlite';
import * as v from 'valibot';
import { Payment, paymentKey } from './records.ts';

/**
 * Notes with the records on which they are based; staff may have moved a note to another invoice.
 */
const NOTES = `SELECT begun.seq, credited_seq AS ended, note_id AS of, payment_id, notes.id AS id,
		coalesce((SELECT body FROM records WHERE seq = moved_seq), begun.body) -> '$.payment' AS recorded_payment,
		nominal AS amount, begun.body ->> 'nominal' AS recorded,
		state <> 'credited' OR EXISTS (SELECT 1 FROM records WHERE seq = credited_seq AND subject = note_id AND kind IN ('cash_credit', 'cash_settled')) AS grounded
	FROM notes LEFT JOIN records AS begun ON begun.kind IN ('cash_intent', 'cash_unexplained') AND begun.subject = note_id`;

/** Card sales with the records on which they are based; all data of the invoice are compared. */
const SALES = `SELECT begun.seq, approved_seq AS ended, attempt_id AS of, payment_id, payment AS id, begun.body -> '$.payment' AS recorded_payment,
		amount, coalesce(begun.body ->> 'amount', begun.body ->> '$.response.amount', 0) AS recorded,
		approved_seq IS NULL OR EXISTS (SELECT 1 FROM records WHERE seq = approved_seq AND body ->> 'attempt_id' = attempt_id
			AND (kind = 'card_outcome' AND body ->> 'outcome' = 'approved' OR kind = 'card_settled' AND body ->> 'outcome' = 'charged')) AS grounded
	FROM card_sales LEFT JOIN records AS begun ON begun.kind IN ('card_sale', 'card_unexplained') AND begun.subject = attempt_id`;

/** Notes and card sales without a certain outcome; there are only a few. */
const OPEN = [`${NOTES} WHERE state IN ('intended', 'in_doubt')`, `${SALES} WHERE state = 'sent'`, `${SALES} WHERE state = 'unknown'`];

/**
 * A credited note that the back office has not confirmed, except a parked note and a note without
 * an invoice (nothing to report). Same condition as in schema.sql.
 */
export const WAITING_NOTES = 'credited_seq IS NOT NULL AND uploaded_seq IS NULL AND payment_id IS NOT NULL AND parked IS NULL';
const FOLD = `SELECT 1 WHERE (SELECT coalesce(sum(count), 0) > 0 FROM waiting) <> EXISTS (SELECT 1 FROM notes WHERE ${WAITING_NOTES})`;

/**
 * The newest list of staff names. It is checked however old it is, because it gives staff the right
 * to decide.
 */
const NAMES = `SELECT max(seq) AS seq FROM records INDEXED BY records_names WHERE kind = 'staff_names_changed'`;

/** Items waiting for the back office: up to a hundred thousand after months offline. */
const WAITING = [
	{ items: `${NOTES} WHERE ${WAITING_NOTES}`, order: 'credited_seq' },
	{ items: `${SALES} WHERE approved_seq IS NOT NULL AND relayed_seq IS NULL`, order: 'approved_seq' },
] as const;

/**
 * Number of waiting items that a start checks at each end of the queue. This check takes a few
 * milliseconds. The background verification checks the others.
 */
const AT_EACH_END = 128;

interface Reader {
	rows(sql: string, ...parameters: SQLInputValue[]): Record<string, unknown>[];
	/** @returns the first record from `fromSeq` to `toSeq` with a bad hash or seal, or null */
	verify(fromSeq: number, toSeq?: number): number | null;
}
type Row = Record<string, unknown>;

/**
 * Compares open items of any age with the records on which they are based, because no hash covers
 * the rows that are reported as money. In the queue for the back office, only the oldest and the
 * newest items are compared, because `wrongNote` or `wrongApproval` checks every item before it is
 * sent.
 * @returns the fault as a sentence, or null; the work does not grow with the length of history or
 * queue
 */
export function wrongOpenItem(store: Reader): string | null {
	if (store.rows(FOLD).length > 0) return 'the count of waiting notes does not match the notes';
	const names = store.rows(NAMES)[0]?.seq;
	if (typeof names === 'number' && store.verify(names, names) !== null) return `record ${names} does not match its hash or its seal`;
	const ends = WAITING.flatMap(({ items, order }) =>
		['ASC', 'DESC'].map((way) => `${items} ORDER BY ${order} ${way} LIMIT ${AT_EACH_END}`),
	);
	for (const sql of [...OPEN, ...ends]) {
		const wrong = findWrongItem(store, store.rows(sql), true);
		if (wrong !== null) return wrong;
	}
	return null;
}

/**
 * Compares one note with its records before it is reported to the back office.
 * @returns the fault as a sentence, or null
 */
export const wrongNote = (store: Reader, note_id: string): string | null =>
	findWrongItem(store, store.rows(`${NOTES} WHERE note_id = ?`, note_id), true);

/**
 * Compares one approved card sale with its records before it is reported.
 * @returns the fault as a sentence, or null
 */
export const wrongApproval = (store: Reader, attempt_id: string): string | null =>
	findWrongItem(store, store.rows(`${SALES} WHERE attempt_id = ?`, attempt_id), true);

/** Position of a walk through all waiting items: the list, and the newest record reached in it. */
export interface WaitingPlace {
	list: number;
	after: number;
}
export const FIRST_WAITING: WaitingPlace = { list: 0, after: 0 };

/**
 * Compares the next waiting items with their records. Does not verify hashes, because the
 * verification of all records does this.
 * @param most maximum number of items
 * @returns the fault as a sentence, and where to continue; `next` is null at the end of the last
 * list
 */
export function wrongWaiting(
	store: Reader,
	{ list, after }: WaitingPlace,
	most: number,
): { wrong: string | null; next: WaitingPlace | null } {
	const of = WAITING[list];
	if (of === undefined) return { wrong: null, next: null };
	const rows = store.rows(`${of.items} AND ${of.order} > ? ORDER BY ${of.order} LIMIT ?`, after, most);
	const next = rows.length < most ? { list: list + 1, after: 0 } : { list, after: Number(rows.at(-1)?.ended) };
	return { wrong: findWrongItem(store, rows, false), next: WAITING[next.list] === undefined ? null : next };
}

function findWrongItem(store: Reader, rows: readonly Row[], hashes: boolean): string | null {
	const missing = rows.find(({ seq }) => seq === null);
	if (missing) return `${missing.of} is in the books without a record`;
	const bad = hashes ? badRecord(store, rows) : null;
	if (bad !== null) return `record ${bad} does not match its hash or its seal`;
	for (const row of rows) {
		const { seq, of, amount, recorded, grounded } = row;
		if (amount !== recorded || !grounded || !namesPayment(row)) return `${of} differs from record ${seq}`;
	}
	return null;
}

/** @returns the first record of these items with a bad hash or seal, or null */
function badRecord(store: Reader, rows: readonly Row[]): number | null {
	const records = rows
		.flatMap(({ seq, ended }) => [seq, ended])
		.filter((record) => record !== null)
		.map(Number)
		.sort((one, other) => one - other);
	// Records that follow each other are verified together, because each query costs time.
	for (let at = 0; at < records.length; at += 1) {
		const from = records[at] as number;
		while ((records[at + 1] ?? Infinity) <= (records[at] as number) + 1) at += 1;
		const bad = store.verify(from, records[at] as number);
		if (bad !== null) return bad;
	}
	return null;
}

/** @returns whether the row has the payment of its record, with the same data */
function namesPayment({ payment_id, id, recorded_payment }: Row): boolean {
	if (typeof recorded_payment !== 'string') return payment_id === null;
	const payment = v.parse(Payment, JSON.parse(recorded_payment));
	const whole: unknown = typeof id === 'string' ? JSON.parse(id) : null;
	const same = typeof whole === 'object' && whole !== null ? id === recorded_payment : whole === payment.id;
	return same && paymentKey(payment) === payment_id;
}
