/** The steps that follow a record after it was written or its write failed. */

import type { TerminalResponse } from '../edc/terminal.ts';
import { mayRetry } from '../edc/verdict.ts';
import type { JournalRecord } from '../journal/records.ts';
import type { JournalError } from '../journal/trouble.ts';
import { aboutPayment } from '../log/about-payment.ts';
import { addPhase, responseData, saleText } from './card-messages.ts';
import { afterFailedStaffWrite, answerAction, sendAction } from './card-staff.ts';
import { BEGUN_AFTER_ALL, type CardEffect, type CardEvent, type CardPolicy, type CardState, type Known, type Step } from './card-state.ts';
import { keepInPlace, keepRecord, keepResponse } from './card-unwritten.ts';

type Of<Kind extends JournalRecord['kind']> = Extract<JournalRecord, { kind: Kind }>;

/** @returns the steps after `record` is on disk */
export function afterWrite(state: CardState, record: JournalRecord, policy: CardPolicy): Step {
	switch (record.kind) {
		case 'card_sale':
			return sendSale(state, record);
		case 'card_qr_shown': {
			const { open } = state;
			if (open?.kind !== 'sale') return { state, effects: [] };
			const qr = { response: record.response, looks: 0 };
			return {
				state: { ...state, open: { ...open, request_id: null, qr } },
				effects: [{ kind: 'look_later', ms: policy.qris.firstMs }],
			};
		}
		case 'card_outcome':
			return recordOutcome(state, record, policy);
		case 'card_unknown':
			return markUnknown(state, record);
		case 'card_unexplained': {
			const fields = { attempt_id: record.attempt_id, amount: record.response.amount };
			return { state, effects: [{ kind: 'log', id: 'card.unexplained', fields }] };
		}
		case 'card_evidence': {
			const { attempt_id, what, reopens } = record;
			const step: Step = { state, effects: [{ kind: 'log', id: 'card.evidence', fields: { attempt_id, what, reopens } }] };
			const sale = saleOf(state, attempt_id);
			return reopens && sale ? addPhase(step, sale, 'unknown') : step;
		}
		case 'card_settled':
			return settleSale(state, record);
		case 'card_action':
			return { state, effects: sendAction(state) };
		case 'card_action_ended':
			return answerAction(state, record);
		default:
			return { state, effects: [] };
	}
}

/** The intent is on disk: the sale may now go to the terminal. */
function sendSale(state: CardState, record: Of<'card_sale'>): Step {
	const { attempt_id, payment, amount, method, attempt } = record;
	const step = addPhase({ state, effects: [] }, record, 'sent');
	return {
		state: step.state,
		effects: [
			...step.effects,
			{ kind: 'log', id: 'card.sent', fields: { attempt_id, amount, method, attempt, ...aboutPayment(payment) } },
			{ kind: 'request', request: { type: method === 'card' ? 'sale' : 'qris', amount }, request_id: attempt_id },
		],
	};
}

/** @returns the sale with this id if it is open, unknown or the newest sale; else null */
function saleOf({ open, unresolved, last }: CardState, attempt_id: string): Known['sale'] | null {
	if (open?.kind === 'sale' && open.sale.attempt_id === attempt_id) return open.sale;
	const unknown = unresolved.find((sale) => sale.attempt_id === attempt_id);
	if (unknown?.payment) return { attempt_id, amount: unknown.amount, payment: unknown.payment, method: unknown.method };
	return last?.sale.attempt_id === attempt_id ? last.sale : null;
}

/** @returns the state, without its open sale if that sale has this id */
const without = (state: CardState, attempt_id: string): CardState =>
	state.open?.kind === 'sale' && state.open.sale.attempt_id === attempt_id ? { ...state, open: null } : state;

function recordOutcome(state: CardState, record: Of<'card_outcome'>, policy: CardPolicy): Step {
	const { attempt_id, outcome, response, late } = record;
	const sale = saleOf(state, attempt_id);
	const fields = { attempt_id, late, amount: sale?.amount, ...aboutPayment(sale?.payment), code: response?.code };
	const effects: CardEffect[] = [{ kind: 'log', id: LOGGED[outcome], fields }];
	if (outcome === 'approved') effects.push({ kind: 'relay' });
	const step: Step = { state: without(state, attempt_id), effects };
	if (!sale) return step;
	// The specification's message names no invoice, so a late message would be attributed to the next
	// customer.
	if (response && !late) effects.push(notifyResponse(sale, response, mayRetry(response.code, policy.retryCodes)));
	if (outcome === 'approved' && late) effects.push({ kind: 'tell_paid', payment: sale.payment });
	return addPhase(step, sale, outcome === 'approved' ? 'approved' : 'declined', outcome === 'not_begun' ? 'not_ready' : undefined);
}

const LOGGED = { approved: 'card.approved', declined: 'card.declined', not_begun: 'card.not_begun' } as const;

const notifyResponse = (sale: Known['sale'], response: TerminalResponse, retry: boolean): CardEffect => ({
	kind: 'tell',
	text: { type: 'payment_edc_bca_notification', event: 'transaction_response', data: responseData(sale, response, retry) },
	about: sale.payment,
});

function markUnknown(state: CardState, record: Of<'card_unknown'>): Step {
	const { attempt_id, why } = record;
	const sale = saleOf(state, attempt_id);
	const fields = { attempt_id, why, amount: sale?.amount, ...aboutPayment(sale?.payment) };
	const step: Step = { state: without(state, attempt_id), effects: [{ kind: 'log', id: 'card.unknown', fields }] };
	return sale ? addPhase(step, sale, 'unknown') : step;
}

function settleSale(state: CardState, record: Of<'card_settled'>): Step {
	const { attempt_id, settle_id, outcome, by, why } = record;
	const charged = outcome === 'charged';
	const effects: CardEffect[] = [
		{ kind: 'log', id: 'card.settled', fields: { attempt_id, outcome, by, why } },
		{ kind: 'staff_answer', action_id: settle_id, answer: { code: 'done', text: '', response: null } },
	];
	if (charged) effects.push({ kind: 'relay' });
	const sale = saleOf(state, attempt_id);
	if (!sale) return { state, effects };
	if (charged) effects.push({ kind: 'tell_paid', payment: sale.payment });
	return addPhase({ state, effects }, sale, charged ? 'approved' : 'declined');
}

/**
 * @param failed.word the report of which this was a record, if it is not about the current request
 * @returns the steps after the record could not be written
 */
export function afterFailedWrite(state: CardState, failed: Extract<CardEvent, { kind: 'not_written' }>): Step {
	const { record, heard = null, error, word } = failed;
	if (word) {
		const kept = keepInPlace(state, word, record);
		return record.kind === 'card_unknown' ? endUnrecorded(kept, record.attempt_id, error) : { state: kept, effects: [] };
	}
	switch (record.kind) {
		case 'card_sale': {
			const text = saleText({ ...record, attempt_id: '' }, 'declined', 'journal');
			return { state: { ...state, open: null }, effects: [{ kind: 'tell', text }] };
		}
		case 'card_outcome':
		case 'card_unknown':
		case 'card_qr_shown': {
			// The journal lacks this record, so the sale counts as unknown. A kept record or response is
			// written later.
			const { attempt_id } = record;
			const isLate = record.kind === 'card_unknown' && record.why === BEGUN_AFTER_ALL;
			const kept = isLate ? keepRecord(state, record, null) : keepResponse(state, attempt_id, heard);
			return endUnrecorded(kept, attempt_id, error);
		}
		case 'card_evidence':
			return { state: keepRecord(state, record, heard), effects: [] };
		case 'card_unexplained':
			// The charge of an earlier response is already in the journal, as a part of its sale.
			return { state: record.response === heard ? keepResponse(state, null, heard) : state, effects: [] };
		default:
			return afterFailedStaffWrite(state, record, error);
	}
}

/** Ends a sale whose outcome could not be written. The sale counts as unknown. */
function endUnrecorded(state: CardState, attempt_id: string, error: JournalError): Step {
	const sale = saleOf(state, attempt_id);
	const step: Step = {
		state: without(state, attempt_id),
		effects: [{ kind: 'log', id: 'card.not_recorded', fields: { attempt_id, message: error.message } }],
	};
	return sale ? addPhase(step, sale, 'unknown') : step;
}
