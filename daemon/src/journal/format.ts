/**
 * Formats of the journal. A kiosk may return to its previous version at any time. A new kind of
 * record, field value or meaning therefore gets a new format, which one release can read before the
 * next release writes it (docs/developer/money.md, "Versions").
 */
import * as v from 'valibot';
import type { JournalRecord } from './records.ts';

/** The newest format that this version reads; it also reads all older formats. */
export const READS = 2;
/** The newest format that this version writes: the newest that the previous release can read. */
export const WRITES = 2;
/**
 * The newest format that this version writes while it is on trial: the newest that the previous
 * release writes.
 */
export const TRIAL_WRITES = 2;

/** For each format: the lowest `READS` of a version that can use a journal of this format. */
export const READABLE_FROM: Readonly<Record<number, number>> = { 1: 1, 2: 2 };

/** The format that introduced each kind of record. */
export const INTRODUCED: Readonly<Record<JournalRecord['kind'], number>> = {
	acceptor_lock: 1,
	acceptor_rush: 2,
	card_action: 1,
	card_action_ended: 1,
	card_approval_begun: 2,
	card_approval_sent: 1,
	card_evidence: 1,
	card_outcome: 1,
	card_qr_shown: 1,
	card_sale: 1,
	card_settled: 1,
	card_unexplained: 1,
	card_unknown: 1,
	cash_credit: 1,
	cash_evidence: 1,
	cash_in_doubt: 1,
	cash_intent: 1,
	cash_returned: 1,
	cash_settled: 1,
	cash_unexplained: 1,
	cashbox_collected: 1,
	cashbox_removed: 2,
	cashbox_returned: 2,
	invoice_paid: 1,
	invoice_reviewed: 2,
	invoice_seen: 2,
	journal_resealed: 2,
	journal_restarted: 1,
	money_given_back: 2,
	note_booked: 2,
	note_moved: 2,
	note_parked: 2,
	note_resent: 2,
	note_uploaded: 1,
	partial_settled: 1,
	print_ended: 1,
	print_requested: 1,
	staff_names_changed: 2,
};

/** The format data in a journal's file. */
export interface CarriedFormat {
	/** The newest format among its records. */
	written: number;
	/** A version can use the file if its `READS` is at least this number. */
	readableFrom: number;
}

const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const FormatRow = v.object({ written_format: whole, readable_from: whole });
/** The format of a journal of version 0.1.0, which wrote no format. */
const FIRST: CarriedFormat = { written: 1, readableFrom: 1 };

/** @param store reads the file @returns the file's format; throws if its format table is invalid */
export function carriedFormat(store: { rows(sql: string): Record<string, unknown>[] }): CarriedFormat {
	if (store.rows(`SELECT 1 FROM sqlite_schema WHERE name = 'format'`).length === 0) return FIRST;
	const [row] = store.rows('SELECT written_format, readable_from FROM format');
	if (!row) return FIRST;
	const { written_format, readable_from } = v.parse(FormatRow, row);
	return { written: written_format, readableFrom: readable_from };
}

/** @returns a sentence if only a newer version can read the journal, else null */
export const newerSentence = ({ written, readableFrom }: CarriedFormat): string | null =>
	readableFrom > READS
		? `the journal was written by a newer version of the kiosk (format ${written}); this version reads formats up to ${READS}`
		: null;

/**
 * Throws if the record's format is newer than `allowed`. Such a write would be a bug, because the
 * previous version could not read the record.
 * @param allowed newest format that may be written
 */
export function assertWritable(kind: JournalRecord['kind'], allowed: number): void {
	const format = INTRODUCED[kind];
	if (format > allowed) throw new Error(`${kind} belongs to format ${format}, and only format ${allowed} may be written now`);
}
