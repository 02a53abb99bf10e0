/** Handles the terminal's reports about its state and about the beginning and end of requests. */
import type { JournalRecord } from '../journal/records.ts';
import { addPhase } from './card-messages.ts';
import { lookAgain, onAnswer } from './card-responses.ts';
import { endAction } from './card-staff.ts';
import { BEGUN_AFTER_ALL, type CardEvent, type CardPolicy, type CardState, type OpenSale, type Step } from './card-state.ts';

/** @returns the steps for a report of the terminal */
export function onReport(state: CardState, event: Extract<CardEvent, { kind: 'terminal' }>, policy: CardPolicy): Step {
	const { report } = event;
	if (report.kind === 'state') {
		const fields = { state: report.state };
		return { state: { ...state, terminal: report.state }, effects: [{ kind: 'log', id: 'card.terminal', fields }] };
	}
	if (report.kind === 'answer') return onAnswer(state, { ...event, report }, policy);
	const { open } = state;
	const isLate = open?.request_id !== report.request_id;
	// A closed journal does not show whether the sale counts as not begun. The record of the late ACK
	// is therefore kept. It is dropped later if the reopened journal shows that the sale had begun.
	if (report.kind === 'acked' && (event.sale?.state === 'not_begun' || (event.isClosed && isLate)))
		return reopenBegun(state, report.request_id);
	if (isLate) return { state, effects: [] };
	if (report.kind === 'begun') {
		const begun = { attempt_id: report.request_id, clock: report.clock, terminal_id: report.terminal_id };
		return { state: open.kind === 'sale' && !open.qr ? { ...state, begun } : state, effects: [] };
	}
	if (open.kind === 'inquiry') return report.kind === 'acked' ? { state, effects: [] } : { state: { ...state, open: null }, effects: [] };
	if (report.kind === 'acked') return open.kind === 'sale' ? onAck(state, open) : { state, effects: [] };
	if (open.kind === 'staff') return endAction(state, open.ask, report.kind === 'silent' ? 'unknown' : 'not_begun', report.why, null);
	if (open.qr) return lookAgain(state, open, policy);
	const { attempt_id } = open.sale;
	const record: JournalRecord =
		report.kind === 'silent'
			? { kind: 'card_unknown', attempt_id, why: report.why, response: null }
			: { kind: 'card_outcome', attempt_id, outcome: 'not_begun', response: null, late: false };
	return { state, effects: [{ kind: 'write', record }] };
}

/**
 * Makes a sale unknown that counted as not begun. The terminal has now acknowledged the request, so
 * the customer can still pay.
 */
function reopenBegun(state: CardState, attempt_id: string): Step {
	return { state, effects: [{ kind: 'write', record: { kind: 'card_unknown', attempt_id, why: BEGUN_AFTER_ALL, response: null } }] };
}

function onAck(state: CardState, open: OpenSale): Step {
	return addPhase({ state: { ...state, open: { ...open, acked: true } }, effects: [] }, open.sale, 'acked');
}
