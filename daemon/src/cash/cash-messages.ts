/** Messages to the screen about the acceptor, its notes and the payment. */
import type { CashEntry } from '@kiosk/contract/kiosk-api';
import { type AcceptorState, type LiveText, paidText, type ReturnReason } from '@kiosk/contract/live';
import type { Rupiah } from '@kiosk/contract/money';
import type { Payment } from '../journal/records.ts';
import { type CashEffect, isPaid, type Session } from './cash-state.ts';

/** @returns the message with the acceptor's state */
export const machineText = (state: AcceptorState): Extract<LiveText, { type: 'machine_ready' }> => ({
	type: 'machine_ready',
	is_ready: state === 'ready',
	state,
	ict_text: state === 'ready' ? 'Ready' : state,
});

/** @returns the message that a note is credited to the invoice */
export const creditText = (
	{ id, odoo_id }: Payment,
	note_id: string,
	{ nominal, time }: Pick<CashEntry, 'nominal' | 'time'>,
): LiveText => ({
	type: 'payment_cash_notification',
	id,
	odoo_id,
	note_id,
	nominal,
	time,
});

/** @returns the messages that a screen may have missed about a session */
export function greetingOf(session: Session | null): LiveText[] {
	if (!session) return [];
	const { payment, entries } = session;
	// A reloaded screen needs all notes. Any other screen ignores notes whose ids it already has.
	const notes = entries.flatMap((entry) => (entry.note_id === null ? [] : [creditText(payment, entry.note_id, entry)]));
	return isPaid(session) ? [...notes, paidText(payment)] : notes;
}

/** Tells the screen that a note was returned. @param nominal rupiah; null if unknown */
export const notifyReturn = (nominal: Rupiah | null, reason: ReturnReason): CashEffect => ({
	kind: 'tell',
	text: { type: 'kiosk_note_returned', nominal, reason },
});
