import { RupiahSchema } from '@kiosk/contract/money-schema';
import * as v from 'valibot';
import type { PaymentKey } from './records.ts';
import type { Rows } from './rows.ts';

const PrintRow = v.object({
	record: v.number(),
	/** When the record was written, ms of the wall clock. */
	at: v.number(),
	/** SHA-256, hex. */
	hash: v.string(),
	payment_id: v.pipe(
		v.string(),
		v.transform((key) => key as PaymentKey),
	),
	purpose: v.picklist(['receipt', 'copy', 'slip']),
	/** Whether the printout is the slip of an emptied cashbox. */
	collection: v.pipe(
		v.number(),
		v.transform((found) => found === 1),
	),
	/** The payment whose money was given back with this slip; null for other printouts. */
	given_for: v.nullable(
		v.pipe(
			v.string(),
			v.transform((key) => key as PaymentKey),
		),
	),
});
/** The record of a printout. */
export type PrintRecord = v.InferOutput<typeof PrintRow>;

const GiveBack = v.object({ record: v.number(), amount: RupiahSchema, by: v.string(), time: v.string() });
/** Money that staff gave back to a customer. `time`: ISO 8601. */
export type GiveBack = v.InferOutput<typeof GiveBack>;

const GivenSlip = v.object({
	give_id: v.string(),
	payment_id: v.pipe(
		v.string(),
		v.transform((key) => key as PaymentKey),
	),
	amount: RupiahSchema,
	by: v.string(),
	why: v.string(),
	time: v.string(),
});
/** Money given back for which no slip is printed or requested. `time`: ISO 8601. */
export type GivenSlip = v.InferOutput<typeof GivenSlip>;

/**
 * The reason recorded for a decision on the staff screen. The reason includes the name of the
 * second person, because a separate field would need a new journal format.
 * @param of.second name of the second person; null if one person decided
 */
export const screenReason = ({ second, approval }: { second: string | null; approval: string | undefined }): string =>
	`${SCREEN}${second === null ? '' : ` with ${second}`}${approval === undefined ? '' : `, approval code ${approval}`}`;

/** @returns the name of the second person in a reason of the staff screen, or null */
export const secondNameIn = (why: string): string | null => WITNESS.exec(why)?.[1] ?? null;

const SCREEN = 'decided on the staff screen';
const WITNESS = new RegExp(`^${SCREEN} with (.+?)(?:, approval code \\w+)?$`);

/** Printouts, and money given back to customers. */
export interface PrintBook {
	/** Number of receipts and copies of this payment that are on paper or may be. */
	timesPrinted(key: PaymentKey): number;
	/** Ids of the prints that have not ended. */
	openPrints(): string[];
	/** @returns the record that requested this print; null if this journal has no such record */
	printOf(print_id: string): PrintRecord | null;
	/** @returns the record with this number if it requested a print; else null */
	printAt(record: number): PrintRecord | null;
	/** @returns the number of the record that requested the payment's first receipt */
	firstReceiptOf(key: PaymentKey): number | null;
	/** Newest last. */
	givenBackOf(key: PaymentKey): GiveBack[];
	/**
	 * Money given back since the last cashbox count, for which no slip is printed or requested. Older
	 * slips are no longer needed, because the count has settled the cash.
	 */
	givenWithoutSlip(): GivenSlip[];
	/** @returns whether the slip of this give-back or count came out, or is being printed */
	hasSlip(id: string): boolean;
}

/**
 * @returns the SQL condition that a print for this id is done or requested. An abandoned print does
 * not count, because it is unknown whether the paper came out
 */
const PRINTED = (id: string): string =>
	`EXISTS (SELECT 1 FROM prints WHERE prints.payment_id = ${id} AND prints.state IN ('done', 'requested'))`;

const PRINT = `SELECT seq AS record, at, lower(hex(hash)) AS hash, body ->> 'payment_id' AS payment_id, body ->> 'purpose' AS purpose,
	EXISTS (SELECT 1 FROM records AS box WHERE box.kind = 'cashbox_collected' AND box.subject = records.body ->> 'payment_id') AS collection,
	(SELECT back.body ->> 'payment_id' FROM records AS back WHERE back.kind = 'money_given_back' AND back.subject = records.body ->> 'payment_id') AS given_for
	FROM records WHERE kind = 'print_requested' AND`;

export function printBook(rows: Rows): PrintBook {
	return {
		timesPrinted: (key) =>
			rows(
				v.object({ n: v.number() }),
				`SELECT count(*) AS n FROM prints CROSS JOIN records ON kind = 'print_requested' AND subject = print_id
				WHERE payment_id = ? AND state <> 'failed' AND body ->> 'purpose' <> 'slip'`,
				key,
			)[0]?.n ?? 0,
		openPrints: () =>
			rows(v.object({ print_id: v.string() }), `SELECT print_id FROM prints WHERE state = 'requested'`).map((row) => row.print_id),
		printOf: (print_id) => rows(PrintRow, `${PRINT} subject = ?`, print_id)[0] ?? null,
		printAt: (record) => rows(PrintRow, `${PRINT} seq = ?`, record)[0] ?? null,
		firstReceiptOf: (key) =>
			rows(
				v.object({ record: v.nullable(v.number()) }),
				`SELECT min(seq) AS record FROM prints CROSS JOIN records ON kind = 'print_requested' AND subject = print_id
				WHERE payment_id = ? AND body ->> 'purpose' = 'receipt'`,
				key,
			)[0]?.record ?? null,
		givenBackOf: (key) =>
			rows(
				GiveBack,
				`SELECT records.seq AS record, body ->> 'amount' AS amount, body ->> 'by' AS by, body ->> 'time' AS time
				FROM given_back CROSS JOIN records ON records.seq = given_back.seq WHERE given_back.payment_id = ? ORDER BY records.seq`,
				key,
			),
		givenWithoutSlip: () =>
			rows(
				GivenSlip,
				`SELECT give_id, given_back.payment_id, given_back.amount, body ->> 'by' AS by, body ->> 'why' AS why, body ->> 'time' AS time
				FROM given_back CROSS JOIN records ON records.seq = given_back.seq
				WHERE given_back.seq > (SELECT coalesce(max(seq), 0) FROM records INDEXED BY records_collected WHERE kind = 'cashbox_collected')
				AND NOT ${PRINTED('give_id')} ORDER BY given_back.seq`,
			),
		hasSlip: (id) => rows(v.object({ printed: v.number() }), `SELECT ${PRINTED('?')} AS printed`, id)[0]?.printed === 1,
	};
}
