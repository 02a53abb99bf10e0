/** The list of invoices that need a decision of staff. */
import type { Rupiah } from '@kiosk/contract/money';
import { RupiahSchema } from '@kiosk/contract/money-schema';
import * as v from 'valibot';
import { PAYMENT_OF } from './payment-book.ts';
import { Payment, type PaymentKey } from './records.ts';
import type { Rows } from './rows.ts';

export const ATTENTION = ['partial', 'paid_twice', 'dispute'] as const;

/** An invoice that needs a staff decision; amounts in rupiah. */
export interface Attention {
	payment: Payment;
	state: (typeof ATTENTION)[number];
	total: Rupiah;
	received: Rupiah;
	twice: Rupiah;
	why: string;
}

export interface AttentionBook {
	/**
	 * Invoices that need a decision of staff, oldest first.
	 * @param most maximum number of invoices of each state; default all
	 */
	attention(most?: number): Attention[];
	/**
	 * The invoices in this state: their number, the sum of their `twice` in rupiah, and the oldest
	 * invoice.
	 */
	attentionSum(state: Attention['state']): { count: number; twice: number; oldest: Attention | null };
	/** The entry of this payment's invoice; null if the invoice needs no decision of staff. */
	attentionOf(key: PaymentKey): Attention | null;
	/** Invoices in `paid_twice` or `dispute` whose balance was computed at or after this record. */
	attentionSince(seq: number): Attention[];
}

const AttentionRow = v.object({
	payment: v.pipe(v.string(), v.parseJson(), Payment),
	state: v.picklist(ATTENTION),
	total: RupiahSchema,
	received: RupiahSchema,
	twice: RupiahSchema,
	why: v.string(),
});

/**
 * Reads the payments of the selected rows only, because a payment takes longer to read than a row.
 */
const listedFrom = (balances: string): string =>
	`SELECT ${PAYMENT_OF('balances.payment_id')} AS payment, state, total, received, twice, why FROM (${balances}) AS balances`;

/** The index sorts the rows of each state, so SQLite reads at most ?1 rows of each state. */
const OLDEST = ATTENTION.map((state) => `SELECT * FROM (SELECT * FROM balances WHERE state = '${state}' ORDER BY seq LIMIT ?1)`).join(
	' UNION ALL ',
);

export function attentionBook(rows: Rows): AttentionBook {
	return {
		attention: (most = -1) => rows(AttentionRow, `${listedFrom(OLDEST)} ORDER BY seq`, most),
		attentionSum(state) {
			// The sum of many invoices may exceed the maximum of a single amount.
			const Sum = v.object({ count: v.number(), twice: v.number() });
			const [sum] = rows(Sum, 'SELECT count(*) AS count, coalesce(sum(twice), 0) AS twice FROM balances WHERE state = ?', state);
			const [oldest] = rows(AttentionRow, listedFrom('SELECT * FROM balances WHERE state = ? ORDER BY seq LIMIT 1'), state);
			return { count: sum?.count ?? 0, twice: sum?.twice ?? 0, oldest: oldest ?? null };
		},
		attentionOf: (key) => rows(AttentionRow, listedFrom('SELECT * FROM balances WHERE payment_id = ?'), key)[0] ?? null,
		attentionSince: (seq) =>
			rows(AttentionRow, listedFrom(`SELECT * FROM balances WHERE state IN ('paid_twice', 'dispute') AND seq >= ?`), seq),
	};
}
