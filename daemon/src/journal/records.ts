/** Every fact the journal keeps, as it is written. Records are never changed; what is true now is a fold over them (ledger.ts). */
import * as v from 'valibot';
import { IdSchema } from '../../contract/back-office.ts';
import { RupiahSchema } from '../../contract/money.ts';

/** The invoice a note belongs to, as it was known when the note was taken. */
export const Payment = v.object({
	id: IdSchema,
	odoo_id: v.nullable(IdSchema),
	noinvoice: v.string(),
	total: RupiahSchema,
});
export type Payment = v.InferOutput<typeof Payment>;

const note_id = v.pipe(v.string(), v.uuid());

export const JournalRecord = v.variant('kind', [
	/** Written before the acceptor is told to take the note. `time`: ISO 8601 with offset. */
	v.object({ kind: v.literal('cash_intent'), note_id, payment: Payment, nominal: RupiahSchema, code: v.string(), time: v.string() }),
	/** The acceptor said that the note is in the cashbox. `late`: after it had been in doubt, in the same run. */
	v.object({ kind: v.literal('cash_credit'), note_id, late: v.boolean() }),
	/** The acceptor gave the note back although it had been accepted. */
	v.object({ kind: v.literal('cash_returned'), note_id }),
	/** Nobody knows where the note is; a person decides. */
	v.object({ kind: v.literal('cash_in_doubt'), note_id, why: v.string() }),
	/** A stacked byte that no accepted note explains. No money is credited; a person looks into the cashbox. */
	v.object({
		kind: v.literal('cash_unexplained'),
		note_id,
		code: v.nullable(v.string()),
		nominal: v.nullable(RupiahSchema),
		time: v.string(),
	}),
	/** A stacked byte seen after a restart, for a note that was in doubt: evidence for the person who settles it. */
	v.object({ kind: v.literal('cash_evidence'), note_id, what: v.string() }),
	/** The back office has answered 2xx for the note. */
	v.object({ kind: v.literal('note_uploaded'), note_id }),
	v.object({ kind: v.literal('invoice_paid'), payment: Payment, by: v.picklist(['back_office', 'kiosk']) }),
	/** Somebody pulled at a note, or a person allowed cash again. */
	v.object({ kind: v.literal('acceptor_lock'), lock_id: note_id, locked: v.boolean(), why: v.string() }),
	v.object({ kind: v.literal('print_requested'), print_id: note_id, payment_id: v.string(), purpose: v.picklist(['receipt', 'copy']) }),
	v.object({ kind: v.literal('print_ended'), print_id: note_id, state: v.picklist(['done', 'failed', 'abandoned']), reason: v.string() }),
]);
export type JournalRecord = v.InferOutput<typeof JournalRecord>;

/** @returns what the record is about; a kind occurs at most once for it, which the database enforces */
export function subjectOf(record: JournalRecord): string {
	switch (record.kind) {
		case 'invoice_paid':
			return String(record.payment.id);
		case 'acceptor_lock':
			return record.lock_id;
		case 'print_requested':
		case 'print_ended':
			return record.print_id;
		default:
			return record.note_id;
	}
}
