import { type Rupiah, sumRupiah } from '@kiosk/contract/money';
import { RupiahSchema } from '@kiosk/contract/money-schema';
import * as v from 'valibot';
import { PAYMENT_OF } from './payment-book.ts';
import { JournalRecord, NOTE_OUTCOMES, Payment, type PaymentKey } from './records.ts';
import type { Rows } from './rows.ts';

/** A note as staff see it. */
const CashNote = v.object({
	note_id: v.string(),
	payment_id: v.nullable(v.string()),
	noinvoice: v.string(),
	nominal: v.nullable(RupiahSchema),
	time: v.string(),
	state: v.picklist(['intended', 'credited', 'returned', 'in_doubt']),
	why: v.string(),
});
export type CashNote = v.InferOutput<typeof CashNote>;
const NOTE = 'note_id, payment_id, noinvoice, nominal, time, state, why';

/**
 * A note that staff have to settle. `earlier`: the customer inserted it in an earlier period than
 * the one that lists it.
 */
export type OpenNote = CashNote & { earlier: boolean };

const InBox = v.object({ nominal: RupiahSchema, payment_id: v.nullable(v.string()), uploaded_seq: v.nullable(v.number()) });
type InBox = v.InferOutput<typeof InBox>;

const Settled = v.object({
	note_id: v.string(),
	noinvoice: v.string(),
	outcome: v.picklist(NOTE_OUTCOMES),
	nominal: v.nullable(RupiahSchema),
	by: v.string(),
	why: v.string(),
});

export interface Sum {
	count: number;
	/** Rupiah. */
	total: Rupiah;
}

/**
 * The contents of the cashbox in one period. A period ends when the cashbox is removed, or when it
 * is counted without a removal.
 */
export interface CashPeriod {
	/** From 1. */
	number: number;
	/**
	 * Beginning and end, ISO 8601. `since` is null in the first period, `until` is null in the
	 * current period.
	 */
	since: string | null;
	until: string | null;
	/** Largest first. */
	notes: { nominal: Rupiah; count: number }[];
	/** Rupiah that must be in the box; unsettled notes are not included. */
	expected: Rupiah;
	uploaded: Sum;
	waiting: Sum;
	/** Settled notes in the box that belong to no invoice. */
	without_invoice: Sum;
	/**
	 * `in_doubt`: unsettled notes of invoices. `unexplained`: unsettled notes without an invoice. The
	 * current period also lists such notes of earlier periods.
	 */
	in_doubt: OpenNote[];
	unexplained: OpenNote[];
	settled: v.InferOutput<typeof Settled>[];
	/**
	 * The person who counted the box of this period, and the expected and the counted amount. Both
	 * amounts cover all periods that were counted together.
	 */
	collected: { by: string; expected: Rupiah; counted: Rupiah | null } | null;
	/**
	 * The removal of the cashbox that ended the period. `returned`: when a box was inserted again,
	 * ISO 8601.
	 */
	removed: { removal_id: string; time: string; returned: string | null } | null;
}

/** One or more periods that are counted together. */
export interface DuePeriods extends CashPeriod {
	/** Number of the first period; `number` is the number of the last period. */
	first: number;
}

const Removal = v.object({
	removal_id: v.string(),
	seq: v.number(),
	time: v.string(),
	returned: v.nullable(v.string()),
	collected_seq: v.nullable(v.number()),
});
const REMOVAL = 'removal_id, seq, time, returned, collected_seq';
/** A removed cashbox that is not counted yet. Times are ISO 8601. */
export interface UncountedBox {
	time: string;
	returned: string | null;
}
/**
 * Maximum number of uncounted removals that are read, in case a box is removed daily but never
 * counted.
 */
const MOST_UNCOUNTED = 1_000;

const PartialRow = v.object({
	payment: v.pipe(v.string(), v.parseJson(), Payment),
	received: RupiahSchema,
	since: v.string(),
});
/** A partly paid invoice with money of this kiosk. */
export interface PartialPayment {
	payment: Payment;
	/** Rupiah. */
	received: Rupiah;
	/** Time of the first note. If there are only card sales: time of the first sale. */
	since: string;
}

const NewestNote = v.object({
	payment_id: v.pipe(
		v.string(),
		v.transform((key) => key as PaymentKey),
	),
	time: v.string(),
	seq: v.number(),
});
/** A payment, and the time (ISO 8601) and record of its newest note. */
export type NewestNote = v.InferOutput<typeof NewestNote>;
/**
 * To find N payments, N times this number of notes are read, because most payments have one to four
 * notes.
 */
const NOTES_A_PAYMENT = 5;

/** The contents of the slip of a count. `time`: ISO 8601. */
export interface LastCount {
	collection_id: string;
	time: string;
	/** Number of the last period that the count includes. */
	number: number;
	by: string;
	notes: { nominal: Rupiah; count: number }[];
	expected: Rupiah;
	/** Rupiah found; null if the money was not counted. */
	counted: Rupiah | null;
	/** Number of unsettled notes that may have fallen into this box or an earlier box. */
	inDoubt: number;
}

/**
 * The condition of the index of open notes. A query for notes in doubt must repeat this condition.
 * Otherwise SQLite does not use the index and scans all notes.
 */
export const OPEN_NOTES = `state IN ('intended', 'in_doubt')`;

/** The cashbox and partly paid invoices in the journal. */
export interface CashBook {
	/**
	 * @param beginning the first characters of a note id
	 * @returns the notes whose id begins with them, oldest first
	 */
	find(beginning: string): CashNote[];
	/**
	 * @param number the period's number; null: the current period
	 * @returns null if there is no such period
	 */
	period(number: number | null): CashPeriod | null;
	/**
	 * The periods of the next count: all uncounted periods that ended with a removal. If there are
	 * none, the current period.
	 * @param through number of the last period to count; null: the periods described above
	 * @returns null if no such period is to be counted
	 */
	due(through: number | null): DuePeriods | null;
	/** The last count of the cashbox, or null. */
	lastCount(): LastCount | null;
	/** Removals of the cashbox that are not counted yet, oldest first. */
	uncounted(): UncountedBox[];
	/** Id of the last removal after which no box was inserted; null if a box is inserted. */
	boxOut(): string | null;
	/**
	 * Partly paid invoices with money of this kiosk, oldest first.
	 * @param of `except`: payment to leave out; `most`: maximum number of invoices; default all
	 */
	partials(of?: { except?: PaymentKey | null; most?: number }): PartialPayment[];
	/**
	 * Number and received amount of the partly paid invoices, rupiah.
	 * @param except payment to leave out
	 */
	partialSum(except: PaymentKey | null): { count: number; total: number };
	/**
	 * The payments with the newest notes, newest first. A note that was found in the cashbox or moved
	 * to the invoice counts as new since then.
	 */
	newestPayments(most: number): NewestNote[];
	/** Whether a note of this payment was taken, or may have been, since its last slip. */
	slipDue(key: PaymentKey): boolean;
}

/**
 * Creates the queries of the cashbox. Their CROSS JOIN makes SQLite read the smaller side first
 * instead of the whole history.
 */
export function cashBook(rows: Rows): CashBook {
	const Boundary = v.object({ seq: v.number(), body: v.pipe(v.string(), v.parseJson(), JournalRecord) });
	/** Records that end a period. This condition must equal the condition of the index. */
	const ENDS = `(kind = 'cashbox_removed' OR (kind = 'cashbox_collected' AND body ->> 'removal' IS NULL))`;
	const Count = v.object({ count: v.number() });

	/** @returns the number of periods that ended at or before this record */
	const ended = (seq: number): number =>
		rows(Count, `SELECT count(*) AS count FROM records INDEXED BY records_boxes WHERE ${ENDS} AND seq <= ?`, seq)[0]?.count ?? 0;

	/** @param number a period's number, from 1 @returns the record that ended the period, or null */
	function endOf(number: number) {
		const sql = `SELECT seq, body FROM records INDEXED BY records_boxes WHERE ${ENDS} ORDER BY seq LIMIT 1 OFFSET ?`;
		const found = number < 1 ? undefined : rows(Boundary, sql, number - 1)[0];
		return found && 'time' in found.body ? { seq: found.seq, time: found.body.time, record: found.body } : null;
	}

	const removals = (where: string, ...parameters: (string | number)[]) =>
		rows(Removal, `SELECT ${REMOVAL} FROM box_removals WHERE ${where}`, ...parameters);
	const uncounted = () => removals('collected_seq IS NULL ORDER BY seq LIMIT ?', MOST_UNCOUNTED);

	/** @returns the count of a period, and the removal that ended it */
	function endingOf(end: ReturnType<typeof endOf>): Pick<CashPeriod, 'collected' | 'removed'> {
		if (end === null) return { collected: null, removed: null };
		if (end.record.kind === 'cashbox_collected') return { collected: countOf(end.record), removed: null };
		const [removal] = end.record.kind === 'cashbox_removed' ? removals('removal_id = ?', end.record.removal_id) : [];
		if (!removal) return { collected: null, removed: null };
		const { removal_id, time, returned, collected_seq } = removal;
		const count =
			collected_seq === null ? undefined : rows(Boundary, 'SELECT seq, body FROM records WHERE seq = ?', collected_seq)[0]?.body;
		return { collected: count?.kind === 'cashbox_collected' ? countOf(count) : null, removed: { removal_id, time, returned } };
	}

	/**
	 * @returns the notes credited between two records. `+kind` disables the index on kind, so that
	 * only these records are read, not every credit in the journal
	 */
	const credited = (after: number, to: number): InBox[] =>
		rows(
			InBox,
			`SELECT nominal, payment_id, uploaded_seq FROM records JOIN notes ON note_id = subject
			WHERE seq > ? AND seq <= ? AND +kind = 'cash_credit'`,
			after,
			to,
		);

	/**
	 * Joins a note with the record of its insertion, because a settled note belongs to the cashbox
	 * into which it fell, regardless of when it was settled.
	 */
	const BEGUN = `CROSS JOIN records AS begun ON begun.kind IN ('cash_intent', 'cash_unexplained') AND begun.subject = note_id`;
	const found = (after: number, to: number): InBox[] =>
		rows(
			InBox,
			`SELECT notes.nominal, payment_id, uploaded_seq FROM records AS settled JOIN notes ON note_id = settled.subject ${BEGUN}
			WHERE settled.kind = 'cash_settled' AND settled.body ->> 'outcome' = 'in_box' AND begun.seq > ? AND begun.seq <= ?`,
			after,
			to,
		);
	const settled = (after: number, to: number) =>
		rows(
			Settled,
			`SELECT note_id, noinvoice, settled.body ->> 'outcome' AS outcome, notes.nominal, settled.body ->> 'by' AS by,
			settled.body ->> 'why' AS why FROM records AS settled JOIN notes ON note_id = settled.subject ${BEGUN}
			WHERE settled.kind = 'cash_settled' AND begun.seq > ? AND begun.seq <= ? ORDER BY settled.seq`,
			after,
			to,
		);
	const OpenRow = v.object({ ...CashNote.entries, begun: v.number() });
	function open(after: number, to: number, earlierToo: boolean): OpenNote[] {
		const sql = `SELECT ${NOTE}, begun.seq AS begun FROM notes ${BEGUN}
			WHERE ${OPEN_NOTES} AND state = 'in_doubt' AND begun.seq > ? AND begun.seq <= ? ORDER BY begun.seq`;
		return rows(OpenRow, sql, earlierToo ? 0 : after, to).map(({ begun, ...note }) => ({ ...note, earlier: begun <= after }));
	}

	/** Reads the table of balances, which is small: it contains only invoices that need staff. */
	const partials = ({ except = null, most = -1 }: { except?: PaymentKey | null; most?: number } = {}): PartialPayment[] =>
		rows(
			PartialRow,
			`SELECT ${PAYMENT_OF('balances.payment_id')} AS payment, received, coalesce(
				(SELECT min(time) FROM notes WHERE notes.payment_id = balances.payment_id AND notes.state = 'credited'),
				(SELECT min(time) FROM card_sales WHERE card_sales.payment_id = balances.payment_id AND card_sales.state = 'approved'), '') AS since
			FROM balances WHERE state = 'partial' AND payment_id <> ? ORDER BY seq LIMIT ?`,
			except ?? '',
			most,
		);
	// The sum of many invoices may exceed the maximum of a single amount.
	const partialSum = (except: PaymentKey | null): { count: number; total: number } =>
		rows(
			v.object({ count: v.number(), total: v.number() }),
			`SELECT count(*) AS count, coalesce(sum(received), 0) AS total FROM balances WHERE state = 'partial' AND payment_id <> ?`,
			except ?? '',
		)[0] ?? { count: 0, total: 0 };

	function period(number: number | null): CashPeriod | null {
		const running = ended(Number.MAX_SAFE_INTEGER) + 1;
		const wanted = number ?? running;
		if (wanted < 1 || wanted > running) return null;
		const [before, end] = [endOf(wanted - 1), endOf(wanted)];
		const [after, to] = [before?.seq ?? 0, end?.seq ?? Number.MAX_SAFE_INTEGER];
		const inBox = [...credited(after, to), ...found(after, to)];
		const doubtful = open(after, to, end === null);
		return {
			number: wanted,
			since: before?.time ?? null,
			until: end?.time ?? null,
			notes: byNominal(inBox),
			expected: sumOf(inBox).total,
			uploaded: sumOf(inBox.filter((note) => note.payment_id !== null && note.uploaded_seq !== null)),
			waiting: sumOf(inBox.filter((note) => note.payment_id !== null && note.uploaded_seq === null)),
			without_invoice: sumOf(inBox.filter((note) => note.payment_id === null)),
			in_doubt: doubtful.filter((note) => note.payment_id !== null),
			unexplained: doubtful.filter((note) => note.payment_id === null),
			settled: settled(after, to),
			...endingOf(end),
		};
	}

	function lastCount(): LastCount | null {
		const sql = `SELECT seq, body FROM records INDEXED BY records_collected WHERE kind = 'cashbox_collected' ORDER BY seq DESC LIMIT 1`;
		const [found] = rows(Boundary, sql);
		if (found?.body.kind !== 'cashbox_collected') return null;
		const { collection_id, time, by, notes, expected, counted, removal } = found.body;
		const removed = removal === undefined ? undefined : removals('removal_id = ?', removal)[0];
		const end = removed?.seq ?? found.seq;
		return { collection_id, time, number: ended(end), by, notes, expected, counted, inDoubt: open(0, end, true).length };
	}

	return {
		lastCount,
		find: (beginning) =>
			rows(CashNote, `SELECT ${NOTE} FROM notes WHERE note_id >= ? AND note_id < ? || 'g' ORDER BY time`, beginning, beginning),
		period,
		due(through) {
			const waiting = uncounted();
			const running = ended(Number.MAX_SAFE_INTEGER) + 1;
			const newest = waiting.at(-1);
			const first = waiting[0] ? ended(waiting[0].seq) : running;
			const last = through ?? (newest ? ended(newest.seq) : running);
			if (last < first || last > running) return null;
			const periods = Array.from({ length: last - first + 1 }, (_, at) => period(first + at)).filter((one) => one !== null);
			return mergePeriods(periods);
		},
		uncounted: () => uncounted().map(({ time, returned }) => ({ time, returned })),
		boxOut: () => removals('returned IS NULL ORDER BY seq DESC LIMIT 1')[0]?.removal_id ?? null,
		partials,
		partialSum,
		newestPayments(most) {
			const newestBy = (seq: 'credited_seq' | 'moved_seq') =>
				rows(
					NewestNote,
					`SELECT payment_id, time, ${seq} AS seq FROM notes WHERE ${seq} IS NOT NULL AND payment_id IS NOT NULL ORDER BY ${seq} DESC LIMIT ?`,
					most * NOTES_A_PAYMENT,
				);
			const notes = [...newestBy('credited_seq'), ...newestBy('moved_seq')].sort((a, b) => b.seq - a.seq);
			const newest = new Map<PaymentKey, NewestNote>();
			for (const note of notes) if (!newest.has(note.payment_id)) newest.set(note.payment_id, note);
			return [...newest.values()].slice(0, most);
		},
		slipDue: (key) =>
			rows(
				v.object({ due: v.number() }),
				`SELECT count(*) AS due FROM notes CROSS JOIN records ON kind = 'cash_intent' AND subject = note_id
				WHERE payment_id = ? AND state IN ('credited', 'in_doubt') AND seq > (
					SELECT coalesce(max(seq), 0) FROM prints CROSS JOIN records ON kind = 'print_requested' AND subject = print_id
					WHERE prints.payment_id = ? AND prints.state <> 'failed' AND body ->> 'purpose' = 'slip')`,
				key,
				key,
			).some(({ due }) => due > 0),
	};
}

const countOf = ({ by, expected, counted }: Extract<JournalRecord, { kind: 'cashbox_collected' }>) => ({ by, expected, counted });

/**
 * @param periods the periods in their order
 * @returns the periods as one, or null if there are none
 */
function mergePeriods(periods: readonly CashPeriod[]): DuePeriods | null {
	const [first, last] = [periods[0], periods.at(-1)];
	if (!first || !last) return null;
	const sum = (part: (period: CashPeriod) => Sum): Sum => ({
		count: periods.reduce((count, period) => count + part(period).count, 0),
		total: sumRupiah(periods.map((period) => part(period).total)),
	});
	const each = periods.flatMap(({ notes }) => notes.flatMap(({ nominal, count }) => Array.from({ length: count }, () => ({ nominal }))));
	// An open note is listed in its own period and in the current period. `once` removes the
	// duplicate.
	const once = <N extends { note_id: string }>(notes: N[]): N[] => [...new Map(notes.map((note) => [note.note_id, note])).values()];
	return {
		...last,
		first: first.number,
		since: first.since,
		notes: byNominal(each),
		expected: sumRupiah(periods.map(({ expected }) => expected)),
		uploaded: sum(({ uploaded }) => uploaded),
		waiting: sum(({ waiting }) => waiting),
		without_invoice: sum(({ without_invoice }) => without_invoice),
		in_doubt: once(periods.flatMap(({ in_doubt }) => in_doubt)),
		unexplained: once(periods.flatMap(({ unexplained }) => unexplained)),
		settled: periods.flatMap(({ settled }) => settled),
	};
}

const sumOf = (notes: readonly { nominal: Rupiah }[]): Sum => ({
	count: notes.length,
	total: sumRupiah(notes.map((note) => note.nominal)),
});

function byNominal(notes: readonly { nominal: Rupiah }[]): { nominal: Rupiah; count: number }[] {
	const counts = new Map<Rupiah, number>();
	for (const { nominal } of notes) counts.set(nominal, (counts.get(nominal) ?? 0) + 1);
	return [...counts].map(([nominal, count]) => ({ nominal, count })).sort((a, b) => b.nominal - a.nominal);
}
