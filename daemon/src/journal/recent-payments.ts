import { RupiahSchema } from '@kiosk/contract/money-schema';
import * as v from 'valibot';
import { isPaidState } from './balance.ts';
import { SALE_STATES } from './card-book.ts';
import { moneyBook } from './money-book.ts';
import { Payment, type PaymentKey, paymentKey } from './records.ts';
import type { Rows } from './rows.ts';

/**
 * Only this many of the newest records are searched. They cover some dozens of payments.
 */
const WINDOW = 400;

/** A payment for the health report; without personal data. */
export interface RecentPayment {
	/** Id of the invoice in the back office, as text. */
	id: string;
	noinvoice: string;
	method: 'cash' | 'card' | 'qris';
	/** Rupiah: taken in cash, or requested at the card terminal. */
	amount: number;
	/** Time of the payment's newest note, or of the card sale; ISO 8601. */
	time: string;
	outcome: 'paid' | 'not covered' | 'in dispute' | 'nothing taken' | 'in doubt' | (typeof SALE_STATES)[number];
}

const Begun = v.object({
	kind: v.picklist(['cash_intent', 'card_sale']),
	subject: v.string(),
	body: v.pipe(v.string(), v.parseJson(), v.looseObject({ payment: Payment, time: v.string() })),
});
/** The present invoice of a note; staff may have moved the note to it. */
const CountsFor = v.object({
	payment_id: v.pipe(
		v.string(),
		v.transform((key) => key as PaymentKey),
	),
	id: v.pipe(v.string(), v.parseJson(), v.union([v.string(), v.number()])),
	noinvoice: v.string(),
});
const Cash = v.object({ received: RupiahSchema, open: v.number() });
const Sale = v.object({ amount: RupiahSchema, method: v.picklist(['card', 'qris']), state: v.picklist(SALE_STATES) });

/** @returns the newest payments begun at acceptor or terminal, newest first */
export const recentPayments =
	(rows: Rows) =>
	(most: number): RecentPayment[] => {
		const money = moneyBook(rows);
		const begun = rows(
			Begun,
			`SELECT kind, subject, body FROM records WHERE seq > (SELECT coalesce(max(seq), 0) FROM records) - ${WINDOW}
			AND +kind IN ('cash_intent', 'card_sale') ORDER BY seq DESC`,
		);
		const listed = new Map<string, RecentPayment>();
		for (const { kind, subject, body } of begun) {
			if (listed.size >= most) break;
			const { payment, time } = body;
			const { payment_id, id, noinvoice } = (kind === 'cash_intent' && countsFor(subject)) || {
				...payment,
				payment_id: paymentKey(payment),
			};
			const key = kind === 'card_sale' ? subject : payment_id;
			if (listed.has(key)) continue;
			const found = kind === 'card_sale' ? sale(subject) : cash(payment_id);
			if (found) listed.set(key, { id: String(id), noinvoice, time, ...found });
		}
		return [...listed.values()];

		function countsFor(note_id: string): v.InferOutput<typeof CountsFor> | undefined {
			return rows(CountsFor, 'SELECT payment_id, id, noinvoice FROM notes WHERE note_id = ?', note_id)[0];
		}

		function cash(key: PaymentKey): Pick<RecentPayment, 'method' | 'amount' | 'outcome'> | null {
			const [row] = rows(
				Cash,
				`SELECT coalesce(sum(nominal) FILTER (WHERE state = 'credited'), 0) AS received,
				count(*) FILTER (WHERE state IN ('intended', 'in_doubt')) AS open FROM notes WHERE payment_id = ?1`,
				key,
			);
			if (!row) return null;
			const { received, open } = row;
			return { method: 'cash', amount: received, outcome: open > 0 ? 'in doubt' : received > 0 ? outcomeOf(key) : 'nothing taken' };
		}

		// The present state, which may differ from what the customer was shown: the invoice may
		// have grown since, or a note was found later.
		function outcomeOf(key: PaymentKey): RecentPayment['outcome'] {
			const { state } = money.balanceOf(key);
			if (state === 'dispute') return 'in dispute';
			return isPaidState(state) ? 'paid' : 'not covered';
		}

		function sale(attempt_id: string): Pick<RecentPayment, 'method' | 'amount' | 'outcome'> | null {
			const [row] = rows(Sale, 'SELECT amount, method, state FROM card_sales WHERE attempt_id = ?', attempt_id);
			return row ? { method: row.method, amount: row.amount, outcome: row.state } : null;
		}
	};
