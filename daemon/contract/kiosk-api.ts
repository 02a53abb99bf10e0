/** The daemon's own calls under `/kiosk/`, spoken only between this daemon and this screen. */
import * as v from 'valibot';
import { IdSchema } from './back-office.ts';
import { RupiahSchema } from './money.ts';
import { Receipt } from './receipt.ts';

/** Paths of the back office, as the screen calls them on the daemon's origin. `{id}` is replaced. */
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
});
export type BackOfficePaths = v.InferOutput<typeof BackOfficePaths>;

/** GET /kiosk/settings: what the screen may know of the settings. Durations in ms. */
export const ScreenSettings = v.object({
	site_name: v.string(),
	/** Receipts and times on screen are written in it, e.g. "Asia/Jakarta". */
	timezone: v.string(),
	panel_diagonal_inch: v.number(),
	alert_ms: v.number(),
	idle_ms: v.number(),
	idle_question_ms: v.number(),
	api_timeout_ms: v.number(),
	csrf_cookie: v.string(),
	csrf_header: v.string(),
	paths: BackOfficePaths,
	/** Notes the acceptor may take, rupiah, smallest first; empty when there is no acceptor. */
	notes: v.array(RupiahSchema),
	/** `printer`: the daemon prints. `browser`: the page /cetak opens the browser's print dialog. */
	print: v.picklist(['printer', 'browser']),
	/** Whether a card terminal is configured. */
	edc: v.boolean(),
	/** How long a QRIS code on the terminal is watched, ms; null where the terminal shows none. */
	edc_qris_ms: v.nullable(v.number()),
	/** Without a touch for this long beside money that is in the machine or on its way, staff are called. */
	abandoned_ms: v.number(),
	/** Short tones beside what is seen. */
	sound: v.boolean(),
	/** Whether the customer's name is shown by its initials until a method is chosen. */
	mask_names: v.boolean(),
	/** What is wrong in the setup file of an appliance, a sentence in English with its line each; older settings hold meanwhile. */
	setup_problems: v.array(v.string()),
	/** Names of changed settings that keep cash closed until a person confirms them; `kiosk_setup` tells of a change. */
	unconfirmed: v.array(v.string()),
	/** Whether the kiosk's clock may be wrong now; the page /cetak says so. */
	clock_in_doubt: v.boolean(),
	/** Address of the promo video on this origin now, or null for none; `kiosk_promo` tells of another one. */
	promo_video: v.nullable(v.string()),
});
export type ScreenSettings = v.InferOutput<typeof ScreenSettings>;

/** One received payment of an invoice. `note_id` is null for payments that only the back office knows. */
export const CashEntry = v.object({ note_id: v.nullable(v.string()), nominal: RupiahSchema, time: v.string() });
export type CashEntry = v.InferOutput<typeof CashEntry>;

/**
 * POST open-machine, the part of the customer detail that the daemon reads: which invoice, and the number under which the customer
 * looked it up. What is due the daemon knows itself.
 */
export const OpenMachineRequest = v.looseObject({ id: IdSchema, hp: v.optional(v.string(), '') });
export type OpenMachineRequest = v.InferOutput<typeof OpenMachineRequest>;

/** The daemon's answer: the spec's two fields and everything received for this invoice so far. */
export const OpenMachineAnswer = v.object({
	machine_ready: v.boolean(),
	message: v.string(),
	entries: v.array(CashEntry),
	is_paid: v.boolean(),
});
export type OpenMachineAnswer = v.InferOutput<typeof OpenMachineAnswer>;

/** POST /kiosk/cash/close {id}: answered once a note in flight has an outcome. */
export const CashCloseRequest = v.object({ id: IdSchema });
export const CashCloseAnswer = v.object({
	entries: v.array(CashEntry),
	received: RupiahSchema,
	is_paid: v.boolean(),
	in_doubt: RupiahSchema,
});
export type CashCloseAnswer = v.InferOutput<typeof CashCloseAnswer>;

/**
 * POST /kiosk/print: which receipt is wanted; what it says is the daemon's business. `invoice` is the invoice that was looked up last,
 * `list` a row of the staff's list. An unknown field is refused: nothing else of a page may count.
 */
export const PrintRequest = v.strictObject({
	id: v.union([v.pipe(v.string(), v.maxLength(100)), v.pipe(v.number(), v.safeInteger())]),
	of: v.optional(v.picklist(['invoice', 'list']), 'invoice'),
});
export type PrintRequest = v.InferOutput<typeof PrintRequest>;

/**
 * With a printer: answered as soon as the job is recorded; its fate follows as `kiosk_print` on the socket. Without one: the receipt
 * that the page /cetak draws.
 */
export const PrintAnswer = v.union([v.object({ print_id: v.string(), copy: v.boolean() }), v.object({ receipt: Receipt })]);

/** Codes of a refused print. */
export const PRINT_REFUSALS = ['not_paid', 'unknown_payment', 'too_many_prints', 'journal_unhealthy', 'disk_full'] as const;

/** POST /kiosk/rendered: this route is on the panel. `visit` is the number that its customer has entered, '' without one. */
export const RenderedRequest = v.object({
	screen: v.pipe(v.string(), v.maxLength(200)),
	visit: v.optional(v.pipe(v.string(), v.maxLength(100)), ''),
	/** The invoice that the screen shows; null or missing where it shows none. */
	id: v.optional(v.nullable(IdSchema), null),
});

/** GET /kiosk/visit: what a browser shows that was started at `/?resume`, in the middle of a visit; null when there is none to go on with. */
export const Visit = v.object({ visit: v.nullable(v.object({ screen: v.string(), number: v.string() })) });
export type Visit = v.InferOutput<typeof Visit>;

/** GET /kiosk/staff: whether the daemon has opened this page for staff, and for how long no PIN is taken, ms. */
export const StaffState = v.object({ open: v.boolean(), wait_ms: v.number() });
export type StaffState = v.InferOutput<typeof StaffState>;

/** POST /kiosk/staff/confirm-settings: the names of changed settings as the page shows them; answered with what was confirmed. */
export const ConfirmSettings = v.object({ settings: v.pipe(v.array(v.pipe(v.string(), v.maxLength(200))), v.maxLength(100)) });
export const ConfirmedSettings = v.object({ confirmed: v.array(v.string()) });

/** POST /kiosk/report: a fault of the screen for the daemon's log; never with personal data. */
export const ReportRequest = v.object({
	what: v.pipe(v.string(), v.maxLength(200)),
	detail: v.pipe(v.string(), v.maxLength(2_000)),
});
