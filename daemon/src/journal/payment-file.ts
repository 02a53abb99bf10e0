import * as v from 'valibot';
import { JournalRecord, Payment } from './records.ts';
import type { Seal } from './seal.ts';
import type { Store } from './store.ts';

const RecordRow = v.object({
	seq: v.number(),
	at: v.number(),
	kind: v.string(),
	subject: v.string(),
	body: v.pipe(v.string(), v.parseJson(), JournalRecord),
	hash: v.instance(Uint8Array),
	before: v.nullable(v.instance(Uint8Array)),
});

/**
 * Number of records per batch. A batch takes a few milliseconds, so that the daemon can take notes
 * in between.
 */
const SLICE = 250;

/**
 * Verifies the whole chain from the first record.
 * @param seal the seal with which `store` was opened
 * @returns the number of records, and the first fault
 */
export async function verifyChain(store: Pick<Store, 'rows' | 'verify' | 'fault'>, seal: Seal | null): Promise<Chain> {
	const sealed_from = seal?.from ?? null;
	const found = store.rows('SELECT count(*) AS records, coalesce(max(seq), 0) AS last FROM records')[0];
	const [records, last] = [Number(found?.records), Number(found?.last)];
	for (let from = 1; from <= last; from += SLICE) {
		const bad = store.verify(from, from + SLICE - 1);
		if (bad !== null) return { records, bad, fault: store.fault(bad), sealed_from };
		await new Promise((resolve) => setImmediate(resolve));
	}
	return { records, bad: null, fault: null, sealed_from };
}
export interface Chain {
	records: number;
	/** The first bad record and its fault as a sentence. */
	bad: number | null;
	fault: string | null;
	/** The first record whose seal was checked; null: the key was not available. */
	sealed_from: number | null;
}

/** All records of some payments, as evidence. */
export interface PaymentFile {
	payments: string[];
	/**
	 * Oldest first. `hash` is SHA-256, hex, over the 32 bytes of `before` and the JSON `[seq, at,
	 * kind, subject, JSON of record]`, so that each record can be verified alone.
	 */
	records: { seq: number; at: number; time: string; kind: string; subject: string; before: string; hash: string; record: JournalRecord }[];
	notes: Record<string, unknown>[];
	card_sales: Record<string, unknown>[];
	prints: Record<string, unknown>[];
	paid: Record<string, unknown>[];
}

/**
 * If all notes of a payment were moved away, only the records of the moves name this payment. The
 * last two parts of a payment's key are the invoice's id and number.
 * @returns the query for payments from which a note was moved
 */
const movedFrom = (by: 'id' | 'number'): string =>
	`SELECT moved ->> 'from' FROM (SELECT body AS moved FROM records WHERE kind = 'note_moved' AND json_valid(body ->> 'from'))
	WHERE moved ->> 'from' ->> '$[#-${by === 'id' ? 2 : 1}]' = ?1`;

/** @returns the keys of the payments with this id or key, or with this invoice number */
export function paymentsOf(store: Pick<Store, 'rows'>, of: { payment: string } | { invoice: string }): string[] {
	const rows =
		'payment' in of
			? store.rows(
					`SELECT payment_id FROM notes WHERE (payment_id = ?1 OR id = ?1 OR id = json_quote(?1)) AND payment_id IS NOT NULL
					UNION SELECT payment_id FROM card_sales WHERE payment_id = ?1 OR payment -> 'id' = ?1 OR payment -> 'id' = json_quote(?1)
					UNION SELECT payment_id FROM invoices WHERE payment_id = ?1 OR payment -> 'id' = ?1 OR payment -> 'id' = json_quote(?1)
					UNION ${movedFrom('id')}`,
					of.payment,
				)
			: store.rows(
					`SELECT payment_id FROM notes WHERE noinvoice = ?1 AND payment_id IS NOT NULL
					UNION SELECT payment_id FROM card_sales WHERE payment ->> 'noinvoice' = ?1
					UNION SELECT payment_id FROM invoices WHERE payment ->> 'noinvoice' = ?1
					UNION ${movedFrom('number')}`,
					of.invoice,
				);
	return rows.map((row) => String(row.payment_id));
}

/** @param payments keys from `paymentsOf` */
export function paymentFile(store: Pick<Store, 'rows'>, payments: string[]): PaymentFile {
	const ids = JSON.stringify(payments);
	const OF_PAYMENTS = 'payment_id IN (SELECT value FROM json_each(?))';
	const notes = store.rows(`SELECT * FROM notes WHERE ${OF_PAYMENTS} ORDER BY time`, ids);
	const card_sales = store.rows(`SELECT * FROM card_sales WHERE ${OF_PAYMENTS} ORDER BY sent_seq`, ids);
	const prints = store.rows(`SELECT * FROM prints WHERE ${OF_PAYMENTS}`, ids);
	const paid = store.rows(`SELECT * FROM paid WHERE ${OF_PAYMENTS}`, ids);
	const invoices = store.rows(`SELECT payment ->> 'noinvoice' AS noinvoice FROM invoices WHERE ${OF_PAYMENTS}`, ids);
	const sold = card_sales.map(({ payment }) => v.parse(Payment, JSON.parse(String(payment))));
	const numbers = JSON.stringify([...new Set([...notes, ...invoices, ...sold].map(({ noinvoice }) => noinvoice))]);
	const attempts = card_sales.map((sale) => sale.attempt_id);
	// If a customer shows a slip of this invoice, these records tell staff for which invoice the note
	// counts now.
	const movedAway = store.rows(
		`SELECT DISTINCT body ->> 'note_id' AS note_id FROM records WHERE kind = 'note_moved' AND body ->> 'from' IN (SELECT value FROM json_each(?))`,
		ids,
	);
	const subjects = [...[...notes, ...movedAway].map((note) => note.note_id), ...attempts, ...prints.map((print) => print.print_id)];
	const records = store
		.rows(
			`SELECT *, (SELECT hash FROM records AS earlier WHERE earlier.seq = records.seq - 1) AS before FROM records WHERE seq IN (
				SELECT seq FROM json_each(?) AS wanted CROSS JOIN records ON subject = wanted.value AND kind IN (${OWN_SUBJECT})
				UNION SELECT seq FROM records WHERE kind IN ('partial_settled', 'money_given_back', 'invoice_reviewed')
					AND body ->> 'payment_id' IN (SELECT value FROM json_each(?))
				UNION SELECT seq FROM json_each(?) AS wanted CROSS JOIN records INDEXED BY records_of_invoice
					ON kind = 'invoice_paid' AND body ->> '$.payment.noinvoice' = wanted.value
				UNION SELECT seq FROM json_each(?) AS wanted CROSS JOIN records INDEXED BY records_seen
					ON kind = 'invoice_seen' AND body ->> '$.payment.noinvoice' = wanted.value
				UNION SELECT seq FROM records WHERE kind IN ('note_parked', 'note_resent', 'note_moved')
					AND body ->> 'note_id' IN (SELECT value FROM json_each(?))
				UNION SELECT seq FROM records WHERE kind IN ('card_evidence', 'card_settled')
					AND body ->> 'attempt_id' IN (SELECT value FROM json_each(?))
				UNION SELECT seq FROM card_actions CROSS JOIN records ON kind IN ('card_action', 'card_action_ended') AND subject = action_id
					WHERE attempt_id IN (SELECT value FROM json_each(?))
			) ORDER BY seq`,
			JSON.stringify(subjects),
			ids,
			numbers,
			numbers,
			JSON.stringify(subjects),
			JSON.stringify(attempts),
			JSON.stringify(attempts),
		)
		.map((row) => v.parse(RecordRow, row))
		.map(({ seq, at, kind, subject, before, hash, body }) => ({
			seq,
			at,
			time: new Date(at).toISOString(),
			kind,
			subject,
			before: Buffer.from(before ?? new Uint8Array(32)).toString('hex'),
			hash: Buffer.from(hash).toString('hex'),
			record: body,
		}));
	return { payments, records, notes, card_sales, prints, paid };
}

/** Kinds whose subject is the note, attempt or print itself. */
const OWN_SUBJECT = [
	'cash_intent',
	'cash_credit',
	'cash_returned',
	'cash_in_doubt',
	'cash_evidence',
	'cash_settled',
	'note_uploaded',
	'note_booked',
	'print_requested',
	'print_ended',
	'card_sale',
	'card_outcome',
	'card_qr_shown',
	'card_unknown',
	'card_approval_begun',
	'card_approval_sent',
]
	.map((kind) => `'${kind}'`)
	.join(', ');
