/** Money that the kiosk took for an invoice under another of its numbers. */
import { sumRupiah } from '@kiosk/contract/money';
import { RupiahSchema } from '@kiosk/contract/money-schema';
import * as v from 'valibot';
import type { HeldUnderOther } from './money-facts.ts';
import { keysFrom, withoutNumber } from './payment-keys.ts';
import { type Payment, type PaymentKey, paymentKey, sameInvoice } from './records.ts';
import type { Rows } from './rows.ts';

/**
 * Money that the kiosk took after record ?4 and before ?5 and still holds, for the payments between
 * the keys ?2 and ?3, except ?1.
 */
const HELD = `SELECT payment_id, sum(amount) AS held FROM (
	SELECT payment_id, nominal AS amount, coalesce(moved_seq, credited_seq) AS seq FROM notes
		WHERE payment_id > ?2 AND payment_id < ?3 AND state = 'credited'
	UNION ALL SELECT payment_id, amount, approved_seq FROM card_sales
		WHERE payment_id > ?2 AND payment_id < ?3 AND state = 'approved' AND approved_seq IS NOT NULL
	UNION ALL SELECT payment_id, -amount, seq FROM given_back WHERE payment_id > ?2 AND payment_id < ?3)
	WHERE payment_id <> ?1 AND seq > ?4 AND (seq < ?5 OR amount < 0) GROUP BY payment_id HAVING held > 0`;
const Held = v.object({ payment_id: v.string(), held: RupiahSchema });

/**
 * Finds money held under other numbers. Only money taken before the back office's statement counts.
 * A replaced number may never get a newer statement, so newer money would count as unlisted for
 * ever.
 * @param of.paymentOf finds the payment with this key; null if there is none
 * @param of.reviewed record of the last review of this number; earlier money does not count
 * @param of.until record of the back office's statement
 * @returns null if the kiosk holds no such money
 */
export function findHeldUnderOther(
	rows: Rows,
	payment: Payment,
	of: { paymentOf: (key: PaymentKey) => Payment | null; reviewed: number; until: number },
): HeldUnderOther | null {
	const key = paymentKey(payment);
	const beginning = withoutNumber(key);
	if (beginning === key) return null;
	const money = rows(Held, HELD, key, ...keysFrom(beginning), of.reviewed, of.until).flatMap(({ payment_id, held }) => {
		const other = of.paymentOf(payment_id as PaymentKey);
		return other && sameInvoice(other, payment) ? [{ held, noinvoice: other.noinvoice }] : [];
	});
	const [first] = money;
	return first ? { held: sumRupiah(money.map(({ held }) => held)), noinvoice: first.noinvoice } : null;
}
