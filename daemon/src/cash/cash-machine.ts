/**
 * The cash session: which note may be taken, when it counts, when the invoice is paid. A pure
 * machine; the order of its effects is the kiosk's promise: intent on disk → accept → stacked →
 * credit on disk → messages about it.
 */
import type { AcceptorState, LiveText, ReturnReason } from '@kiosk/contract/live';
import type { Rupiah } from '@kiosk/contract/money';
import type { AcceptorReport } from '../acceptor/driver.ts';
import { type JournalRecord, paymentKey, samePayment } from '../journal/records.ts';
import { aboutPayment } from '../log/about-payment.ts';
import { afterFailedWrite, afterWrite, cover, creditNote, noteReturned, refuse, settleClose, without } from './cash-after-write.ts';
import { watchBox } from './cash-box.ts';
import { recordRush } from './cash-rush.ts';
import {
	type CashEffect,
	type CashEvent,
	type CashPolicy,
	type CashState,
	isPaid,
	type NoteInFlight,
	receivedOf,
	type Session,
	type Step,
} from './cash-state.ts';

type AcceptorEvent = Extract<CashEvent, { kind: 'acceptor' }>;

/**
 * @returns the next state and the effects in the order in which they must happen; only steering may
 * follow a `write`
 */
export function cashStep(state: CashState, event: CashEvent, policy: CashPolicy): Step {
	return showState(steer(react(state, event, policy), policy), policy);
}

function react(state: CashState, event: CashEvent, policy: CashPolicy): Step {
	switch (event.kind) {
		case 'open':
			return openSession(state, event);
		case 'close':
			return state.session ? settleClose({ ...state, session: { ...state.session, closing: true } }, []) : { state, effects: [] };
		case 'acceptor':
			return onAcceptor(state, event, policy);
		case 'written':
			return afterWrite(state, event.record);
		case 'not_written':
			return afterFailedWrite(state, event.record, event.error);
		case 'paid_by_back_office':
			return state.session && paymentKey(state.session.payment) === event.key
				? markPaid(state, state.session, 'back_office')
				: { state, effects: [] };
		case 'back_office_unreachable':
			return state.session?.paid === 'covered' ? markPaid(state, state.session, 'kiosk') : { state, effects: [] };
		case 'paid_wait_over':
			return state.session?.paid === 'covered' && paymentKey(state.session.payment) === event.key
				? markPaid(state, state.session, 'kiosk')
				: { state, effects: [] };
		case 'settled':
			return settleNote(state, event);
		case 'suspect_over':
			return { state: state.suspect === event.note_id ? { ...state, suspect: null } : state, effects: [] };
		case 'journal':
			return onJournal({ ...state, trouble: event.trouble }, event.kept);
		case 'settings':
			return { state: { ...state, unconfirmed: event.unconfirmed }, effects: [] };
		case 'picture':
			return onPicture(state, event.frozen);
		default:
			return event satisfies never;
	}
}

/**
 * The journal is writable again: writes the missing record of a note that was reported as stacked.
 */
function onJournal(state: CashState, kept: boolean): Step {
	if (state.trouble || !state.doubtful?.stacked) return { state, effects: [] };
	const { note_id } = state.doubtful;
	return kept ? creditNote(state, note_id) : { state, effects: [{ kind: 'write', record: { kind: 'cash_credit', note_id, late: true } }] };
}

/**
 * A note in transit continues to its outcome; only the next note waits until the screen shows it
 * again.
 */
function onPicture(state: CashState, frozen: boolean): Step {
	const { session } = state;
	if (!session || session.frozen === frozen) return { state, effects: [] };
	const fields = { ...aboutPayment(session.payment), received: receivedOf(session.entries) };
	return {
		state: { ...state, session: { ...session, frozen } },
		effects: [{ kind: 'log', id: frozen ? 'cash.screen_frozen' : 'cash.screen_drawn', fields }],
	};
}

function openSession(state: CashState, event: Extract<CashEvent, { kind: 'open' }>): Step {
	const same = state.session && samePayment(state.session.payment, event.payment) ? state.session : null;
	// "Paid" holds for one total; for another total the books decide again.
	const before = same && same.payment.total === event.payment.total ? same.paid : 'no';
	const session: Session = {
		payment: event.payment,
		entries: event.entries,
		paid: event.paid ?? (before === 'covered' ? before : 'no'),
		closing: false,
		inDoubt: same?.inDoubt ?? [],
		frozen: event.frozen ?? same?.frozen ?? false,
		paid_id: event.paid_id,
	};
	const effects: CashEffect[] = [
		{ kind: 'log', id: 'cash.opened', fields: { ...aboutPayment(session.payment), total: session.payment.total } },
	];
	return cover({ ...state, session }, effects);
}

function markPaid(state: CashState, session: Session, by: 'back_office' | 'kiosk'): Step {
	if (isPaid(session)) return { state, effects: [] };
	const { payment } = session;
	return {
		state: { ...state, session: { ...session, paid: by } },
		effects: [
			{
				kind: 'log',
				id: 'cash.paid',
				fields: { ...aboutPayment(payment), by, received: receivedOf(session.entries), total: payment.total },
			},
			{ kind: 'write', record: { kind: 'invoice_paid', payment, by, paid_id: session.paid_id } },
		],
	};
}

function onAcceptor(state: CashState, event: AcceptorEvent, policy: CashPolicy): Step {
	const { report } = event;
	switch (report.kind) {
		case 'escrow':
			return onEscrow({ ...state, suspect: null, found: null }, report.code, event, policy);
		case 'stacked':
			return onStacked(state, report, event, policy);
		case 'returned':
			return onReturned(state, report.accepted);
		case 'refused':
			return {
				// Another note was there, so a STACKED report may now be about that one.
				state: { ...state, suspect: null },
				effects: [noteReturned(null, report.reason), { kind: 'log', id: 'cash.note_returned', fields: { reason: report.reason } }],
			};
		case 'outcome_missing':
			return state.note
				? {
						state: { ...state, suspect: report.other ? null : state.note.note_id, found: null },
						effects: [{ kind: 'write', record: { kind: 'cash_in_doubt', note_id: state.note.note_id, why: report.why } }],
					}
				: { state, effects: [] };
		case 'rush':
			return recordRush(state, report, event);
		case 'state':
			return onAcceptorState(state, report.state, event);
		default:
			return report satisfies never;
	}
}

function onAcceptorState(state: CashState, acceptor: AcceptorState, event: AcceptorEvent): Step {
	const effects: CashEffect[] = [{ kind: 'log', id: 'acceptor.state', fields: { state: acceptor } }];
	if (acceptor === 'bill_fish' && state.acceptor !== 'bill_fish')
		effects.push({
			kind: 'write',
			record: { kind: 'acceptor_lock', lock_id: event.note_id, locked: true, why: 'the acceptor reported that a note was pulled back' },
		});
	const box = watchBox({ ...state, acceptor, suspect: NOTHING_BETWEEN.has(acceptor) ? state.suspect : null }, acceptor, event);
	return { state: box.state, effects: [...effects, ...box.effects] };
}

/**
 * States of a starting or working unit. In any other state a person may push another note into the
 * cashbox, or a fall may go unreported.
 */
const NOTHING_BETWEEN: ReadonlySet<AcceptorState> = new Set(['starting', 'inhibited', 'ready', 'busy']);

function onEscrow(state: CashState, code: string, event: AcceptorEvent, policy: CashPolicy): Step {
	const nominal = policy.notes.get(code) ?? null;
	const reason = refusalOf(state, nominal, policy);
	if (reason || !state.session || nominal === null) return refuse(state, code, nominal, reason ?? 'unmapped_note');
	const { payment } = state.session;
	const note: NoteInFlight = { note_id: event.note_id, payment, nominal, time: event.time };
	const record: JournalRecord = { kind: 'cash_intent', note_id: note.note_id, payment, nominal, code, time: note.time };
	return { state: { ...state, note }, effects: [{ kind: 'write', record }] };
}

/** @returns why this note must not be taken now, or null */
function refusalOf(state: CashState, nominal: Rupiah | null, policy: CashPolicy): ReturnReason | null {
	const { session } = state;
	if (!session) return 'no_session';
	if (session.closing || session.paid !== 'no' || session.inDoubt.length > 0 || state.note) return 'closing';
	if (state.trouble) return state.trouble;
	if (state.boxOut !== null) return 'rejected_by_machine';
	if (state.unconfirmed) return 'settings_unconfirmed';
	if (session.frozen) return 'screen_frozen';
	if (nominal === null) return 'unmapped_note';
	if (policy.switchedOff.has(nominal)) return 'note_switched_off';
	const limit = policy.overpayLimit;
	if (limit !== null && receivedOf(session.entries) + nominal > session.payment.total + limit) return 'too_large';
	return null;
}

function onStacked(state: CashState, report: Extract<AcceptorReport, { kind: 'stacked' }>, event: AcceptorEvent, policy: CashPolicy): Step {
	const note = report.late ? state.doubtful : state.note;
	if (report.accepted && note) {
		return { state, effects: [{ kind: 'write', record: { kind: 'cash_credit', note_id: note.note_id, late: report.late } }] };
	}
	const { found } = state;
	if (found && (report.late || state.suspect === found)) {
		return {
			state: { ...state, suspect: null, found: null },
			effects: [{ kind: 'log', id: 'cash.found_again', fields: { note_id: found } }],
		};
	}
	if (state.suspect) {
		const what = `the acceptor said "stacked" after a restart, at ${event.time}`;
		const record: JournalRecord = { kind: 'cash_evidence', note_id: state.suspect, what };
		return { state: { ...state, suspect: null }, effects: [{ kind: 'write', record }] };
	}
	const nominal = report.code === null ? null : (policy.notes.get(report.code) ?? null);
	return {
		state,
		effects: [
			{ kind: 'log', id: 'cash.note_unexplained', fields: { note_id: event.note_id, nominal } },
			{ kind: 'write', record: { kind: 'cash_unexplained', note_id: event.note_id, code: report.code, nominal, time: event.time } },
		],
	};
}

function onReturned(state: CashState, accepted: boolean): Step {
	const note = state.note ?? state.doubtful;
	if (!accepted || !note) return { state, effects: [] };
	return { state, effects: [{ kind: 'write', record: { kind: 'cash_returned', note_id: note.note_id } }] };
}

/**
 * The note is no longer in doubt. If it was found in the box, it counts for the session; otherwise
 * the machine may take notes again.
 */
function settleNote(before: CashState, event: Extract<CashEvent, { kind: 'settled' }>): Step {
	const { note_id, payment_id, nominal, entry } = event;
	const isDoubtful = before.doubtful?.note_id === note_id;
	const isSuspect = before.suspect === note_id;
	const state: CashState = {
		...before,
		doubtful: isDoubtful ? null : before.doubtful,
		suspect: isSuspect && !entry ? null : before.suspect,
		// About any other note the acceptor will not report again.
		found: (isDoubtful || isSuspect) && entry ? note_id : before.found,
	};
	const { session } = state;
	if (!session || payment_id === null || paymentKey(session.payment) !== payment_id)
		return { state, effects: entry ? [{ kind: 'upload' }] : [] };
	// A note of an earlier session of this invoice is not in the list and releases nothing.
	const inDoubt = without(session.inDoubt, note_id);
	if (!entry) return { state: { ...state, session: { ...session, inDoubt } }, effects: [noteReturned(nominal, 'rejected_by_machine')] };
	const { id, odoo_id } = session.payment;
	return cover({ ...state, session: { ...session, inDoubt, entries: [...session.entries, entry] } }, [
		{ kind: 'tell', text: { type: 'payment_cash_notification', id, odoo_id, note_id, nominal, time: entry.time } },
		{ kind: 'upload' },
	]);
}

function mayTakeNotes(state: CashState, policy: CashPolicy): boolean {
	const { session } = state;
	return (
		session !== null &&
		wantsNotes(session) &&
		!session.frozen &&
		session.inDoubt.length === 0 &&
		!state.trouble &&
		state.boxOut === null &&
		!state.unconfirmed &&
		policy.notes.size > 0
	);
}

const wantsNotes = (session: Session): boolean => !session.closing && session.paid === 'no';

function steer(step: Step, policy: CashPolicy): Step {
	const enabled = mayTakeNotes(step.state, policy);
	if (enabled === step.state.enabled) return step;
	const command: CashEffect = { kind: 'acceptor', command: enabled ? 'enable' : 'inhibit' };
	// The pending write answers with a step of its own, so the command may precede it.
	return { state: { ...step.state, enabled }, effects: [command, ...step.effects] };
}

/** @returns the state for the screen: the daemon's own reason first, then the machine's */
export function shownStateOf(state: CashState, policy: CashPolicy): AcceptorState {
	if (policy.notes.size === 0) return 'note_map_missing';
	if (state.trouble) return state.trouble;
	if (state.session && state.session.inDoubt.length > 0) return 'note_in_doubt';
	// Faults of the machine come first, so that one visit of staff can clear both.
	if (state.unconfirmed && NOTHING_BETWEEN.has(state.acceptor)) return 'settings_unconfirmed';
	const closed = state.acceptor === 'ready' || state.acceptor === 'inhibited';
	if (closed && state.session?.frozen && wantsNotes(state.session)) return 'screen_frozen';
	if (state.acceptor === 'ready' && !mayTakeNotes(state, policy)) return 'inhibited';
	return state.acceptor;
}

function showState(step: Step, policy: CashPolicy): Step {
	const shown = shownStateOf(step.state, policy);
	if (shown === step.state.shown) return step;
	return { state: { ...step.state, shown }, effects: [...step.effects, { kind: 'tell', text: machineText(shown) }] };
}

/** @returns the message with the acceptor's state for the screen */
export const machineText = (state: AcceptorState): Extract<LiveText, { type: 'machine_ready' }> => ({
	type: 'machine_ready',
	is_ready: state === 'ready',
	state,
	ict_text: state === 'ready' ? 'Ready' : state,
});
