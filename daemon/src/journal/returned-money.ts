import { type Rupiah, remaining, rupiah, sumRupiah } from '@kiosk/contract/money';
import { RupiahSchema } from '@kiosk/contract/money-schema';
import * as v from 'valibot';
import type { InvoiceView } from './money-facts.ts';
import { Payment, type PaymentKey, paymentKey, sameInvoice } from './records.ts';
import { listedParts, type RecordedView, type Returned, removedPart } from './returned-listed.ts';
import type { Rows } from './rows.ts';
import { SeenBody, viewOf } from './statement.ts';

/**
 * Money that the customer got back but the back office may still count, rupiah. Fields with
 * `Earlier`: money taken under other numbers of the invoice.
 */
export interface ReturnedMoney {
	/** Card sales under this number that are still in the back office's list. */
	listed: Rupiah;
	/** Money under other numbers that is still in the list. */
	listedEarlier: Rupiah;
	/** Money under other numbers that may still be in the paid amount that the server reports. */
	countedEarlier: Rupiah;
	/** All returned money under other numbers, whether still counted or not. */
	allEarlier: Rupiah;
}

/**
 * The newest record that ended a void of `sale` or in which staff settled the sale; 0 if there is
 * none.
 */
export const UNDONE_AT = `max(
	coalesce((SELECT max(ended_seq) FROM card_actions WHERE card_actions.attempt_id = sale.attempt_id AND state = 'done'), 0),
	coalesce((SELECT max(seq) FROM records WHERE kind = 'card_settled' AND body ->> 'attempt_id' = sale.attempt_id), 0))`;
const MOVED_AWAY = `records AS moved JOIN notes ON note_id = moved.body ->> 'note_id' WHERE moved.kind = 'note_moved'`;
/**
 * The largest amount by which outgoing money of the payment `key` ever exceeded its incoming money.
 * It is above 0 only if a charge that counted as received was voided or not made. A moved note is
 * outgoing money of its old invoice and incoming money of its new invoice.
 * @param how.until number of a record: only money that moved before this record counts; a sale that
 * was undone after this record still counts
 * @param how.unknown whether a sale of unknown outcome counts as received
 */
export const notReceived = (
	key: string,
	{ until, unknown }: { until?: string; unknown: boolean },
): string => `max(0, coalesce((SELECT max(-held) FROM (
		SELECT sum(amount) OVER (ORDER BY seq) AS held FROM (
			SELECT coalesce(moved_seq, credited_seq) AS seq, nominal AS amount FROM notes WHERE payment_id = ${key} AND state = 'credited'
			UNION ALL SELECT coalesce((SELECT max(seq) FROM records AS earlier
					WHERE earlier.kind = 'note_moved' AND earlier.body ->> 'note_id' = note_id AND earlier.seq < moved.seq), credited_seq), nominal
				FROM ${MOVED_AWAY} AND moved.body ->> 'from' = ${key}
			UNION ALL SELECT moved.seq, -nominal FROM ${MOVED_AWAY} AND moved.body ->> 'from' = ${key}
			UNION ALL SELECT sent_seq, amount FROM card_sales AS sale WHERE payment_id = ${key}
				AND (state = 'approved' ${unknown ? `OR state = 'unknown'` : ''}
					${until === undefined ? '' : `OR max(${UNDONE_AT}, coalesce(outcome_seq, 0)) > ${until}`})
			UNION ALL SELECT records.seq, -(body ->> 'amount') FROM given_back AS given CROSS JOIN records ON records.seq = given.seq
				WHERE given.payment_id = ${key}
		) ${until === undefined ? '' : `WHERE seq < ${until}`})), 0))`;
/**
 * The amount that was received for the payment `key` and later given back. A sale of unknown
 * outcome counts as received.
 */
export const GIVEN_BACK_OF = (
	key: string,
): string => `(SELECT CASE count(*) WHEN 0 THEN 0 ELSE sum(amount) - ${notReceived(key, { unknown: true })} END
	FROM given_back AS given WHERE given.payment_id = ${key})`;
/**
 * The record with which staff began the void of `sale`; null without a void. The outcome of a void
 * may be known much later.
 */
const VOID_BEGUN_AT = `(SELECT max(seq) FROM card_actions CROSS JOIN records ON kind = 'card_action' AND subject = action_id
	WHERE card_actions.attempt_id = sale.attempt_id AND action = 'void')`;
const Row = v.object({
	kind: v.picklist(['sale', 'given']),
	payment: v.pipe(v.string(), v.parseJson(), Payment),
	amount: RupiahSchema,
	refused: RupiahSchema,
	reported_at: v.number(),
	begun_at: v.number(),
	returned_at: v.number(),
});
/**
 * The record that confirms the report of `sale`; if there is none, the record with which the report
 * began.
 */
const REPORTED_AT = `coalesce(relayed_seq, (SELECT seq FROM records WHERE kind = 'card_approval_begun' AND subject = sale.attempt_id))`;
/**
 * Returned money of these payments: reported card sales that no longer count as received. For
 * numbers other than ?2, the rows also include money given back and approved sales that have become
 * unknown again. Money given back is included even for an unconfirmed note, because the back office
 * may have booked a note that it refused. Money taken after the last give-back was not given back.
 * Give-backs of number ?2 are left out, because `removedMoney` compares them with the list of this
 * number.
 */
const RETURNED = `SELECT 'sale' AS kind, payment, amount, 0 AS refused, ${REPORTED_AT} AS reported_at,
		coalesce(${VOID_BEGUN_AT}, ${UNDONE_AT}) AS begun_at,
		CASE state WHEN 'unknown' THEN ${Number.MAX_SAFE_INTEGER} ELSE ${UNDONE_AT} END AS returned_at FROM card_sales AS sale
	WHERE payment_id IN (SELECT value FROM json_each(?1)) AND approved_seq IS NOT NULL AND reported_at IS NOT NULL
		AND (state IN ('voided', 'not_charged') OR (state = 'unknown' AND payment_id <> ?2))
	UNION ALL SELECT 'given', payment, min(given, sum(iif(taken_at < given_at, reported.amount, 0))), sum(refused), min(reported.seq), given_at, given_at FROM (
		SELECT payment_id, nominal AS amount, iif(parked IS NULL, 0, nominal) AS refused, credited_seq AS seq, credited_seq AS taken_at FROM notes
			WHERE payment_id IN (SELECT value FROM json_each(?1)) AND state = 'credited'
		UNION ALL SELECT payment_id, amount, 0, ${REPORTED_AT} AS seq, sent_seq FROM card_sales AS sale
			WHERE payment_id IN (SELECT value FROM json_each(?1)) AND state = 'approved' AND seq IS NOT NULL) AS reported
	JOIN invoices USING (payment_id)
	JOIN (SELECT payment_id, ${GIVEN_BACK_OF('given_back.payment_id')} AS given, max(seq) AS given_at FROM given_back
		WHERE payment_id IN (SELECT value FROM json_each(?1)) GROUP BY payment_id) USING (payment_id)
	WHERE payment_id <> ?2 GROUP BY payment_id`;
const Statement = v.object({ seq: v.number(), seen: v.pipe(v.string(), v.parseJson(), SeenBody) });
const STATEMENTS = `SELECT seq, body AS seen FROM (SELECT DISTINCT value AS number FROM json_each(?)) CROSS JOIN records
	ON kind = 'invoice_seen' AND body ->> '$.payment.noinvoice' = number WHERE seq > ? ORDER BY seq`;

const FIRST_NOTE = `SELECT credited_seq AS seq FROM notes WHERE payment_id = ? AND state = 'credited' ORDER BY credited_seq LIMIT 1`;
const Given = v.object({ seq: v.number(), amount: RupiahSchema });

/**
 * @returns the part of the money given back for a payment that the cashier has removed from the
 * list, rupiah
 */
export function removedMoney(rows: Rows, payment: Payment): Rupiah {
	const key = paymentKey(payment);
	const given = rows(Given, 'SELECT seq, amount FROM given_back WHERE payment_id = ?', key);
	const [first] = rows(v.object({ seq: v.number() }), FIRST_NOTE, key);
	if (!first) return rupiah(0);
	const views = viewsSince(rows, [payment.noinvoice], first.seq, (one) => paymentKey(one) === key);
	return removedPart(views, given);
}

/** @returns the journal's statements about these numbers, oldest first */
function viewsSince(rows: Rows, numbers: readonly string[], since: number, isOurs: (payment: Payment) => boolean): RecordedView[] {
	return rows(Statement, STATEMENTS, JSON.stringify(numbers), since)
		.filter(({ seen: { payment } }) => isOurs(payment))
		.map(({ seq, seen: body }) => ({ seq, key: paymentKey(body.payment), view: viewOf(body) }));
}

/**
 * @param of.key the payment
 * @param of.keys the keys of all numbers of its invoice
 * @param of.payment null if the journal has no record of it
 * @param of.reported amount of the payment's reported card sales that the back office counts,
 * rupiah
 * @param of.named amount given back for notes of other numbers that the list names, rupiah
 * @param seen a statement that is not in the journal yet; null: the newest one in the journal is
 * used
 */
export function returnedMoney(
	rows: Rows,
	of: { key: PaymentKey; keys: readonly string[]; payment: Payment | null; reported: () => Rupiah; named: Rupiah },
	seen: InvoiceView | null,
): ReturnedMoney {
	// A payment with a reused id belongs to another invoice.
	const isOurs = (other: Payment): boolean => of.payment === null || sameInvoice(of.payment, other);
	const returned = rows(Row, RETURNED, JSON.stringify(of.keys), of.key).flatMap((one) =>
		isOurs(one.payment) ? [{ ...one, key: paymentKey(one.payment) }] : [],
	);
	if (returned.length === 0) return { listed: rupiah(0), listedEarlier: of.named, countedEarlier: of.named, allEarlier: of.named };
	const numbers = [...returned.map(({ payment }) => payment.noinvoice), ...(of.payment ? [of.payment.noinvoice] : [])];
	const since = Math.min(...returned.map(({ reported_at }) => reported_at));
	const known = viewsSince(rows, numbers, since, isOurs);
	const views = seen
		? [...known, { seq: Number.MAX_SAFE_INTEGER, key: of.key, view: seen }]
		: known.slice(0, known.findLastIndex(({ key }) => key === of.key) + 1);
	const parts = listedParts(views, returned).map((listed, at) => ({ listed, ...(returned[at] as (typeof returned)[number]) }));
	const own = sumRupiah(parts.filter(({ key }) => key === of.key).map(({ listed }) => listed));
	const isDenied = (returned_at: number): boolean => views.some(({ seq, view }) => seq > returned_at && !view.is_paid);
	const earlier = (part: (one: (typeof parts)[number]) => Rupiah): Rupiah => {
		const sum = (kind: Returned['kind']) => sumRupiah(parts.filter((one) => one.key !== of.key && one.kind === kind).map(part));
		return sumRupiah([sum('sale'), rupiah(Math.max(of.named, sum('given')))]);
	};
	// An answer that is older than the void still counts the sale as ours.
	const counted = remaining(views.at(-1)?.view.own.cards_confirmed ?? rupiah(0), of.reported());
	return {
		listed: remaining(own, counted),
		listedEarlier: earlier(({ listed }) => listed),
		countedEarlier: earlier(({ amount, listed, returned_at }) => (isDenied(returned_at) ? listed : amount)),
		allEarlier: earlier(({ amount }) => amount),
	};
}
