/** The steps after a cash record was written or its write failed. */
import { paidText, type ReturnReason } from '@kiosk/contract/live';
import type { Rupiah } from '@kiosk/contract/money';
import { type JournalRecord, samePayment } from '../journal/records.ts';
import type { JournalError } from '../journal/trouble.ts';
import { aboutPayment } from '../log/about-payment.ts';
import { creditText, notifyReturn } from './cash-messages.ts';
import { type CashEffect, type CashState, isPaid, type NoteInFlight, receivedOf, type Session, type Step } from './cash-state.ts';

/** @returns the steps after `record` is on disk. A credit is reported only after its write */
export function afterWrite(state: CashState, record: JournalRecord): Step {
	switch (record.kind) {
		case 'cash_intent':
			return {
				state,
				effects: [
					{ kind: 'tell', text: { type: 'kiosk_note_moving', id: record.payment.id, nominal: record.nominal }, about: record.payment },
					{ kind: 'acceptor', command: 'accept' },
					{
						kind: 'log',
						id: 'cash.note_accepted',
						fields: { note_id: record.note_id, nominal: record.nominal, ...aboutPayment(record.payment) },
					},
				],
			};
		case 'cash_credit':
			return creditNote(state, record.note_id);
		case 'cash_returned':
			return recordReturn(state, record.note_id);
		case 'cash_in_doubt':
			return putInDoubt(state, record.note_id, record.why);
		case 'invoice_paid':
			return { state, effects: [{ kind: 'tell', text: paidText(record.payment), about: record.payment }] };
		case 'acceptor_lock':
			return { state, effects: [{ kind: 'log', id: 'acceptor.locked', fields: { why: record.why } }] };
		default:
			return { state, effects: [] };
	}
}

/**
 * @returns the steps after the write of `record` failed. A credit that is not on disk is not
 * reported
 */
export function afterFailedWrite(state: CashState, record: JournalRecord, error: JournalError): Step {
	const trouble: CashState = { ...state, trouble: error.code };
	switch (record.kind) {
		case 'cash_intent':
			return refuse({ ...trouble, note: null }, record.code, record.nominal, error.code);
		case 'cash_credit':
		case 'cash_returned':
		case 'cash_in_doubt': {
			// The intent is on disk, so the journal puts the note in doubt when it is writable again. A
			// waiting credit is then written.
			// After a credit or a return the outcome is known, so a later STACKED report is about another
			// note.
			const suspect = record.kind === 'cash_in_doubt' ? trouble.suspect : null;
			const step = putInDoubt({ ...trouble, suspect }, record.note_id, error.message);
			return {
				state: step.state,
				effects: [{ kind: 'log', id: 'cash.credit_not_recorded', fields: { note_id: record.note_id } }, ...step.effects],
			};
		}
		case 'invoice_paid':
			// All credits are already on disk, so the screen gets "paid" even if this record is missing.
			return { state: trouble, effects: [{ kind: 'tell', text: paidText(record.payment), about: record.payment }] };
		default:
			return { state: trouble, effects: [] };
	}
}

/**
 * Called when the credit is on disk: adds the note to its session and informs screen, log and
 * outbox.
 */
export function creditNote(before: CashState, note_id: string): Step {
	const taken = take(before, note_id);
	if (!taken) return { state: before, effects: [] };
	const { note } = taken;
	const { payment, nominal, time } = note;
	const session = sessionOf(taken.state, note);
	// A credit whose write failed may be on disk, and the session may have read it from there.
	const isEntered = session?.entries.some((entry) => entry.note_id === note_id) ?? true;
	const state =
		session && !isEntered
			? { ...taken.state, session: { ...session, entries: [...session.entries, { note_id, nominal, time }] } }
			: taken.state;
	const effects: CashEffect[] = [
		{ kind: 'tell', text: creditText(payment, note_id, note), about: payment },
		{ kind: 'log', id: 'cash.note_credited', fields: { note_id, nominal, ...aboutPayment(payment), late: taken.wasInDoubt } },
		{ kind: 'upload' },
	];
	const covered = cover(state, effects);
	return settleClose(covered.state, covered.effects);
}

function recordReturn(before: CashState, note_id: string): Step {
	const taken = take(before, note_id);
	if (!taken) return { state: before, effects: [] };
	const { nominal, payment } = taken.note;
	return settleClose(taken.state, [
		notifyReturn(nominal, 'rejected_by_machine'),
		{ kind: 'log', id: 'cash.note_returned', fields: { note_id, nominal, ...aboutPayment(payment), reason: 'rejected_by_machine' } },
	]);
}

function putInDoubt(before: CashState, note_id: string, why: string): Step {
	const { note } = before;
	if (note?.note_id !== note_id) return { state: before, effects: [] };
	const session = sessionOf(before, note);
	const state: CashState = {
		...before,
		note: null,
		doubtful: note,
		session: session ? { ...session, inDoubt: [...session.inDoubt, note] } : before.session,
	};
	return settleClose(state, [
		{ kind: 'tell', text: { type: 'kiosk_note_in_doubt', id: note.payment.id, note_id, nominal: note.nominal }, about: note.payment },
		{ kind: 'log', id: 'cash.note_in_doubt', fields: { note_id, nominal: note.nominal, ...aboutPayment(note.payment), why } },
	]);
}

/** @returns the note in flight or in doubt with this id, and the state without it */
function take(state: CashState, note_id: string): { note: NoteInFlight; wasInDoubt: boolean; state: CashState } | null {
	if (state.note?.note_id === note_id) return { note: state.note, wasInDoubt: false, state: { ...state, note: null } };
	if (state.doubtful?.note_id !== note_id) return null;
	const note = state.doubtful;
	const session = sessionOf(state, note);
	const settled = session ? { ...session, inDoubt: without(session.inDoubt, note_id) } : state.session;
	return { note, wasInDoubt: true, state: { ...state, doubtful: null, suspect: null, session: settled } };
}

/** @returns all notes except the one with this id */
export const without = <N extends { note_id: string }>(notes: readonly N[], note_id: string): N[] =>
	notes.filter((note) => note.note_id !== note_id);

/** @returns the open session if the note belongs to it */
const sessionOf = (state: CashState, note: NoteInFlight): Session | null =>
	state.session && samePayment(state.session.payment, note.payment) ? state.session : null;

/**
 * If the received amount covers the invoice, stops taking notes and waits for the back office to
 * report "paid".
 */
export function cover(state: CashState, effects: CashEffect[]): Step {
	const { session } = state;
	if (session?.paid !== 'no' || session.entries.length === 0) return { state, effects };
	if (receivedOf(session.entries) < session.payment.total) return { state, effects };
	effects.push({ kind: 'wait_for_paid', payment: session.payment });
	return { state: { ...state, session: { ...session, paid: 'covered' } }, effects };
}

/** Ends a closing session if no note is in flight. */
export function settleClose(state: CashState, effects: CashEffect[]): Step {
	const { session } = state;
	if (!session?.closing || state.note) return { state, effects };
	const fields = { ...aboutPayment(session.payment), received: receivedOf(session.entries), paid: isPaid(session) };
	return {
		state: { ...state, session: null },
		effects: [...effects, { kind: 'log', id: 'cash.closed', fields }, { kind: 'closed', session }],
	};
}

/**
 * Makes the acceptor return the note in escrow.
 * @param nominal rupiah; null if its code is not in the note map
 */
export function refuse(state: CashState, code: string, nominal: Rupiah | null, reason: ReturnReason): Step {
	return {
		state,
		effects: [
			{ kind: 'acceptor', command: 'reject' },
			notifyReturn(nominal, reason),
			{ kind: 'log', id: 'cash.note_returned', fields: { code, nominal, reason } },
		],
	};
}
