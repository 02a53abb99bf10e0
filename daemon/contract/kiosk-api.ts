/** The daemon's own calls under `/kiosk/`, used only between daemon and screen. */
import * as v from 'valibot';
import { IdSchema } from './back-office.ts';
import { HeldMoney } from './held-money.ts';
import { RupiahSchema } from './money-schema.ts';
import { Receipt } from './receipt.ts';

/**
 * Paths of the back office's calls, which the page sends to the daemon. `{id}` is a placeholder.
 */
export const BackOfficePaths = v.strictObject({
	login: v.string(),
	pin: v.string(),
	payment_group: v.string(),
	resend_callback: v.string(),
	invoice_info: v.string(),
	payment: v.string(),
	open_machine: v.string(),
	master_va: v.string(),
	create_va: v.string(),
	create_va_hutang_lain: v.string(),
	cancel_payment: v.string(),
	video: v.string(),
	astra_pay: v.string(),
	cash_notification: v.string(),
	anchor: v.string(),
});
export type BackOfficePaths = v.InferOutput<typeof BackOfficePaths>;

/** Position of a device, seen from the front of the panel. */
export const Place = v.picklist(['left', 'right', 'above', 'below']);
export type Place = v.InferOutput<typeof Place>;

/** GET /kiosk/settings: settings for the screen. Durations in ms. */
export const ScreenSettings = v.object({
	site_name: v.string(),
	/** Telephone number of staff for customers; '' if none is set. */
	staff_phone: v.string(),
	/** Time zone of receipts and displayed times, e.g. "Asia/Jakarta". */
	timezone: v.string(),
	panel_diagonal_inch: v.number(),
	/**
	 * Positions of the devices around the panel, for drawings that point to them; null if not set.
	 */
	places: v.object({ slot: v.nullable(Place), terminal: v.nullable(Place), tray: v.nullable(Place) }),
	alert_ms: v.number(),
	idle_ms: v.number(),
	idle_question_ms: v.number(),
	api_timeout_ms: v.number(),
	csrf_cookie: v.string(),
	csrf_header: v.string(),
	paths: BackOfficePaths,
	/** Notes that the acceptor may take, rupiah, smallest first; empty without an acceptor. */
	notes: v.array(RupiahSchema),
	/**
	 * `printer`: the daemon prints. `browser`: the page /cetak opens the browser's print dialog.
	 */
	print: v.picklist(['printer', 'browser']),
	/** Whether a card terminal is configured. */
	edc: v.boolean(),
	/**
	 * Time for which the daemon inquires about a QRIS code on the terminal, ms; null if the terminal
	 * shows no QRIS codes.
	 */
	edc_qris_ms: v.nullable(v.number()),
	/**
	 * Time without a touch, ms, after which the screen asks whether the customer is still there. It
	 * applies if money may have been paid: the customer has inserted cash, the screen shows a QRIS
	 * code or virtual account, or a card sale is unknown or covers only a part.
	 */
	abandoned_ms: v.number(),
	/** Whether the screen plays short tones. */
	sound: v.boolean(),
	/** Whether the kiosk speaks its instructions. */
	voice: v.boolean(),
	/** Whether the customer's name is masked (initials and stars) until a method is chosen. */
	mask_names: v.boolean(),
	/**
	 * Problems of an appliance's setup file: English sentences with line numbers. Until they are
	 * solved, the last valid settings apply.
	 */
	setup_problems: v.array(v.string()),
	/**
	 * Names of changed settings that keep cash closed until a person confirms them. The message
	 * `kiosk_setup` reports each change of this list.
	 */
	unconfirmed: v.array(v.string()),
	held_money: HeldMoney,
	/** Whether the kiosk's clock may be wrong; the page /cetak mentions it. */
	clock_in_doubt: v.boolean(),
	/**
	 * Address of the present promo video on this origin, or null; `kiosk_promo` reports a change.
	 */
	promo_video: v.nullable(v.string()),
});
export type ScreenSettings = v.InferOutput<typeof ScreenSettings>;

/**
 * A received payment for an invoice. `note_id` is null for a payment that the kiosk knows only from
 * the back office.
 */
export const CashEntry = v.object({ note_id: v.nullable(v.string()), nominal: RupiahSchema, time: v.string() });
export type CashEntry = v.InferOutput<typeof CashEntry>;

/**
 * The part of the request POST open-machine that the daemon reads. `hp`: the number that the
 * customer typed. `noinvoice` distinguishes two invoices for which the back office uses one id. The
 * request contains no amount: the daemon knows the due amount.
 */
export const OpenMachineRequest = v.looseObject({
	id: IdSchema,
	hp: v.optional(v.string(), ''),
	noinvoice: v.fallback(v.optional(v.string()), undefined),
});
export type OpenMachineRequest = v.InferOutput<typeof OpenMachineRequest>;

/**
 * The answer to open-machine: the two fields of the specification, the payments already received
 * for this invoice, and whether it is paid.
 */
export const OpenMachineAnswer = v.object({
	machine_ready: v.boolean(),
	message: v.string(),
	entries: v.array(CashEntry),
	is_paid: v.boolean(),
});
export type OpenMachineAnswer = v.InferOutput<typeof OpenMachineAnswer>;

/**
 * POST /kiosk/cash/close {id}: closes the cash session of this invoice. The daemon answers as soon
 * as no note is in flight.
 */
export const CashCloseRequest = v.object({ id: IdSchema });
export const CashCloseAnswer = v.object({
	entries: v.array(CashEntry),
	received: RupiahSchema,
	is_paid: v.boolean(),
	in_doubt: RupiahSchema,
});
export type CashCloseAnswer = v.InferOutput<typeof CashCloseAnswer>;

/**
 * POST /kiosk/print: the requested printout. `invoice`: the last looked-up invoice. `account`: the
 * open virtual account of that invoice; needs a printer. `list`: the row of the staff list with
 * this id, and with `noinvoice` if the request has it. `sample`: a test of the printer; the
 * request's id is ignored. The daemon alone determines the contents, so unknown fields are refused.
 */
export const PrintRequest = v.strictObject({
	id: IdSchema,
	noinvoice: v.optional(v.string()),
	of: v.optional(v.picklist(['invoice', 'list', 'account', 'sample']), 'invoice'),
});
export type PrintRequest = v.InferOutput<typeof PrintRequest>;

/**
 * The receipt for the customer's phone, sent only to the page that requested the print. `code`: the
 * code to type on a keypad; '' if there is none. `text`: the signed text of the QR code. `link`:
 * address that opens a WhatsApp message with the receipt; null if `[receipt] whatsapp_link` is not
 * set.
 */
export const TakeAlong = v.object({ code: v.string(), text: v.string(), link: v.nullable(v.string()) });
export type TakeAlong = v.InferOutput<typeof TakeAlong>;

/**
 * With a printer, the daemon answers when the job is recorded, then sends `kiosk_print` messages.
 * Without a printer, the answer is the receipt for the page /cetak.
 */
export const PrintAnswer = v.union([
	v.object({ print_id: v.string(), copy: v.boolean(), take: v.optional(v.nullable(TakeAlong)) }),
	v.object({ receipt: Receipt }),
]);

/** Codes of the reasons for which a print is refused. */
export const PRINT_REFUSALS = [
	'not_paid',
	'unknown_payment',
	'too_many_prints',
	'restarting',
	'journal_unhealthy',
	'journal_newer',
	'disk_full',
] as const;

/**
 * POST /kiosk/rendered: the page reports which route the panel shows. `visit`: the number that the
 * customer entered; '' for none.
 */
export const RenderedRequest = v.object({
	screen: v.pipe(v.string(), v.maxLength(200)),
	visit: v.optional(v.pipe(v.string(), v.maxLength(100)), ''),
	/** The displayed invoice; null or missing if there is none. */
	id: v.optional(v.nullable(IdSchema), null),
	/** Whether the panel was touched since the previous report. */
	touched: v.optional(v.boolean(), false),
});

/**
 * GET /kiosk/visit: the visit that a restarted browser resumes (`/?resume`); null if there is none.
 */
export const Visit = v.object({ visit: v.nullable(v.object({ screen: v.string(), number: v.string() })) });
export type Visit = v.InferOutput<typeof Visit>;

/**
 * GET /kiosk/staff: whether this page has a staff session, and the time in ms until staff can enter
 * a PIN again.
 */
export const StaffState = v.object({ open: v.boolean(), wait_ms: v.number() });
export type StaffState = v.InferOutput<typeof StaffState>;

/**
 * POST /kiosk/staff/confirm-settings: the names of the changed settings that the page displays. The
 * answer names the settings that are now confirmed.
 */
export const ConfirmSettings = v.object({ settings: v.pipe(v.array(v.pipe(v.string(), v.maxLength(200))), v.maxLength(100)) });
export const ConfirmedSettings = v.object({ confirmed: v.array(v.string()) });

/** POST /kiosk/report: a fault of the screen for the daemon's log, without personal data. */
export const ReportRequest = v.object({
	what: v.pipe(v.string(), v.maxLength(200)),
	detail: v.pipe(v.string(), v.maxLength(2_000)),
});
