import type { Id } from '@kiosk/contract/back-office';
import type { EventId } from './events.ts';

type NoFields = Record<string, never>;

/** The fields by which the log is searched for a payment. */
export type AboutPayment = { invoice: string; payment_id: Id };

/**
 * The fields of every event in `EVENTS`. Metrics, health and traces read them, and the compiler
 * reports a missing field. Money in rupiah, durations in ms.
 */
export interface EventFields {
	'daemon.service_address_in_use': { address: string };
	'daemon.started': { address: string };
	'daemon.stopping': { signal: string };
	'daemon.notify_failed': { message: string };
	'daemon.address_in_use': { address: string };
	'daemon.already_runs': { reason: string };
	'daemon.state_unusable': { reason: string };
	'settings.refused': { file: string; problems: readonly string[] };
	'settings.sealed': NoFields;
	'settings.changed': { settings: readonly string[] };
	'settings.confirmed': { settings: readonly string[]; by: string };
	'settings.seal_not_stored': { file: string; reason: string };
	'trace.kept': { file: string; cause: string };
	'trace.failed': { cause: string; reason: string };
	'rehearsal.begun': { name: string; by: string };
	'rehearsal.ended': { name: string; verdict: string; text: string; file: string };
	'rehearsal.abandoned': { name: string; why: string };
	'acceptor.state': { state: string };
	'acceptor.escrow': { code: string };
	'acceptor.line_lost': { reason: string };
	'acceptor.reopened': { reason: string };
	'acceptor.odd_byte': { meaning: string; byte?: number };
	'acceptor.parity_suspected': { sign: string };
	'acceptor.parity_right': NoFields;
	'acceptor.line_notice': { message: string };
	'acceptor.locked': { why: string };
	'acceptor.rush': NoFields;
	'acceptor.calm': { refused: number; stacked: number };
	'acceptor.box_removed': NoFields;
	'acceptor.box_returned': NoFields;
	'acceptor.commissioning': { by: string };
	'acceptor.unlocked': { why: string };
	'cash.opened': AboutPayment & { total: number };
	'cash.closed': AboutPayment & { received: number; paid: boolean };
	'cash.screen_frozen': AboutPayment & { received: number };
	'cash.screen_drawn': AboutPayment & { received: number };
	'cash.note_accepted': AboutPayment & { note_id: string; nominal: number };
	'cash.note_credited': AboutPayment & { note_id: string; nominal: number; late: boolean };
	'cash.note_returned': ReturnedNote;
	'cash.note_in_doubt': AboutPayment & { note_id: string; nominal: number; why: string };
	'cash.note_settled': { note_id: string; nominal: number; invoice: string; outcome: string };
	'cash.found_again': { note_id: string };
	'staff.names_changed': { action: string; staff_name: string; by: string };
	'staff.names_cleared': { by: string };
	'staff.names_taken_over': { count: number };
	'staff.names_carried_over': { count: number; record: number; is_last: boolean };
	'staff.names_damaged': { file: string };
	'staff.codes_lost': { file: string };
	'staff.called': { screen: string; invoice?: string };
	'staff.call_answered': { by: string; waited_ms: number };
	'staff.call_expired': { waited_ms: number };
	'staff.code_refused': { staff_name: string; in_a_row: number; wait_ms: number };
	'cash.collected': { period: number; expected: number; difference: number | null };
	'cash.counted': { period: number; times: number; difference: number };
	'cash.given_back': AboutPayment & { amount: number };
	'invoice.paid_twice': AboutPayment & { total: number; received: number; twice: number };
	'invoice.dispute': AboutPayment & { total: number; received: number; why: string };
	'invoice.total_changed': AboutPayment & { before: number; total: number };
	'invoice.reviewed': AboutPayment;
	'cash.partial_settled': { invoice: string; received: number };
	'cash.note_unexplained': { note_id: string; nominal: number | null };
	'cash.credit_not_recorded': { note_id: string };
	'cash.report_dropped': { note_id: string; record: string };
	'cash.paid': AboutPayment & { by: 'back_office' | 'kiosk'; received: number; total: number };
	'edc.line_lost': { reason: string };
	'edc.line_notice': { message: string };
	'edc.sent': { request_id: string; type: string; amount: number | undefined; send: number };
	'edc.refused': { request_id: string; type: string; send: number };
	'edc.answer': {
		request_id: string | null;
		type: string;
		code: string;
		meaning: string;
		amount: number | null;
		rrn: string;
		invoice: string;
	};
	'edc.repeated': { type: string; code: string; invoice: string };
	'edc.damaged': { why: string };
	'edc.silent': { request_id: string; type: string; why: string };
	'edc.unanswered': { request_id: string; type: string; why: string };
	'edc.odd_version': { version: number };
	'edc.discarded': { bytes: number } | { why: string };
	'edc.trace': { from: 'kiosk' | 'terminal'; bytes: number; control: string };
	'card.terminal': { state: string };
	'card.refused': { invoice: string; amount: number; reason: string };
	'card.sent': AboutPayment & { attempt_id: string; amount: number; method: string; attempt: number };
	'card.approved': CardEnd;
	'card.declined': CardEnd;
	'card.not_begun': CardEnd;
	'card.unknown': Partial<AboutPayment> & { attempt_id: string; why: string; amount: number | undefined };
	'card.not_recorded': { attempt_id: string; message: string };
	'card.unexplained': { attempt_id: string; amount: number | null };
	'card.evidence': { attempt_id: string; what: string; reopens: boolean };
	'card.answer_ignored': { type: string; code: string; amount: number | null; why: string };
	'card.inquiry': { attempt_id: string; asks: string };
	'card.settled': { attempt_id: string; outcome: string; by: string; why: string };
	'card.staff_asked': { action: string; by: string; why: string };
	'card.staff_answered': { outcome: string; why: string };
	'card.approval_sent': AboutPayment & { attempt_id: string; amount: number };
	'card.approval_waiting': AboutPayment & { attempt_id: string; amount: number };
	'transfer.opened': Transfer;
	'transfer.paid': Transfer;
	'transfer.closed': Transfer;
	'transfer.not_kept': { reason: string };
	'journal.anchor': { record: number; hash: string; period: number; notes: number; expected: number };
	'journal.anchor_not_sent': { record: number; reason: string };
	'journal.unhealthy': { code: string; message: string };
	'journal.newer': { message: string };
	'update.restart_granted': { by: string; seconds: number };
	'update.restart_refused': { by: string; reasons: readonly string[] };
	'update.restart_given_back': NoFields;
	'update.restart_lapsed': { by: string };
	'journal.set_aside': { folder: string; by: string; why: string };
	'journal.resealed': { by: string; why: string };
	'journal.key_exposed': { file: string };
	'journal.healthy': NoFields;
	'outbox.uploaded': AboutPayment & { note_id: string; nominal: number };
	'outbox.parked': { note_id: string; nominal: number; invoice: string; reason: string };
	'outbox.settled_by_staff': { note_id: string; nominal: number; invoice: string; how: string };
	'outbox.call_unknown': { path: string; status: number };
	'outbox.waiting': AboutPayment & { note_id: string; nominal: number; reason: string; retry_ms: number };
	'back_office.request_failed': { call: string; code: string; reason: string };
	'back_office.not_allowed': { method: string | undefined; path: string };
	'back_office.odd_answer': { call: string; path: string };
	'back_office.contradiction': { invoice: string; reason: string };
	'socket.connected': NoFields;
	'socket.lost': { reason: string; retry_ms: number };
	'socket.odd_message': { from?: 'screen'; path?: string | null; reason?: string };
	'session.logged_in': { development: boolean };
	'session.logged_out': NoFields;
	'session.money_waits': { outlet: string; count: number; total: number };
	'session.of_other_server': { server: string; socket: string; ca_changed: boolean };
	'session.token_refused': NoFields;
	'session.stored_unusable': { reason: string };
	'session.not_stored': { reason: string };
	'session.not_removed': { reason: string };
	'screen.sessions_not_stored': { reason: string };
	'screen.start_refused': { reason: string };
	'screen.pin_refused': { in_a_row: number; wait_ms: number };
	'screen.pin_not_kept': { reason: string };
	'screen.pin_not_removed': { reason: string };
	'screen.pin_tries_not_stored': { reason: string };
	'screen.refused': { reason: string };
	'screen.fault': { what: string; detail: string };
	'screen.handler_failed': { error: string; message: string; place: string; count: number };
	'screen.promo_missing': { video: string; reason: string };
	'screen.voice_missing': NoFields;
	'film.kept': { address: string | undefined; bytes: number };
	'film.removed': NoFields;
	'film.failed': { reason: string; retry_ms: number };
	'screen.lookups_paused': { misses: number; pause_ms: number };
	'screen.picture_failed': { host: string; reason: string };
	'screen.lost': NoFields;
	'print.sent': { print_id: string; payment_id: Id; job: number; purpose: string };
	'print.done': { print_id: string; payment_id: Id };
	'print.trouble': { print_id?: string; reason: string; detail?: string };
	'print.failed': { print_id: string; payment_id: Id; reason: string; detail: string; may_be_on_paper: boolean };
	'print.leftovers': { jobs: number };
	'print.refused': { code: string };
	'print.no_logo': { reason: string };
	'slip.key_made': { key: string; public: string };
	'slip.key_damaged': { file: string };
	'slip.no_key': { reason: string };
	'slip.checked': { verdict: string; record: number | null };
	'update.step': { step: string; version: string | null };
	'update.waiting': { version: string | null; reason: string; text: string };
	'update.good': { version: string | null };
	'update.not_yet': { version: string | null; reason: string };
	'update.refused': { version: string | null; reason: string; text: string };
	'update.failed': { version: string | null; reason: string; text: string; tries: number };
	'update.rolled_back': { version: string | null };
	'update.asked': { what: string; by: string; why: string };
}

/**
 * A note was refused in escrow by the cash desk, came back after it was accepted, or was returned
 * by the acceptor or its driver.
 */
type ReturnedNote =
	| { code: string; nominal: number | null; reason: string }
	| (AboutPayment & { note_id: string; nominal: number; reason: string })
	| { nominal?: never; reason: string };

/** The end of a card sale. `amount` is missing if an earlier run of the daemon began the sale. */
type CardEnd = Partial<AboutPayment> & { attempt_id: string; late: boolean; amount: number | undefined; code: string | undefined };

/** A QRIS code or virtual account of the back office. */
type Transfer = AboutPayment & { method: string; amount: number };

/** One event with its fields, for a `switch (event.id)`. */
export type LoggedEvent = { [E in EventId]: { id: E; fields: EventFields[E] } }[EventId];

/** An effect of a pure machine: an event for the log. */
export type LogEffect = { kind: 'log' } & LoggedEvent;

/** @returns the event as one value */
export const loggedEvent = <E extends EventId>(id: E, fields: EventFields[E]): LoggedEvent =>
	// TypeScript cannot relate the two parameters; the pair is always a member of the union.
	({ id, fields }) as LoggedEvent;
