import * as v from 'valibot';
import { Payment, paymentKey } from './records.ts';
import type { Store } from './store.ts';

/** Notes that are open or wait for the back office, each with the records that it rests on. */
const NOTES = `SELECT begun.seq, note_id AS of, payment_id, notes.id AS id,
		coalesce((SELECT body FROM records WHERE seq = moved_seq), begun.body) -> '$.payment' AS recorded_payment,
		nominal AS amount, begun.body ->> 'nominal' AS recorded,
		state <> 'credited' OR EXISTS (SELECT 1 FROM records WHERE seq = credited_seq AND subject = note_id AND kind IN ('cash_credit', 'cash_settled')) AS grounded
	FROM notes CROSS JOIN records AS begun ON begun.kind IN ('cash_intent', 'cash_unexplained') AND begun.subject = note_id`;

/** The same for card sales; the invoice is compared as a whole. */
const SALES = `SELECT begun.seq, attempt_id AS of, payment_id, payment AS id, begun.body -> '$.payment' AS recorded_payment,
		amount, coalesce(begun.body ->> 'amount', begun.body ->> '$.response.amount', 0) AS recorded,
		approved_seq IS NULL OR EXISTS (SELECT 1 FROM records WHERE seq = approved_seq AND body ->> 'attempt_id' = attempt_id
			AND (kind = 'card_outcome' AND body ->> 'outcome' = 'approved' OR kind = 'card_settled' AND body ->> 'outcome' = 'charged')) AS grounded
	FROM card_sales CROSS JOIN records AS begun ON begun.kind IN ('card_sale', 'card_unexplained') AND begun.subject = attempt_id`;

const OPEN = [
	`${NOTES} WHERE state IN ('intended', 'in_doubt')`,
	`${NOTES} WHERE credited_seq IS NOT NULL AND uploaded_seq IS NULL AND payment_id IS NOT NULL`,
	`${SALES} WHERE state = 'sent'`,
	`${SALES} WHERE state = 'unknown'`,
	`${SALES} WHERE approved_seq IS NOT NULL AND relayed_seq IS NULL`,
];

/** Open rows without the record that began them; they would be missing from the joins above. */
const UNFOUNDED = [
	...[`state IN ('intended', 'in_doubt')`, 'credited_seq IS NOT NULL AND uploaded_seq IS NULL'].map(
		(open) => `SELECT note_id AS of FROM notes WHERE ${open}
			AND NOT EXISTS (SELECT 1 FROM records WHERE kind IN ('cash_intent', 'cash_unexplained') AND subject = note_id)`,
	),
	...[`state = 'sent'`, `state = 'unknown'`, 'approved_seq IS NOT NULL AND relayed_seq IS NULL'].map(
		(open) => `SELECT attempt_id AS of FROM card_sales WHERE ${open}
			AND NOT EXISTS (SELECT 1 FROM records WHERE kind IN ('card_sale', 'card_unexplained') AND subject = attempt_id)`,
	),
];

/**
 * Compares everything that still moves (open, in doubt, unknown, waiting for the back office) with the records that it rests on,
 * however old they are. What is told of money comes from these rows, and no hash covers the rows themselves.
 * @returns what is wrong, in words, or null; the work grows with what is open and not with the history
 */
export function wrongOpenItem(store: Pick<Store, 'rows' | 'verify'>): string | null {
	for (const sql of UNFOUNDED) for (const { of } of store.rows(sql)) return `${of} stands in the books without a record`;
	for (const sql of OPEN) {
		for (const row of store.rows(sql)) {
			const { seq, of, amount, recorded, grounded } = row;
			if (store.verify(Number(seq), Number(seq)) !== null) return `record ${seq} does not match its hash`;
			if (amount !== recorded || !grounded || !namesPayment(row)) return `${of} is not what record ${seq} says`;
		}
	}
	return null;
}

/** @returns whether the row stands under the payment of its record, and says the same of it */
function namesPayment({ payment_id, id, recorded_payment }: Record<string, unknown>): boolean {
	if (typeof recorded_payment !== 'string') return payment_id === null;
	const payment = v.parse(Payment, JSON.parse(recorded_payment));
	const whole: unknown = typeof id === 'string' ? JSON.parse(id) : null;
	const same = typeof whole === 'object' && whole !== null ? id === recorded_payment : whole === payment.id;
	return same && paymentKey(payment) === payment_id;
}
