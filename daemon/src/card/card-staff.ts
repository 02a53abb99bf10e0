/**
 * Staff requests to the terminal (echo, reprint, void, settlement) and decisions about unknown
 * sales.
 */
import { isDeepStrictEqual } from 'node:util';

import type { Rupiah } from '@kiosk/contract/money';
import type { TerminalRequest, TerminalResponse } from '../edc/terminal.ts';
import type { CardSale } from '../journal/card-book.ts';
import type { JournalRecord } from '../journal/records.ts';
import { type JournalError, refusedRecordText } from '../journal/trouble.ts';
import { addPhase } from './card-messages.ts';
import {
	acknowledge,
	type CardEffect,
	type CardPolicy,
	type CardState,
	type Open,
	type StaffAnswer,
	type StaffAsk,
	type Step,
} from './card-state.ts';
import { keepResponse } from './card-unwritten.ts';

export type OpenStaff = Extract<Open, { kind: 'staff' }>;
type Ended = Extract<JournalRecord, { kind: 'card_action_ended' }>;

const answer = (
	ask: { action_id: string },
	code: StaffAnswer['code'],
	text: string,
	response: TerminalResponse | null = null,
): CardEffect => ({
	kind: 'staff_answer',
	action_id: ask.action_id,
	answer: { code, text, response },
});

/**
 * @returns the first step for a staff request: the refusal, the record or the request to the
 * terminal
 */
export function onStaff(state: CardState, ask: StaffAsk): Step {
	const refused = refusalOf(state, ask);
	if (refused) return { state, effects: [answer(ask, ...refused)] };
	const { action_id, by, why, time } = ask;
	if (ask.action === 'settle') {
		const { outcome, sale } = ask;
		const record: JournalRecord = { kind: 'card_settled', settle_id: action_id, attempt_id: sale.attempt_id, outcome, by, why };
		return { state, effects: [{ kind: 'write', record }] };
	}
	const open: CardState = { ...state, open: { kind: 'staff', request_id: action_id, ask } };
	if (ask.action === 'echo' || ask.action === 'reprint') return { state: open, effects: [requestOf(ask)] };
	const attempt_id = ask.action === 'void' ? ask.sale.attempt_id : null;
	return {
		state: open,
		effects: [{ kind: 'write', record: { kind: 'card_action', action_id, action: ask.action, attempt_id, by, why, time } }],
	};
}

/** @returns why the request is refused, or null */
function refusalOf(state: CardState, ask: StaffAsk): [StaffAnswer['code'], string] | null {
	if (state.trouble) return ['journal', `nothing was done: the journal cannot be written (${state.trouble})`];
	if (state.unwritten.length > 0) return ['busy', 'an answer of the terminal is still to be recorded; try again in a few seconds'];
	if (ask.action === 'settle') return settleRefusalOf(state, ask);
	if (state.open?.kind === 'sale') return ['busy', 'a customer is paying at the terminal'];
	if (state.open) return ['busy', 'the terminal is busy with another request of the kiosk'];
	// Staff use the echo test to check a terminal that does not answer.
	if (ask.action === 'echo' && (state.terminal === 'silent' || state.terminal === 'starting')) return null;
	if (state.terminal !== 'ready') return ['not_ready', `the terminal is ${state.terminal}`];
	if (ask.action === 'echo' || ask.action === 'settlement') return null;
	if (!invoiceOf(ask))
		return ['not_possible', 'the terminal gave no invoice number for this sale; look for its slip and use the terminal itself'];
	if (ask.action === 'reprint' || ask.sale.state === 'approved' || ask.sale.state === 'unknown') return null;
	return ['not_possible', `the sale is ${ask.sale.state}: there is no charge to give back`];
}

function settleRefusalOf(
	state: CardState,
	{ sale, outcome, slip }: Extract<StaffAsk, { action: 'settle' }>,
): [StaffAnswer['code'], string] | null {
	if (sale.state !== 'unknown') return ['not_possible', `the sale is not unknown but ${sale.state}`];
	// A sale that is settled as charged counts as paid, but the open void may return its charge.
	if (isVoiding(state, sale)) return ['busy', 'the sale is being voided; settle it after the terminal has answered'];
	const { amount } = sale;
	const charged = slip ?? otherAmountOf(sale) ?? amount;
	if (outcome === 'not_charged' || charged === amount) return null;
	return [
		'other_amount',
		`the terminal charged Rp ${charged}, not Rp ${amount}: void that charge, then settle the sale as not charged if it is still unknown; ` +
			`if a slip shows a charge of Rp ${amount} as well, add --amount ${amount}`,
	];
}

const isVoiding = ({ open }: CardState, { attempt_id }: CardSale): boolean =>
	open?.kind === 'staff' && open.ask.action === 'void' && open.ask.sale.attempt_id === attempt_id;

/**
 * A sale that is settled as charged counts as paid in full, even if the terminal took more or less.
 * @returns the amount that the terminal took if it differs from the sale's, else null. Rp 0 means
 * that the terminal left the amount out
 */
function otherAmountOf({ amount, response }: CardSale): Rupiah | null {
	if (response?.code !== '00' || (response.type !== 'sale' && response.type !== 'qris_inquiry')) return null;
	return response.amount === amount || response.amount === 0 ? null : response.amount;
}

/** @returns the number that the terminal gave the sale's charge; null if unknown */
function invoiceOf(ask: Extract<StaffAsk, { action: 'void' | 'reprint' }>): string | null {
	// If the response of an approved sale has another amount, staff found a slip with the sale's
	// amount. The number in the response then belongs to another charge.
	if (ask.sale.state === 'approved' && otherAmountOf(ask.sale) !== null) return null;
	const invoice = ask.sale.response?.invoice ?? '';
	return /[1-9]/.test(invoice) ? invoice : null;
}

function requestOf(ask: Exclude<StaffAsk, { action: 'settle' }>): CardEffect {
	const request = (): TerminalRequest => {
		switch (ask.action) {
			case 'void':
				return { type: 'void', amount: ask.sale.response?.amount || ask.sale.amount, invoice: invoiceOf(ask) ?? '' };
			case 'reprint':
				return { type: 'reprint', invoice: invoiceOf(ask) ?? '' };
			case 'echo':
			case 'settlement':
				return { type: ask.action };
			default:
				return ask satisfies never;
		}
	};
	return { kind: 'request', request: request(), request_id: ask.action_id };
}

/** Sends the recorded request to the terminal. */
export function sendAction({ open }: CardState): CardEffect[] {
	if (open?.kind !== 'staff' || open.ask.action === 'settle') return [];
	const { action, by, why } = open.ask;
	return [{ kind: 'log', id: 'card.staff_asked', fields: { action, by, why } }, requestOf(open.ask)];
}

/**
 * @param heard the response, and the newest sale whose charge it returned
 * @returns the steps for the terminal's response to a staff request
 */
export function onStaffAnswer(
	state: CardState,
	{ ask }: OpenStaff,
	{ response, voided }: { response: TerminalResponse; voided: CardSale | null },
	{ unknownCodes }: CardPolicy,
): Step {
	const { code, type, terminal_id, batch } = response;
	// With a code that leaves the outcome open, the bank may have returned the charge without the
	// terminal's knowledge.
	const outcome = ask.action === 'void' && unknownCodes.has(code) ? 'unknown' : 'refused';
	if (code !== '00') return endAction(state, ask, outcome, `the terminal answered ${code}`, response);
	if (type !== ask.action) return endAction(state, ask, 'unknown', `the terminal answered with "${type}"`, response);
	if (ask.action !== 'void' || isVoidOf(ask.sale, response, voided)) return endAction(state, ask, 'done', '', response);
	return endAction(
		state,
		ask,
		'unknown',
		`the void may have given back another charge: of batch ${batch} on terminal ${terminal_id}`,
		response,
	);
}

/**
 * @returns whether the void returned the charge of this sale: it voided no other known sale, and it
 * has the batch and terminal of this sale. Batch and terminal are compared, because a sale
 * number can occur twice: a terminal that has lost its memory starts again at number 1. A value
 * that the terminal omits is not compared
 */
function isVoidOf({ attempt_id, response }: CardSale, { terminal_id, batch }: TerminalResponse, voided: CardSale | null): boolean {
	if (voided !== null && voided.attempt_id !== attempt_id) return false;
	const isSame = (a: string | undefined, b: string): boolean => !a || b === '' || a === b;
	return isSame(response?.terminal_id, terminal_id) && isSame(response?.batch, batch);
}

/**
 * Ends a staff request, with or without an answer. The outcome of a void or a settlement is written
 * before it is reported.
 */
export function endAction(
	state: CardState,
	ask: StaffAsk,
	outcome: Ended['outcome'],
	why: string,
	response: TerminalResponse | null,
): Step {
	const record: Ended = { kind: 'card_action_ended', action_id: ask.action_id, outcome, why, response };
	if (ask.action === 'void' || ask.action === 'settlement') return { state, effects: [{ kind: 'write', record, heard: response }] };
	const step = answerAction(state, record);
	return { state: step.state, effects: [...acknowledge(response), ...step.effects] };
}

/** Answers staff when the outcome is on disk or needs no record. */
export function answerAction(state: CardState, record: Ended): Step {
	const { action_id, outcome, why, response } = record;
	const code = outcome === 'refused' ? 'declined' : outcome;
	const effects: CardEffect[] = [
		{ kind: 'log', id: 'card.staff_answered', fields: { outcome, why } },
		answer({ action_id }, code, why, response),
	];
	// An approval waits while its sale is being voided, so it is sent now if the void did not
	// succeed.
	if (outcome !== 'done') effects.push({ kind: 'relay' });
	return endOpen(state, outcome, effects);
}

/**
 * Ends the staff request. After a void, or a possible void, of the newest sale, no screen may count
 * this sale as paid.
 */
function endOpen(state: CardState, outcome: Ended['outcome'], effects: CardEffect[]): Step {
	const { open, last } = state;
	const step: Step = { state: { ...state, open: null }, effects };
	const voided = open?.kind === 'staff' && open.ask.action === 'void' ? open.ask.sale.attempt_id : null;
	if (last?.sale.attempt_id !== voided) return step;
	if (outcome === 'done') return addPhase(step, last.sale, 'declined');
	return outcome === 'unknown' ? addPhase(step, last.sale, 'unknown') : step;
}

/** @returns the answer to staff when their request or its outcome could not be written */
export function afterFailedStaffWrite(state: CardState, record: JournalRecord, error: JournalError): Step {
	const refused = refusedRecordText(error);
	if (record.kind === 'card_settled') return { state, effects: [answer({ action_id: record.settle_id }, 'journal', refused)] };
	if (record.kind === 'card_action') return { state: { ...state, open: null }, effects: [answer(record, 'journal', refused)] };
	if (record.kind !== 'card_action_ended') return { state, effects: [] };
	// The end of the action is not recorded, so its sale becomes unknown when the journal works
	// again. The kept answer is then added to the sale and acknowledged.
	const text = `${record.outcome}, but it could not be recorded: ${error.message}`;
	const { action_id, response } = record;
	// If the void returned the charge of another sale, the evidence about that sale has the answer.
	const hasEvidence = state.unwritten.some((word) => word.record && isDeepStrictEqual(word.response, response));
	const kept = hasEvidence ? state : keepResponse(state, action_id, response);
	return endOpen(kept, 'unknown', [answer(record, 'unknown', text, record.response)]);
}
