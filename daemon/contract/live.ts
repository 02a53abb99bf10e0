/**
 * The live socket: `{text: {type, …}}` towards the screen, `{message: …}` from it. The same shape comes from the back
 * office to the daemon, which relays what it does not own. Types that start with `kiosk_` exist only between daemon and screen.
 */
import * as v from 'valibot';
import { FlagSchema, IdSchema } from './back-office.ts';
import { RupiahSchema } from './money.ts';

/** Why a note went back to the customer. The screen has one sentence for each. */
export const RETURN_REASONS = [
	'no_session',
	'unmapped_note',
	'note_switched_off',
	'too_large',
	'journal_unhealthy',
	'disk_full',
	'unreadable',
	'rejected_by_machine',
	'decided_too_late',
	'closing',
] as const;
export type ReturnReason = (typeof RETURN_REASONS)[number];

/** What the bill acceptor is doing, as far as screen and technician need to know. `ready` is the only state that takes notes. */
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
	'disk_full',
	'note_map_missing',
] as const;
export type AcceptorState = (typeof ACCEPTOR_STATES)[number];

/** One stacked and recorded note. `note_id` makes a repeat on the socket harmless. `time` is ISO 8601 with offset. */
const CashNotification = v.looseObject({
	type: v.literal('payment_cash_notification'),
	id: IdSchema,
	odoo_id: v.optional(v.nullable(IdSchema)),
	note_id: v.string(),
	nominal: RupiahSchema,
	time: v.string(),
});

const PaymentNotification = v.looseObject({ type: v.literal('payment_notification'), id: IdSchema, is_paid: FlagSchema });

const MachineReady = v.looseObject({
	type: v.literal('machine_ready'),
	is_ready: v.boolean(),
	state: v.picklist(ACCEPTOR_STATES),
	/** "Ready" when notes may be inserted, else the state's name; the screen has the wording. */
	ict_text: v.string(),
});

const Connection = v.looseObject({ type: v.literal('connection'), is_connected: v.boolean() });

/** A note is in escrow or moving to the cashbox: nobody may leave the screen yet. */
const NoteMoving = v.looseObject({ type: v.literal('kiosk_note_moving'), id: IdSchema, nominal: RupiahSchema });

const NoteReturned = v.looseObject({
	type: v.literal('kiosk_note_returned'),
	nominal: v.nullable(RupiahSchema),
	reason: v.picklist(RETURN_REASONS),
});

/** The machine took a note and never said what became of it: staff settle it by `note_id`. */
const NoteInDoubt = v.looseObject({ type: v.literal('kiosk_note_in_doubt'), id: IdSchema, note_id: v.string(), nominal: RupiahSchema });

export const PRINT_STATES = ['printing', 'done', 'failed'] as const;
const Print = v.looseObject({
	type: v.literal('kiosk_print'),
	print_id: v.string(),
	state: v.picklist(PRINT_STATES),
	/** A short code for `failed` and for trouble while printing: paper_out, cover_open, offline, timeout, refused … */
	reason: v.optional(v.string()),
});

const LiveText = v.variant('type', [
	CashNotification,
	PaymentNotification,
	MachineReady,
	Connection,
	NoteMoving,
	NoteReturned,
	NoteInDoubt,
	Print,
]);
export type LiveText = v.InferOutput<typeof LiveText>;

/** What the screen understands. Anything else is counted and ignored by it. */
export const LiveMessage = v.object({ text: LiveText });
export type LiveMessage = v.InferOutput<typeof LiveMessage>;

/** What the back office may send; only `type` is certain. Some servers send `text` as JSON inside a string. */
export const ServerMessage = v.object({
	text: v.union([v.looseObject({ type: v.string() }), v.pipe(v.string(), v.parseJson(), v.looseObject({ type: v.string() }))]),
});

/** What the screen may send. */
export const ScreenMessage = v.object({
	message: v.union([v.literal('ping'), v.literal('transaction'), v.looseObject({ type: v.string() })]),
	amount: v.optional(v.number()),
});
