/**
 * Messages of the live socket: `{text: {type, …}}` to the screen, `{message: …}` from the screen.
 * The back office sends `{text: {type, …}}` to the daemon. Of these messages the daemon forwards
 * only `payment_notification`, rebuilt from its fields. Types that start with `kiosk_` exist only
 * between daemon and screen.
 */
import * as v from 'valibot';
import { FlagSchema, type Id, IdSchema } from './back-office.ts';
import { parseBoundedJson } from './bounded-json.ts';
import { HeldMoney } from './held-money.ts';
import { RupiahSchema } from './money-schema.ts';

/** Reasons for returning a note to the customer. The screen has one sentence for each reason. */
export const RETURN_REASONS = [
	'no_session',
	'unmapped_note',
	'note_switched_off',
	'too_large',
	'journal_unhealthy',
	'journal_newer',
	'disk_full',
	'unreadable',
	'rejected_by_machine',
	'decided_too_late',
	'closing',
	'screen_frozen',
	'settings_unconfirmed',
] as const;
export type ReturnReason = (typeof RETURN_REASONS)[number];

/**
 * States of the bill acceptor for screen and technician. The acceptor takes notes only in `ready`.
 */
export const ACCEPTOR_STATES = [
	'not_configured',
	'disconnected',
	'starting',
	'silent',
	'garbled',
	'inhibited',
	'ready',
	'busy',
	'motor_failure',
	'rom_checksum',
	'bill_jam',
	'bill_removed',
	'cashbox_open',
	'sensor_problem',
	'communication_failure',
	'bill_fish',
	'stacker_problem',
	'note_in_doubt',
	'locked',
	'journal_unhealthy',
	'journal_newer',
	'disk_full',
	'note_map_missing',
	'screen_frozen',
	'settings_unconfirmed',
] as const;
export type AcceptorState = (typeof ACCEPTOR_STATES)[number];

/**
 * A note that was stacked and recorded. `note_id` deduplicates repeated messages. `time` is ISO
 * 8601 with offset.
 */
const CashNotification = v.looseObject({
	type: v.literal('payment_cash_notification'),
	id: IdSchema,
	odoo_id: v.optional(v.nullable(IdSchema)),
	note_id: v.string(),
	nominal: RupiahSchema,
	time: v.string(),
});

/**
 * The invoice number, if the daemon knows it. A back office may use one id for two invoices, so a
 * page ignores messages with another number.
 */
const Numbered = { noinvoice: v.optional(v.string()) };

/**
 * A payment by any method; the only back-office message that a page receives. Unless `is_paid` is
 * false, the invoice is paid (specification, states).
 */
export const PaymentNotification = v.object({
	type: v.literal('payment_notification'),
	id: IdSchema,
	odoo_id: v.optional(v.nullable(IdSchema)),
	is_paid: v.optional(FlagSchema, true),
	...Numbered,
});

const MachineReady = v.looseObject({
	type: v.literal('machine_ready'),
	is_ready: v.boolean(),
	state: v.picklist(ACCEPTOR_STATES),
	/** "Ready" if notes may be inserted, else the name of the state. */
	ict_text: v.string(),
});

const Connection = v.looseObject({ type: v.literal('connection'), is_connected: v.boolean() });

/**
 * A note is in escrow or moving to the cashbox. Until its outcome is known, the customer cannot
 * leave the screen.
 */
const NoteMoving = v.looseObject({ type: v.literal('kiosk_note_moving'), id: IdSchema, nominal: RupiahSchema });

const NoteReturned = v.looseObject({
	type: v.literal('kiosk_note_returned'),
	nominal: v.nullable(RupiahSchema),
	reason: v.picklist(RETURN_REASONS),
});

/**
 * The acceptor took a note and did not report its outcome. Staff use `note_id` to settle the note.
 */
const NoteInDoubt = v.looseObject({ type: v.literal('kiosk_note_in_doubt'), id: IdSchema, note_id: v.string(), nominal: RupiahSchema });

export const PRINT_STATES = ['printing', 'done', 'failed'] as const;
const Print = v.looseObject({
	type: v.literal('kiosk_print'),
	print_id: v.string(),
	state: v.picklist(PRINT_STATES),
	/**
	 * Code of a failure, or of a fault while printing: paper_out, cover_open, offline, timeout,
	 * refused …
	 */
	reason: v.optional(v.string()),
});

/**
 * Whether the printer works. `trouble`: a code as in `kiosk_print`, or null. The screen shows the
 * trouble before the kiosk takes money.
 */
const Printer = v.looseObject({ type: v.literal('kiosk_printer'), trouble: v.nullable(v.string()) });

/**
 * The card terminal's state for the next customer. A sale begins only in `ready`. `silent`: the
 * line is open, but the terminal does not answer. `unresolved`: the outcome of an earlier sale is
 * unknown or not in the journal yet, so no sale begins.
 */
export const EDC_STATES = [
	'not_configured',
	'disconnected',
	'starting',
	'silent',
	'ready',
	'busy',
	'unresolved',
	'journal_unhealthy',
	'journal_newer',
	'disk_full',
] as const;
export type EdcState = (typeof EDC_STATES)[number];
const EdcReady = v.looseObject({ type: v.literal('kiosk_edc'), state: v.picklist(EDC_STATES) });

/**
 * Progress of a sale at the terminal. `acked`: the terminal has acknowledged the request, and the
 * customer continues there. `unknown`: money may have moved.
 */
export const SALE_PHASES = ['sent', 'acked', 'approved', 'declined', 'unknown'] as const;
export type SalePhase = (typeof SALE_PHASES)[number];

/**
 * Reasons for sending no sale to the terminal; no money moved. The screen has one sentence for each
 * reason. `cash_inside`: a note for this invoice is moving or in doubt, or the invoice has received
 * money and the requested amount differs from the amount still due. `unresolved`: an earlier sale,
 * or a dispute about this invoice, waits for staff. `journal`: the kiosk cannot record the sale.
 * `restarting`: the kiosk is about to restart.
 */
export const SALE_REFUSALS = [
	'already_paid',
	'not_ready',
	'restarting',
	'bad_amount',
	'no_invoice',
	'cash_inside',
	'unresolved',
	'journal',
] as const;
export type SaleRefusal = (typeof SALE_REFUSALS)[number];

/** `qris`: the terminal shows a QRIS code instead of requesting a card. */
export const SALE_METHODS = ['card', 'qris'] as const;
export type SaleMethod = (typeof SALE_METHODS)[number];

/**
 * Sent only with an approval. `paid`: whether all received payments cover the invoice. `due`:
 * rupiah still due, because the total may have grown during the sale. `total`: the present total,
 * rupiah. A server that follows the specification omits these fields; the invoice is then paid.
 */
const Covered = { paid: v.optional(v.boolean()), due: v.optional(RupiahSchema), total: v.optional(RupiahSchema) };

const EdcSale = v.looseObject({
	type: v.literal('kiosk_edc_sale'),
	id: IdSchema,
	/** Id of the attempt. Its first characters are enough for staff to find the attempt. */
	attempt_id: v.string(),
	phase: v.picklist(SALE_PHASES),
	amount: RupiahSchema,
	method: v.optional(v.picklist(SALE_METHODS), 'card'),
	/**
	 * Why the daemon sent no sale to the terminal; only in the phase `declined`. `attempt_id` is ''
	 * if there was no attempt.
	 */
	reason: v.optional(v.picklist(SALE_REFUSALS)),
	...Covered,
	...Numbered,
});

/**
 * The terminal's response. A server that follows the specification sends it three times, so the
 * screen ignores a repeated `attempt_id`. This daemon sends it once.
 */
const EdcResponse = v.looseObject({
	type: v.literal('payment_edc_bca_notification'),
	event: v.literal('transaction_response'),
	data: v.looseObject({
		respCode: v.string(),
		attempt_id: v.optional(v.string()),
		/**
		 * Whether the screen may retry the sale automatically after this code. If missing, the
		 * specification's rule for the code applies.
		 */
		retry: v.optional(v.boolean()),
	}),
	...Covered,
});
export type EdcResponse = v.InferOutput<typeof EdcResponse>;

/** The present address of the promo film on this origin, or null. */
const Promo = v.looseObject({ type: v.literal('kiosk_promo'), address: v.nullable(v.string()) });

/**
 * Names of changed settings that keep cash closed until a person confirms them; empty afterwards.
 */
const Setup = v.looseObject({ type: v.literal('kiosk_setup'), unconfirmed: v.array(v.string()), held_money: HeldMoney });

/** Whether the kiosk needs attention from staff; /health shows the details. */
const HealthMark = v.looseObject({ type: v.literal('kiosk_health'), state: v.picklist(['ok', 'look']) });

/**
 * Payments by more than one method exceed the invoice's total: `twice` rupiah may have to go back
 * to the customer.
 */
const PaidTwice = v.looseObject({ type: v.literal('kiosk_paid_twice'), id: IdSchema, twice: RupiahSchema, ...Numbered });

/** Start of the customer's open call for staff, ISO 8601 with offset; null if no call is open. */
const StaffCalled = v.looseObject({ type: v.literal('kiosk_staff_call'), since: v.nullable(v.string()) });

const LiveText = v.variant('type', [
	CashNotification,
	PaymentNotification,
	MachineReady,
	Connection,
	NoteMoving,
	NoteReturned,
	NoteInDoubt,
	Print,
	Printer,
	PaidTwice,
	Promo,
	HealthMark,
	Setup,
	StaffCalled,
	EdcReady,
	EdcSale,
	EdcResponse,
]);
export type LiveText = v.InferOutput<typeof LiveText>;

/** The messages that the screen understands. The screen ignores all others. */
export const LiveMessage = v.object({ text: LiveText });
export type LiveMessage = v.InferOutput<typeof LiveMessage>;

/**
 * A message of the back office; only `type` is required. Some servers send `text` as a string that
 * contains JSON.
 */
export const ServerMessage = v.object({
	text: v.union([
		v.looseObject({ type: v.string() }),
		v.pipe(
			v.string(),
			v.rawTransform(({ dataset, addIssue, NEVER }) => {
				try {
					return parseBoundedJson(dataset.value);
				} catch {
					addIssue({ message: 'text that is JSON' });
					return NEVER;
				}
			}),
			v.looseObject({ type: v.string() }),
		),
	]),
});

/**
 * Requests a sale at the terminal. The specification defines only the amount; the other fields are
 * additions of this kiosk.
 */
export const EdcStart = v.looseObject({
	type: v.literal('payment_edc_bca_notification'),
	event: v.literal('start_transaction'),
	data: v.looseObject({
		amount: RupiahSchema,
		id: v.optional(IdSchema),
		odoo_id: v.optional(v.nullable(IdSchema)),
		noinvoice: v.optional(v.string()),
		/** Default `card`; `qris` only if the settings allow it. */
		method: v.optional(v.picklist(SALE_METHODS)),
	}),
});
export type EdcStart = v.InferOutput<typeof EdcStart>;

/**
 * Asks the daemon to report an approved sale to the back office. `json_success_payment` is the data
 * of the terminal's response.
 */
export const EdcApprove = v.looseObject({
	type: v.literal('payment_edc_bca_notification'),
	event: v.literal('transaction_approve'),
	data: v.looseObject({ no_invoice: v.string(), access_token: v.string(), json_success_payment: v.unknown() }),
});
export type EdcApprove = v.InferOutput<typeof EdcApprove>;

/**
 * An invalid request for a sale. The daemon tells the screen that the sale is declined, and sends
 * nothing to the terminal.
 */
const UnreadableStart = v.looseObject({ type: v.literal('payment_edc_bca_notification'), event: v.literal('start_transaction') });

/**
 * The messages that the screen may send. `transaction`: the amount that the customer is about to
 * pay; the daemon passes it to the back office.
 */
export const ScreenMessage = v.union([
	v.object({ message: v.literal('ping') }),
	v.object({ message: v.literal('transaction'), amount: RupiahSchema }),
	v.object({ message: v.union([EdcStart, EdcApprove, UnreadableStart]) }),
]);
export type ScreenMessage = v.InferInput<typeof ScreenMessage>;

/** @returns the message that an invoice is paid */
export const paidText = ({ id, noinvoice }: { id: Id; noinvoice: string }): LiveText => ({
	type: 'payment_notification',
	id,
	is_paid: true,
	noinvoice,
});
