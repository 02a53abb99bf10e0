/**
 * All records of the journal. Records are never changed; the present state is a fold over them
 * (ledger.ts).
 */

import { RupiahSchema } from '@kiosk/contract/money-schema';
import { sameId } from '@kiosk/contract/same-id';
import { STAFF_ROLES } from '@kiosk/contract/staff-names';
import * as v from 'valibot';

/**
 * The account of a payment: the back office's origin, the logged-in outlet, and whether it is a
 * trial account.
 */
export const Account = v.object({ server: v.string(), outlet: v.string(), development: v.boolean() });
export type Account = v.InferOutput<typeof Account>;

/** An id as any version may have written it; the back office's present contract is stricter. */
const RecordedId = v.union([v.string(), v.pipe(v.number(), v.safeInteger())]);

/** An invoice and its account, as known when the record was written. */
export const Payment = v.object({
	/**
	 * null in records of earlier versions; such money belongs to no account until staff assign it.
	 */
	account: v.optional(v.nullable(Account), null),
	id: RecordedId,
	odoo_id: v.nullable(RecordedId),
	noinvoice: v.string(),
	total: RupiahSchema,
});
export type Payment = v.InferOutput<typeof Payment>;

/**
 * Identifies a payment and its account, because another server, outlet or trial may use the same
 * invoice id.
 */
export type PaymentKey = string & { readonly unit: 'payment' };

/** @returns the account as the ledger stores it; null without an account */
export const accountKey = (account: Account | null): string | null =>
	account && JSON.stringify([account.server, account.outlet, account.development]);

/** @returns whether both are the same account, or both null */
export const sameAccount = (a: Account | null, b: Account | null): boolean => accountKey(a) === accountKey(b);

/**
 * Finds the spelling of this account that was used when earlier money was taken. A back office that
 * ignores case in user names accepts several spellings of one account
 * (docs/developer/back-office.md).
 * @param known accounts of earlier money
 * @returns `account` in its earlier spelling
 */
export function spelledAsBefore(account: Account, known: readonly Account[]): Account {
	const spelling = ({ outlet, ...of }: Account): string => accountKey({ ...of, outlet: outlet.toLowerCase() }) ?? '';
	return known.find((one) => sameAccount(one, account)) ?? known.find((one) => spelling(one) === spelling(account)) ?? account;
}

/** @returns the ledger's key of this payment; without an account, the bare id */
export const paymentKey = ({ account, id, noinvoice }: Pick<Payment, 'account' | 'id' | 'noinvoice'>): PaymentKey =>
	(account
		? JSON.stringify([account.server, account.outlet, account.development, String(id), noinvoice])
		: String(id)
	).toWellFormed() as PaymentKey;

/** @returns whether a payment with this key belongs to this account */
export const isOfAccount = (key: PaymentKey, account: Account): boolean =>
	key.startsWith(`${accountKey(account)?.slice(0, -1)},`.toWellFormed());

/** @returns whether both are the same payment of the same account */
export const samePayment = (a: Payment, b: Payment): boolean => paymentKey(a) === paymentKey(b);

/**
 * @returns whether both are the same invoice, even if the back office has given it another number.
 * A reused id has another `odoo_id`. If one of the payments has no `odoo_id`, the id does not count
 * as reused. Version 0.2.0 recorded the empty `odoo_id` of some servers as ''.
 */
export const sameInvoice = (a: Payment, b: Payment): boolean =>
	samePayment(a, b) ||
	(sameAccount(a.account, b.account) && sameId(a.id, b.id) && (hasNoOrder(a) || hasNoOrder(b) || sameId(a.odoo_id, b.odoo_id)));

const hasNoOrder = ({ odoo_id }: Payment): boolean => odoo_id === null || odoo_id === '';

/** A payment in the back office's list. `note_id`: the kiosk's note, if the server names it. */
export const ListedPayment = v.object({ nominal: RupiahSchema, note_id: v.nullable(v.string()), time: v.string() });
export type ListedPayment = v.InferOutput<typeof ListedPayment>;

/**
 * This kiosk's money for a payment, rupiah, split by what the back office knew about it when it
 * answered.
 */
export const OwnAtAnswer = v.object({
	/** Notes that the back office had confirmed before it was asked. */
	notes_confirmed: RupiahSchema,
	/** Approved card sales sent on the back office's socket before it was asked. */
	cards_confirmed: RupiahSchema,
	/**
	 * Everything that the back office may have known when it answered; includes the confirmed
	 * amounts.
	 */
	told: RupiahSchema,
	/**
	 * Part of `told` that lists contain without an id: card sales, and notes that staff have entered
	 * by hand. Earlier versions left out this field.
	 */
	nameless: v.optional(RupiahSchema),
});
export type OwnAtAnswer = v.InferOutput<typeof OwnAtAnswer>;

const note_id = v.pipe(v.string(), v.uuid());
const attempt_id = note_id;
/** Name of the person who decided, and the reason. */
const decision = { by: v.string(), why: v.string() };

/**
 * Staff's finding about a note in doubt. `in_box`: it is in the cashbox. `returned`: the customer
 * has it. `not_ours`: there is no such note, or it came into the cashbox in another way.
 */
export const NOTE_OUTCOMES = ['in_box', 'returned', 'not_ours'] as const;

/**
 * A terminal's response, without data that identifies a card; the terminal interface documents the
 * fields.
 */
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

/**
 * A name in the list of staff names. Any text is valid, because the rule for names may change and
 * old records must stay readable. `code_id`: id of the change that set the personal code; null: no
 * code. The journal contains no hash of the code.
 */
export const ListedPerson = v.object({ staff_name: v.string(), role: v.picklist(STAFF_ROLES), code_id: v.nullable(note_id) });
export type ListedPerson = v.InferOutput<typeof ListedPerson>;

/**
 * `take_over`: the list comes from the file of an earlier version. `carry_over`: it comes from the
 * previous journal.
 */
export const NAME_ACTIONS = ['add', 'set_code', 'retire', 'clear', 'take_over', 'carry_over'] as const;

/**
 * The back office's statement about an invoice for which this kiosk has money or is about to take
 * it. `source`: its answer to a look-up (the only one that lists payments), a live-socket message,
 * or its answer to a note.
 */
export const InvoiceSeen = v.object({
	kind: v.literal('invoice_seen'),
	seen_id: note_id,
	payment: Payment,
	is_paid: v.boolean(),
	listed: v.array(ListedPayment),
	own: OwnAtAnswer,
	/**
	 * Own money as the back office knew it at the earlier answer from which `listed` is repeated.
	 * Left out: the same as `own`.
	 */
	own_at_list: v.optional(OwnAtAnswer),
	/**
	 * Rupiah of `listed` that earlier lists showed to be paid elsewhere. 0 if left out, as by
	 * earlier versions.
	 */
	elsewhere_kept: v.optional(RupiahSchema),
	source: v.picklist(['look_up', 'message', 'note_answer']),
	time: v.string(),
});

export const JournalRecord = v.variant('kind', [
	/** Written before the acceptor is told to accept the note. `time`: ISO 8601 with offset. */
	v.object({ kind: v.literal('cash_intent'), note_id, payment: Payment, nominal: RupiahSchema, code: v.string(), time: v.string() }),
	/**
	 * The acceptor reported the note as stacked. `late`: the note had been in doubt before, in the
	 * same run.
	 */
	v.object({ kind: v.literal('cash_credit'), note_id, late: v.boolean() }),
	/** The note came back although the cash desk had accepted it. */
	v.object({ kind: v.literal('cash_returned'), note_id }),
	/** It is unknown where the note is; staff decide. */
	v.object({ kind: v.literal('cash_in_doubt'), note_id, why: v.string() }),
	/**
	 * A STACKED report that belongs to no accepted note. No money is credited; staff check the
	 * cashbox.
	 */
	v.object({
		kind: v.literal('cash_unexplained'),
		note_id,
		code: v.nullable(v.string()),
		nominal: v.nullable(RupiahSchema),
		time: v.string(),
	}),
	/**
	 * A STACKED report that credits nothing but probably refers to this note in doubt: evidence for
	 * staff who settle the note.
	 */
	v.object({ kind: v.literal('cash_evidence'), note_id, what: v.string() }),
	/**
	 * Staff's decision about a note in doubt. `nominal`: its value if it is in the box, else null.
	 */
	v.object({
		kind: v.literal('cash_settled'),
		note_id,
		outcome: v.picklist(NOTE_OUTCOMES),
		nominal: v.nullable(RupiahSchema),
		...decision,
	}),
	/**
	 * The cashbox was emptied or counted. It held everything credited up to `removal`, or, if there
	 * is no `removal`, up to this record. `counted`: the amount found; null if it was not counted.
	 */
	v.object({
		kind: v.literal('cashbox_collected'),
		collection_id: note_id,
		by: v.string(),
		expected: RupiahSchema,
		notes: v.array(v.object({ nominal: RupiahSchema, count: v.number() })),
		counted: v.nullable(RupiahSchema),
		time: v.string(),
		/**
		 * The newest counted removal of the cashbox; left out: the present contents were counted,
		 * and the period ends here.
		 */
		removal: v.optional(note_id),
		/** Every count entered on the staff screen, oldest first; the last count gives `counted`. */
		counts: v.optional(v.array(v.array(v.object({ nominal: RupiahSchema, count: v.number() })))),
	}),
	/**
	 * Staff settled an invoice that was paid in part (the rest was paid elsewhere) or twice (the
	 * surplus was given back elsewhere, or there is none). `payment_id`: key of the payment.
	 */
	v.object({ kind: v.literal('partial_settled'), settle_id: note_id, payment_id: v.string(), ...decision }),
	/**
	 * Staff gave this amount back to the customer, so the amount no longer counts as received.
	 * `payment_id`: key of the payment.
	 */
	v.object({
		kind: v.literal('money_given_back'),
		give_id: note_id,
		payment_id: v.string(),
		amount: RupiahSchema,
		...decision,
		time: v.string(),
	}),
	InvoiceSeen,
	/**
	 * Staff compared kiosk and back office and confirmed the back office: this invoice is not paid,
	 * even if the back office said "paid" before. Or staff confirmed that more money was given back
	 * than this kiosk received.
	 */
	v.object({ kind: v.literal('invoice_reviewed'), review_id: note_id, payment_id: v.string(), ...decision }),
	/** The back office has confirmed the note. */
	v.object({ kind: v.literal('note_uploaded'), note_id }),
	/**
	 * The note is not sent until staff decide; later notes are sent meanwhile. Usually the back
	 * office has refused the note repeatedly. `reason`: the answer of the back office, or why the
	 * note waits.
	 */
	v.object({ kind: v.literal('note_parked'), park_id: note_id, note_id, reason: v.string() }),
	/** Staff resend a parked note. */
	v.object({ kind: v.literal('note_resent'), resend_id: note_id, note_id, ...decision }),
	/** Staff have entered a parked note in the back office by hand: it is not sent again. */
	v.object({ kind: v.literal('note_booked'), note_id, ...decision }),
	/**
	 * Staff move a parked note to another invoice and send it again. `from`: key of its previous
	 * payment.
	 */
	v.object({ kind: v.literal('note_moved'), move_id: note_id, note_id, from: v.string(), payment: Payment, ...decision }),
	/**
	 * The customer was told that the invoice is paid. `paid_id`: missing in records of the first
	 * version, which wrote at most one such record for a payment.
	 */
	v.object({ kind: v.literal('invoice_paid'), payment: Payment, by: v.picklist(['back_office', 'kiosk']), paid_id: v.optional(note_id) }),
	/** The acceptor was locked, usually because a note was pulled back; or staff unlocked it. */
	v.object({ kind: v.literal('acceptor_lock'), lock_id: note_id, locked: v.boolean(), why: v.string() }),
	/**
	 * The acceptor reported notes or removals of the cashbox faster than is plausible. After `begun`
	 * the daemon only counted the reports; `over` has the counts: notes returned, and notes stacked
	 * without acceptance.
	 */
	v.object({
		kind: v.literal('acceptor_rush'),
		rush_id: note_id,
		phase: v.picklist(['begun', 'over']),
		refused: v.number(),
		stacked: v.number(),
		time: v.string(),
	}),
	/** The cashbox was removed: notes credited later are not in it. A new cashbox period begins. */
	v.object({ kind: v.literal('cashbox_removed'), removal_id: note_id, time: v.string() }),
	/** A cashbox was inserted again: the same one or another one. */
	v.object({ kind: v.literal('cashbox_returned'), removal_id: note_id, time: v.string() }),
	/**
	 * The first record of a journal that replaces an unusable one. `before`: the newest known
	 * record of the old journal, its folder, and the fault.
	 */
	v.object({
		kind: v.literal('journal_restarted'),
		restart_id: note_id,
		...decision,
		time: v.string(),
		before: v.object({ seq: v.number(), hash: v.string(), folder: v.string(), found: v.string() }),
	}),
	/**
	 * Staff accepted the journal although its key was lost. `before`: the journal's newest record at
	 * that time; a new key seals all later records.
	 */
	v.object({
		kind: v.literal('journal_resealed'),
		reseal_id: note_id,
		...decision,
		time: v.string(),
		before: v.object({ seq: v.number(), hash: v.string() }),
	}),
	/**
	 * The list of staff names changed; `people` is the whole list from then on. `staff_name`: the
	 * changed name; null: all names. `by`: the supervisor who approved, or the technician who cleared
	 * the list or restarted the journal; null for a `take_over`, or if the staff PIN alone approved
	 * because no supervisor could. `before`, only for a `carry_over`: the record of the old journal
	 * that contains this list. `is_last`: no later change of the list can be missing. The reason for
	 * a `carry_over` is in the record of the restart.
	 */
	v.object({
		kind: v.literal('staff_names_changed'),
		change_id: note_id,
		action: v.picklist(NAME_ACTIONS),
		staff_name: v.nullable(v.string()),
		by: v.nullable(v.string()),
		people: v.array(ListedPerson),
		time: v.string(),
		before: v.optional(v.object({ seq: v.number(), hash: v.string(), is_last: v.boolean() })),
	}),
	/** `payment_id` of a slip: its payment, or the id of its cashbox count or give-back. */
	v.object({
		kind: v.literal('print_requested'),
		print_id: note_id,
		payment_id: v.string(),
		purpose: v.picklist(['receipt', 'copy', 'slip']),
	}),
	v.object({ kind: v.literal('print_ended'), print_id: note_id, state: v.picklist(['done', 'failed', 'abandoned']), reason: v.string() }),
	/**
	 * Written before the first byte goes to the card terminal. `attempt`: number of this try for
	 * the invoice, from 1.
	 */
	v.object({
		kind: v.literal('card_sale'),
		attempt_id,
		payment: Payment,
		amount: RupiahSchema,
		method: v.picklist(['card', 'qris']),
		attempt: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
		time: v.string(),
	}),
	/**
	 * The outcome of a sale, written before the terminal's response is acknowledged; `not_begun` has
	 * no response. `late`: the sale had already ended, or an earlier outcome could not be written.
	 */
	v.object({
		kind: v.literal('card_outcome'),
		attempt_id,
		outcome: v.picklist(['approved', 'declined', 'not_begun']),
		response: v.nullable(CardResponse),
		late: v.boolean(),
	}),
	/** The terminal shows a QR code, which is not a payment yet. */
	v.object({ kind: v.literal('card_qr_shown'), attempt_id, response: CardResponse }),
	/** It is unknown whether the card was charged. */
	v.object({ kind: v.literal('card_unknown'), attempt_id, why: v.string(), response: v.nullable(CardResponse) }),
	/**
	 * An approval that no request of this kiosk explains: a charge without an invoice, which staff
	 * must investigate.
	 */
	v.object({ kind: v.literal('card_unexplained'), attempt_id, response: CardResponse, time: v.string() }),
	/**
	 * A report of the terminal that helps staff to settle a sale. `reopens`: the report contradicts
	 * the outcome, so the sale is unknown again.
	 */
	v.object({
		kind: v.literal('card_evidence'),
		evidence_id: note_id,
		attempt_id,
		what: v.string(),
		response: CardResponse,
		reopens: v.boolean(),
	}),
	/** Staff settled an unknown sale. */
	v.object({
		kind: v.literal('card_settled'),
		settle_id: note_id,
		attempt_id,
		outcome: v.picklist(['charged', 'not_charged']),
		...decision,
	}),
	/**
	 * Written before the approval is sent for the first time, because from then on the back office
	 * may know the approval.
	 */
	v.object({ kind: v.literal('card_approval_begun'), attempt_id }),
	/** The back office's end of the live socket has received the approval. */
	v.object({ kind: v.literal('card_approval_sent'), attempt_id }),
	/** Staff request an action that moves money at the terminal; written before its first byte. */
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

/**
 * @returns the record's subject; the database accepts at most one record of each kind about a
 * subject
 */
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
		case 'staff_names_changed':
			return record.change_id;
		case 'print_requested':
		case 'print_ended':
			return record.print_id;
		case 'card_sale':
		case 'card_outcome':
		case 'card_qr_shown':
		case 'card_unknown':
		case 'card_unexplained':
		case 'card_approval_begun':
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
