/**
 * Handles the acceptor's reports: decides whether a note may be taken, and follows a taken note to
 * its outcome.
 */
import type { AcceptorState, ReturnReason } from '@kiosk/contract/live';
import type { Rupiah } from '@kiosk/contract/money';
import type { AcceptorReport } from '../acceptor/driver.ts';
import type { JournalRecord } from '../journal/records.ts';
import { refuse } from './cash-after-write.ts';
import { recordRemoval, recordReturn, watchBox } from './cash-box.ts';
import { notifyReturn } from './cash-messages.ts';
import { recordRush } from './cash-rush.ts';
import {
	type CashEffect,
	type CashEvent,
	type CashPolicy,
	type CashState,
	type NoteInFlight,
	receivedOf,
	type Step,
} from './cash-state.ts';

type AcceptorEvent = Extract<CashEvent, { kind: 'acceptor' }>;

/** @returns the steps for a report of the acceptor */
export function onReport(state: CashState, event: AcceptorEvent, policy: CashPolicy): Step {
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
				// The acceptor has seen another note, so a later STACKED report is no longer evidence about
				// the note in `suspect`.
				state: { ...state, suspect: null },
				effects: [notifyReturn(null, report.reason), { kind: 'log', id: 'cash.note_returned', fields: { reason: report.reason } }],
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
		case 'cashbox_removed':
			// While the cashbox is out, a person may push another note into the unit.
			return recordRemoval({ ...state, suspect: null }, event);
		case 'cashbox_in_place':
			return recordReturn(state, event);
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
 * States of a starting or working unit. In any other state, another note may get into the cashbox
 * without a report.
 */
export const NOTHING_BETWEEN: ReadonlySet<AcceptorState> = new Set(['starting', 'inhibited', 'ready', 'busy']);

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
		const what = `the acceptor later said "stacked" for a note, at ${event.time}`;
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
