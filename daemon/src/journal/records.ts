/** Every fact the journal keeps, as it is written. Records are never changed; what is true now is a fold over them (ledger.ts). */
import * as v from 'valibot';
import { RupiahSchema } from '../../contract/money.ts';

/** Whose books a payment stands in: the back office's origin, the outlet that is logged in, and whether it is a trial. */
export const Account = v.object({ server: v.string(), outlet: v.string(), development: v.boolean() });
export type Account = v.InferOutput<typeof Account>;

/** As any version has written it; what the back office may send today is stricter. */
const RecordedId = v.union([v.string(), v.pipe(v.number(), v.safeInteger())]);

/** The invoice a note belongs to, as it was known when the note was taken. */
export const Payment = v.object({
	/** null in records of versions that did not keep it; such money belongs to no account until staff assign it. */
	account: v.optional(v.nullable(Account), null),
	id: RecordedId,
	odoo_id: v.nullable(RecordedId),
	noinvoice: v.string(),
	total: RupiahSchema,
});
export type Payment = v.InferOutput<typeof Payment>;

/** Names one payment of one account; ids alone are used again by another server, outlet or trial. */
export type PaymentKey = string & { readonly unit: 'payment' };

/** @returns the text by which the ledger finds the account's waiting money; null for none */
export const accountKey = (account: Account | null): string | null =>
	account && JSON.stringify([account.server, account.outlet, account.development]);

/** @returns the key under which the ledger keeps all money of this payment; that of old records is their bare id */
export const paymentKey = ({ account, id, noinvoice }: Pick<Payment, 'account' | 'id' | 'noinvoice'>): PaymentKey =>
	(account
		? JSON.stringify([account.server, account.outlet, account.development, String(id), noinvoice])
		: String(id)
	).toWellFormed() as PaymentKey;

/** @returns whether a payment with this key stands in the books of this account */
export const isOfAccount = (key: PaymentKey, account: Account): boolean =>
	key.startsWith(`${accountKey(account)?.slice(0, -1)},`.toWellFormed());

/** @returns whether both are the same payment of the same account */
export const samePayment = (a: Payment, b: Payment): boolean => paymentKey(a) === paymentKey(b);

/** One payment that the back office lists. `note_id`: which note of a kiosk it is, where the server says so. */
export const ListedPayment = v.object({ nominal: RupiahSchema, note_id: v.nullable(v.string()), time: v.string() });
export type ListedPayment = v.InferOutput<typeof ListedPayment>;

/** Own money of a payment, rupiah, sorted by what the back office knew of it when it answered. */
export const OwnAtAnswer = v.object({
	/** Notes that it had confirmed before it was asked. */
	notes_confirmed: RupiahSchema,
	/** Approved card sales that its socket had before it was asked. */
	cards_confirmed: RupiahSchema,
	/** Everything it may have heard of by the time of its answer; includes what is confirmed. */
	told: RupiahSchema,
});
export type OwnAtAnswer = v.InferOutput<typeof OwnAtAnswer>;

const note_id = v.pipe(v.string(), v.uuid());
const attempt_id = note_id;
/** Who of the staff decided, and why. */
const decision = { by: v.string(), why: v.string() };

/**
 * What a person found out about a note in doubt. `in_box`: it lies in the cashbox. `returned`: the customer has it. `not_ours`: there
 * is no such note, or it came into the cashbox in another way.
 */
export const NOTE_OUTCOMES = ['in_box', 'returned', 'not_ours'] as const;

/** What a card terminal answered, as it is kept. Nothing in it identifies a card; the terminal interface says what is what. */
export const CardResponse = v.object({
	type: v.picklist(['sale', 'void', 'settlement', 'echo', 'reprint', 'qris', 'qris_inquiry']),
	code: v.string(),
	amount: v.nullable(RupiahSchema),
	masked_pan: v.string(),
	rrn: v.string(),
	approval: v.string(),
	date: v.string(),
	time: v.string(),
	merchant_id: v.string(),
	terminal_id: v.string(),
	invoice: v.string(),
	batch: v.string(),
	issuer_id: v.string(),
});
export type CardResponse = v.InferOutput<typeof CardResponse>;

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
	/** A stacked byte seen after a restart, which can only be that of the note in doubt: evidence for the person who settles it. */
	v.object({ kind: v.literal('cash_evidence'), note_id, what: v.string() }),
	/** A person decided about a note in doubt; `nominal` is what it counts for when it is in the box, else null. */
	v.object({
		kind: v.literal('cash_settled'),
		note_id,
		outcome: v.picklist(NOTE_OUTCOMES),
		nominal: v.nullable(RupiahSchema),
		...decision,
	}),
	/** The cashbox was emptied: everything credited until here was in it. `counted`: what was found, if somebody counted. */
	v.object({
		kind: v.literal('cashbox_collected'),
		collection_id: note_id,
		by: v.string(),
		expected: RupiahSchema,
		notes: v.array(v.object({ nominal: RupiahSchema, count: v.number() })),
		counted: v.nullable(RupiahSchema),
		time: v.string(),
		/** The newest removal of the cashbox that is counted; left out: what was in the box at this moment is counted, and the period ends here. */
		removal: v.optional(note_id),
	}),
	/**
	 * A person has dealt with an invoice that was paid in part (the rest was paid elsewhere) or twice (what was too much went back
	 * elsewhere, or is none). `payment_id`: its key.
	 */
	v.object({ kind: v.literal('partial_settled'), settle_id: note_id, payment_id: v.string(), ...decision }),
	/** Staff have paid this much back to the customer; it is no longer received. `payment_id`: key of the payment. */
	v.object({
		kind: v.literal('money_given_back'),
		give_id: note_id,
		payment_id: v.string(),
		amount: RupiahSchema,
		...decision,
		time: v.string(),
	}),
	/**
	 * The back office's word on an invoice for which this kiosk holds money or is about to take some. `source`: its answer to a look-up
	 * (the only one that lists payments), a message on the live socket, or its answer to a note.
	 */
	v.object({
		kind: v.literal('invoice_seen'),
		seen_id: note_id,
		payment: Payment,
		is_paid: v.boolean(),
		listed: v.array(ListedPayment),
		own: OwnAtAnswer,
		source: v.picklist(['look_up', 'message', 'note_answer']),
		time: v.string(),
	}),
	/** A person compared both books: the back office is right that this invoice is not paid, whatever it had said before. */
	v.object({ kind: v.literal('invoice_reviewed'), review_id: note_id, payment_id: v.string(), ...decision }),
	/** The back office has answered 2xx for the note. */
	v.object({ kind: v.literal('note_uploaded'), note_id }),
	/** The back office refuses this note again and again; staff decide, and later notes are sent. `reason`: its answer. */
	v.object({ kind: v.literal('note_parked'), park_id: note_id, note_id, reason: v.string() }),
	/** Staff have a parked note sent again. */
	v.object({ kind: v.literal('note_resent'), resend_id: note_id, note_id, ...decision }),
	/** Staff have entered a parked note in the back office by hand: it is not sent any more. */
	v.object({ kind: v.literal('note_booked'), note_id, ...decision }),
	/** Staff have a parked note count for another invoice, and be sent for that. `from`: key of the payment it counted for. */
	v.object({ kind: v.literal('note_moved'), move_id: note_id, note_id, from: v.string(), payment: Payment, ...decision }),
	/** This customer was told that the invoice is paid. `paid_id`: missing in records of the first version, one for each payment. */
	v.object({ kind: v.literal('invoice_paid'), payment: Payment, by: v.picklist(['back_office', 'kiosk']), paid_id: v.optional(note_id) }),
	/** Somebody pulled at a note, or a person allowed cash again. */
	v.object({ kind: v.literal('acceptor_lock'), lock_id: note_id, locked: v.boolean(), why: v.string() }),
	/**
	 * The acceptor spoke of more notes than paper can move. From `begun` on they were only counted; `over` says how many had come back, and
	 * how many had fallen into the cashbox without having been accepted.
	 */
	v.object({
		kind: v.literal('acceptor_rush'),
		rush_id: note_id,
		phase: v.picklist(['begun', 'over']),
		refused: v.number(),
		stacked: v.number(),
		time: v.string(),
	}),
	/** The acceptor said that the cashbox is out: what is credited from here on is not in it. A new period of counting begins. */
	v.object({ kind: v.literal('cashbox_removed'), removal_id: note_id, time: v.string() }),
	/** A cashbox is back, the same or another one. */
	v.object({ kind: v.literal('cashbox_returned'), removal_id: note_id, time: v.string() }),
	/**
	 * The first record of a journal that was begun because the one before it could not be used any more. `before`: the newest record that is
	 * known of that one, the folder in which it lies, and what had been found.
	 */
	v.object({
		kind: v.literal('journal_restarted'),
		restart_id: note_id,
		...decision,
		time: v.string(),
		before: v.object({ seq: v.number(), hash: v.string(), folder: v.string(), found: v.string() }),
	}),
	/** A person accepted the journal as it was found although its key was lost. `before`: its newest record then; a new key seals what follows. */
	v.object({
		kind: v.literal('journal_resealed'),
		reseal_id: note_id,
		...decision,
		time: v.string(),
		before: v.object({ seq: v.number(), hash: v.string() }),
	}),
	/** `payment_id` of a slip: the payment that it speaks of, or the collection of the cashbox. */
	v.object({
		kind: v.literal('print_requested'),
		print_id: note_id,
		payment_id: v.string(),
		purpose: v.picklist(['receipt', 'copy', 'slip']),
	}),
	v.object({ kind: v.literal('print_ended'), print_id: note_id, state: v.picklist(['done', 'failed', 'abandoned']), reason: v.string() }),
	/** Written before the first byte goes to the card terminal. `attempt`: how often this invoice was tried, from 1. */
	v.object({
		kind: v.literal('card_sale'),
		attempt_id,
		payment: Payment,
		amount: RupiahSchema,
		method: v.picklist(['card', 'qris']),
		attempt: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
		time: v.string(),
	}),
	/** The terminal's word, written before it is acknowledged. `late`: after the sale had been unknown. */
	v.object({
		kind: v.literal('card_outcome'),
		attempt_id,
		outcome: v.picklist(['approved', 'declined', 'not_begun']),
		response: v.nullable(CardResponse),
		late: v.boolean(),
	}),
	/** The terminal shows a QR code; that is no payment yet. */
	v.object({ kind: v.literal('card_qr_shown'), attempt_id, response: CardResponse }),
	/** Nobody knows whether the card was charged. */
	v.object({ kind: v.literal('card_unknown'), attempt_id, why: v.string(), response: v.nullable(CardResponse) }),
	/** An approval that no request of this kiosk explains: a charge without an invoice, for a person to look into. */
	v.object({ kind: v.literal('card_unexplained'), attempt_id, response: CardResponse, time: v.string() }),
	/** A word of the terminal that helps the person who settles. `reopens`: it contradicts an outcome, so the sale is unknown again. */
	v.object({
		kind: v.literal('card_evidence'),
		evidence_id: note_id,
		attempt_id,
		what: v.string(),
		response: CardResponse,
		reopens: v.boolean(),
	}),
	/** A person decided what became of an unknown sale. */
	v.object({
		kind: v.literal('card_settled'),
		settle_id: note_id,
		attempt_id,
		outcome: v.picklist(['charged', 'not_charged']),
		...decision,
	}),
	/** The back office's end of the live socket has the approval. */
	v.object({ kind: v.literal('card_approval_sent'), attempt_id }),
	/** Staff ask the terminal for something that moves money; written before its first byte. */
	v.object({
		kind: v.literal('card_action'),
		action_id: note_id,
		action: v.picklist(['void', 'settlement']),
		attempt_id: v.nullable(attempt_id),
		...decision,
		time: v.string(),
	}),
	v.object({
		kind: v.literal('card_action_ended'),
		action_id: note_id,
		outcome: v.picklist(['done', 'refused', 'not_begun', 'unknown']),
		why: v.string(),
		response: v.nullable(CardResponse),
	}),
]);
export type JournalRecord = v.InferOutput<typeof JournalRecord>;

/** @returns what the record is about; a kind occurs at most once for it, which the database enforces */
export function subjectOf(record: JournalRecord): string {
	switch (record.kind) {
		case 'invoice_paid':
			return record.paid_id ?? paymentKey(record.payment);
		case 'money_given_back':
			return record.give_id;
		case 'invoice_seen':
			return record.seen_id;
		case 'invoice_reviewed':
			return record.review_id;
		case 'note_parked':
			return record.park_id;
		case 'note_resent':
			return record.resend_id;
		case 'note_moved':
			return record.move_id;
		case 'acceptor_lock':
			return record.lock_id;
		case 'acceptor_rush':
			return record.rush_id;
		case 'cashbox_removed':
		case 'cashbox_returned':
			return record.removal_id;
		case 'journal_restarted':
			return record.restart_id;
		case 'journal_resealed':
			return record.reseal_id;
		case 'print_requested':
		case 'print_ended':
			return record.print_id;
		case 'card_sale':
		case 'card_outcome':
		case 'card_qr_shown':
		case 'card_unknown':
		case 'card_unexplained':
		case 'card_approval_sent':
			return record.attempt_id;
		case 'card_evidence':
			return record.evidence_id;
		case 'card_settled':
		case 'partial_settled':
			return record.settle_id;
		case 'cashbox_collected':
			return record.collection_id;
		case 'card_action':
		case 'card_action_ended':
			return record.action_id;
		default:
			return record.note_id;
	}
}
