/** Finds payments in the journal by key, invoice number, id or age. */
import * as v from 'valibot';
import { keysFrom, keysWithId, withoutNumber } from './payment-keys.ts';
import { type Account, Payment, type PaymentKey, sameAccount } from './records.ts';
import type { Rows } from './rows.ts';

export interface PaymentBook {
	/** The payment with its newest known data; null if the journal has no record of it. */
	paymentOf(key: PaymentKey): Payment | null;
	/**
	 * This account's payments with this id, newest first. There may be several, because a server may
	 * reuse an id for another invoice.
	 */
	paymentsWithId(account: Account, id: string): Payment[];
	/**
	 * Payments with the invoice number `name`, of all accounts. If there are none: payments of
	 * `account` whose id is `name`, and the payment whose key is `name` (in version 0.1.0 the key is
	 * the id).
	 */
	paymentsNamed(name: string, account: Account | null): Payment[];
	/**
	 * This account's payments with a note in doubt or an unknown card sale at this kiosk, then its
	 * payments that received money here. Both groups are sorted by newest money.
	 */
	newestInvoices(account: Account | null, most: number): Payment[];
}

/** Number of newest notes, and of newest card sales, that are searched for the newest payments. */
const NEWEST_MONEY = 200;
/** The whole payment, for display. */
export const PAYMENT_OF = (key: string): string => `coalesce((SELECT payment FROM invoices WHERE payment_id = ${key}),
	(SELECT payment FROM (
		SELECT seq, body -> '$.payment' AS payment FROM notes AS own CROSS JOIN records ON kind = 'cash_intent' AND subject = own.note_id WHERE own.payment_id = ${key}
		UNION ALL SELECT sent_seq, payment FROM card_sales AS own WHERE own.payment_id = ${key}) ORDER BY seq DESC LIMIT 1))`;

/**
 * `unsure`: staff have to find out whether there is money, so the invoice is listed however old it
 * is.
 */
const NEWEST = `SELECT ${PAYMENT_OF('took.payment_id')} AS payment FROM (
	SELECT * FROM (
		SELECT payment_id, credited_seq AS seq, 0 AS unsure FROM notes WHERE credited_seq IS NOT NULL ORDER BY credited_seq DESC LIMIT ${NEWEST_MONEY})
	UNION ALL SELECT * FROM (
		SELECT payment_id, approved_seq, 0 FROM card_sales WHERE approved_seq IS NOT NULL ORDER BY approved_seq DESC LIMIT ${NEWEST_MONEY})
	UNION ALL SELECT payment_id, sent_seq, 1 FROM card_sales WHERE state = 'unknown'
	UNION ALL SELECT payment_id, records.seq, 1 FROM notes CROSS JOIN records ON kind = 'cash_intent' AND subject = note_id
		WHERE state IN ('intended', 'in_doubt')) AS took
WHERE took.payment_id IS NOT NULL GROUP BY took.payment_id ORDER BY max(unsure) DESC, max(seq) DESC`;

export function paymentBook(rows: Rows): PaymentBook {
	const paymentOf = (key: PaymentKey): Payment | null =>
		rows(v.object({ payment: v.nullable(v.pipe(v.string(), v.parseJson(), Payment)) }), `SELECT ${PAYMENT_OF('?1')} AS payment`, key)[0]
			?.payment ?? null;
	const paymentsWithId = (account: Account, id: string): Payment[] => {
		const [from, to] = keysWithId(account, id);
		return rows(
			v.object({ payment: v.pipe(v.string(), v.parseJson(), Payment) }),
			`SELECT ${PAYMENT_OF('known.payment_id')} AS payment FROM (
				SELECT payment_id, max(credited_seq) AS seq FROM notes WHERE payment_id > ?1 AND payment_id < ?2 AND state <> 'returned' GROUP BY payment_id
				UNION SELECT payment_id, max(sent_seq) FROM card_sales WHERE payment_id > ?1 AND payment_id < ?2 GROUP BY payment_id
				UNION SELECT payment_id, seen_seq FROM invoices WHERE payment_id > ?1 AND payment_id < ?2) AS known
			GROUP BY known.payment_id ORDER BY max(seq) DESC`,
			from,
			to,
		).map(({ payment }) => payment);
	};

	return {
		paymentOf,
		paymentsWithId,
		paymentsNamed(name, account) {
			const Key = v.object({ payment_id: v.string() });
			const numbered = rows(
				Key,
				`SELECT payment_id FROM notes WHERE noinvoice = ?1 AND payment_id IS NOT NULL
				UNION SELECT payment_id FROM card_sales WHERE payment ->> 'noinvoice' = ?1 AND payment_id IS NOT NULL
				UNION SELECT payment_id FROM balances WHERE ${PAYMENT_OF('balances.payment_id')} ->> 'noinvoice' = ?1`,
				name,
			).flatMap(({ payment_id }) => paymentOf(payment_id as PaymentKey) ?? []);
			if (numbered.length > 0) return numbered;
			return [...(account ? paymentsWithId(account, name) : []), ...[paymentOf(name as PaymentKey)].flatMap((found) => found ?? [])];
		},
		newestInvoices: (account, most) =>
			rows(v.object({ payment: v.nullable(v.pipe(v.string(), v.parseJson(), Payment)) }), NEWEST)
				.flatMap(({ payment }) => (payment && sameAccount(payment.account, account) ? [payment] : []))
				.slice(0, most),
	};
}

/**
 * @returns this key, and the keys of all payments with the same account and id that the back office
 * has reported
 */
export const keysOfNumbers = (rows: Rows, key: string): string[] => {
	const beginning = withoutNumber(key as PaymentKey);
	if (beginning === key) return [key];
	const sql = 'SELECT payment_id FROM invoices WHERE payment_id > ? AND payment_id < ?';
	const known = rows(v.object({ payment_id: v.string() }), sql, ...keysFrom(beginning)).map(({ payment_id }) => payment_id);
	return [...new Set([key, ...known])];
};
