import type { Rupiah } from '@kiosk/contract/money';
import { RupiahSchema } from '@kiosk/contract/money-schema';
import type { Today } from '@kiosk/contract/staff-home';
import * as v from 'valibot';
import { isPaidState } from './balance.ts';
import type { MoneyBook } from './money-book.ts';
import { Payment, type PaymentKey, paymentKey } from './records.ts';
import type { Rows } from './rows.ts';

/**
 * Only this many of the newest records are searched, because the history may be long. One day has
 * fewer records.
 */
const WINDOW = 10_000;

const NEWEST = `seq > (SELECT coalesce(max(seq), 0) FROM records) - ${WINDOW} AND at >= ? AND at < ?`;

const Key = v.object({
	key: v.nullable(
		v.pipe(
			v.string(),
			v.transform((key) => key as PaymentKey),
		),
	),
});
const Told = v.object({ payment: v.pipe(v.string(), v.parseJson(), Payment) });
const Sales = v.object({ method: v.picklist(['card', 'qris']), n: v.number(), total: RupiahSchema });

/**
 * @returns a function that counts the payments from one time of the wall clock until another, in
 * ms. A record dated after `until` was written while the clock was ahead. Without this limit, the
 * record would count on every day until its own date.
 */
export const figuresSince =
	(rows: Rows, money: Pick<MoneyBook, 'balanceOf'>) =>
	(from: number, until = Number.MAX_SAFE_INTEGER): Today => {
		const credited = rows(
			Key,
			`SELECT payment_id AS key FROM records CROSS JOIN notes ON note_id = subject
			WHERE ${NEWEST} AND +kind IN ('cash_credit', 'cash_settled') AND credited_seq = seq`,
			from,
			until,
		);
		const told = rows(Told, `SELECT body -> '$.payment' AS payment FROM records WHERE ${NEWEST} AND +kind = 'invoice_paid'`, from, until);
		const charged = rows(
			Key,
			`SELECT payment_id AS key FROM records CROSS JOIN card_sales ON attempt_id = subject
			WHERE ${NEWEST} AND +kind = 'card_sale' AND state = 'approved'`,
			from,
			until,
		);
		// Covered invoices count as paid, too, because a customer may leave before the screen shows
		// "paid".
		const covered = [...credited, ...charged].flatMap(({ key }) => (key !== null && isPaidState(money.balanceOf(key).state) ? key : []));
		const sales = rows(
			Sales,
			`SELECT method, count(*) AS n, sum(amount) AS total FROM records CROSS JOIN card_sales ON attempt_id = subject
			WHERE ${NEWEST} AND +kind = 'card_sale' AND state = 'approved' GROUP BY method`,
			from,
			until,
		);
		const salesBy = (method: 'card' | 'qris') => {
			const found = sales.find((one) => one.method === method);
			return { count: found?.n ?? 0, total: found?.total ?? (0 as Rupiah) };
		};
		return {
			paid: new Set([...covered, ...told.map(({ payment }) => paymentKey(payment))]).size,
			notes: credited.length,
			card: salesBy('card'),
			qris: salesBy('qris'),
		};
	};
