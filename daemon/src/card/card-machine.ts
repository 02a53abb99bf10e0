/**
 * The rules of the card desk as a pure state machine: whether a sale may begin, its outcome, and
 * its messages. The order of the effects is guaranteed: intent on disk → first byte → response →
 * outcome on disk → acknowledgement → messages about the outcome.
 */
import type { EdcState, SaleRefusal } from '@kiosk/contract/live';
import type { TerminalRequest } from '../edc/terminal.ts';
import type { CardSale } from '../journal/card-book.ts';
import { samePayment } from '../journal/records.ts';
import { afterFailedWrite, afterWrite } from './card-after-write.ts';
import { addPhase, saleText } from './card-messages.ts';
import { retryUnwritten } from './card-responses.ts';
import { onStaff } from './card-staff.ts';
import {
	acknowledge,
	type CardEffect,
	type CardEvent,
	type CardPolicy,
	type CardState,
	type Known,
	phaseOf,
	type Sale,
	type Step,
} from './card-state.ts';
import { onReport } from './card-terminal.ts';

/**
 * Invoice number 000000 requests the last slip. Whether a terminal supports this must be tested on
 * the terminal.
 */
const LAST_SLIP = '000000';

/**
 * @returns the next state and the effects in the order in which they must happen. A request to the
 * terminal is the last effect, because the terminal may report during the call
 */
export function cardStep(state: CardState, event: CardEvent, policy: CardPolicy): Step {
	return showState(react(state, event, policy));
}

function showState(step: Step): Step {
	const shown = shownStateOf(step.state);
	if (shown === step.state.shown) return step;
	return { state: { ...step.state, shown }, effects: [{ kind: 'tell', text: { type: 'kiosk_edc', state: shown } }, ...step.effects] };
}

/**
 * @returns the state of the card method for the next customer: trouble with the journal, an
 * unresolved sale or an open request, if one of them prevents a sale; else the terminal's state
 */
export function shownStateOf(state: CardState): EdcState {
	if (state.terminal === 'not_configured') return 'not_configured';
	if (state.trouble) return state.trouble;
	if (state.unresolved.length > 0 || state.unwritten.length > 0) return 'unresolved';
	return state.open ? 'busy' : state.terminal;
}

function react(state: CardState, event: CardEvent, policy: CardPolicy): Step {
	switch (event.kind) {
		case 'start':
			return start(state, event);
		case 'terminal':
			return onReport(state, event, policy);
		case 'written': {
			const unwritten = event.done ? state.unwritten.filter((word) => word !== event.done) : state.unwritten;
			const step = afterWrite({ ...state, unwritten }, event.record, policy);
			return { state: { ...step.state, unresolved: event.unresolved }, effects: [...acknowledge(event.heard), ...step.effects] };
		}
		case 'not_written':
			return afterFailedWrite({ ...state, trouble: event.error.code }, event);
		case 'journal':
			return onJournal(state, event);
		case 'retry':
			return retryUnwritten(state, event, policy);
		case 'staff':
			return onStaff(state, event.ask);
		case 'look_due':
			return look(state, event.request_id);
		case 'quiet':
			return inquire(state, event.request_id, policy);
		default:
			return event satisfies never;
	}
}

/** Handles a journal that has become writable or can no longer be written. */
function onJournal(before: CardState, { trouble, unresolved, last }: Extract<CardEvent, { kind: 'journal' }>): Step {
	const state: CardState = { ...before, trouble, unresolved };
	return trouble ? { state, effects: [] } : followBooks(state, last);
}

/**
 * Updates the newest sale from the journal. A void whose end was not written makes an approved sale
 * unknown, and then connecting screens must not get "paid". An outcome whose write failed may
 * nevertheless be on disk; then the sale is no longer unknown.
 */
function followBooks(state: CardState, inBooks: CardSale | null): Step {
	const { last, open } = state;
	const phase = inBooks && phaseOf(inBooks.state);
	const isOpen = open?.kind === 'sale' && open.sale.attempt_id === inBooks?.attempt_id;
	if (!last || phase === null || phase === last.phase || isOpen || lacksLateStart(state, last)) return { state, effects: [] };
	const { sale } = last;
	if (last.phase !== 'unknown') return { state: { ...state, last: { sale, phase } }, effects: [] };
	const effects: CardEffect[] = phase === 'approved' ? [{ kind: 'tell_paid', payment: sale.payment }] : [];
	return addPhase({ state, effects }, sale, phase);
}

/** @returns whether the record of a late ACK, which makes this sale unknown, is still unwritten */
const lacksLateStart = ({ unwritten }: CardState, { sale }: Known): boolean =>
	unwritten.some(({ record }) => record?.kind === 'card_unknown' && record.attempt_id === sale.attempt_id);

function start(state: CardState, event: Extract<CardEvent, { kind: 'start' }>): Step {
	const { sale, before } = event;
	const { payment } = sale;
	// A reloaded screen requests the sale again. The screen then gets the present phase instead of a
	// second sale.
	const known = knownOf(state, sale) ?? (before && { sale: { ...before, payment }, phase: phaseOf(before.state) });
	if (known && known.phase !== 'declined') return { state, effects: repeatMessages(known) };
	const reason = refusalOf(state, event.refusal);
	if (reason) return { state, effects: refuse(sale, reason) };
	const { attempt_id, amount, method, attempt, time } = sale;
	return {
		state: { ...state, open: { kind: 'sale', request_id: attempt_id, sale, acked: false, qr: null } },
		effects: [{ kind: 'write', record: { kind: 'card_sale', attempt_id, payment, amount, method, attempt, time } }],
	};
}

/**
 * Repeats the messages of a known sale. The invoice of an approved sale may have grown since the
 * approval, so `tell_paid` checks the due amount.
 */
function repeatMessages({ sale, phase }: Known): CardEffect[] {
	const { payment } = sale;
	const effects: CardEffect[] = [{ kind: 'tell', text: saleText(sale, phase), about: payment }];
	return phase === 'approved' ? [...effects, { kind: 'tell_paid', payment }] : effects;
}

/**
 * @returns this invoice's sale and its phase if the sale is open, or if it is the newest sale and
 * unknown
 */
function knownOf({ open, last }: CardState, asked: Sale): Known | null {
	const isSame = (sale: Known['sale']) => samePayment(sale.payment, asked.payment);
	if (open?.kind === 'sale' && isSame(open.sale)) return { sale: open.sale, phase: open.acked ? 'acked' : 'sent' };
	return last?.phase === 'unknown' && isSame(last.sale) ? last : null;
}

/** @returns why no sale may begin now: the reason most useful to the customer */
function refusalOf(state: CardState, books: SaleRefusal | null): SaleRefusal | null {
	if (books === 'already_paid') return books;
	if (state.trouble) return 'journal';
	if (state.unresolved.length > 0 || state.unwritten.length > 0) return 'unresolved';
	return books ?? (state.open || state.terminal !== 'ready' ? 'not_ready' : null);
}

/** @returns the effects of a refusal; nothing is sent to the terminal */
function refuse(sale: Sale, reason: SaleRefusal): CardEffect[] {
	const { payment, amount } = sale;
	const text = saleText({ ...sale, attempt_id: '' }, 'declined', reason);
	const log: CardEffect = { kind: 'log', id: 'card.refused', fields: { invoice: payment.noinvoice, amount, reason } };
	if (reason !== 'already_paid') return [log, { kind: 'tell', text }];
	return [log, { kind: 'tell', text, about: payment }, { kind: 'tell_paid', payment }];
}

/** Inquires whether the QR code on the terminal has been paid. */
function look(state: CardState, request_id: string): Step {
	const { open } = state;
	if (open?.kind !== 'sale' || !open.qr || open.request_id !== null) return { state, effects: [] };
	const request: TerminalRequest = { type: 'qris_inquiry', amount: open.sale.amount, reference: open.qr.response.rrn };
	return { state: { ...state, open: { ...open, request_id } }, effects: [{ kind: 'request', request, request_id }] };
}

/**
 * Inquires about the newest unknown sale for which an inquiry is possible. A QR code has a
 * reference, so the answer is certain and the inquiry may be repeated. A card sale has no
 * reference: the kiosk can only request the last slip, once per sale, if the owner allows it.
 */
function inquire(state: CardState, request_id: string, policy: CardPolicy): Step {
	const sale = state.unresolved.findLast(({ answered, method, payment, response, attempt_id }) => {
		if (answered || payment === null) return false;
		return method === 'qris' ? Boolean(response?.rrn) : policy.inquiry === 'reprint' && !state.inquired.includes(attempt_id);
	});
	if (!sale || state.trouble || state.open || state.terminal !== 'ready') return { state, effects: [] };
	const request: TerminalRequest =
		sale.method === 'qris'
			? { type: 'qris_inquiry', amount: sale.amount, reference: sale.response?.rrn ?? '' }
			: { type: 'reprint', invoice: LAST_SLIP };
	const inquired = sale.method === 'qris' ? state.inquired : [...state.inquired, sale.attempt_id];
	return {
		state: { ...state, open: { kind: 'inquiry', request_id, sale }, inquired },
		effects: [
			{ kind: 'log', id: 'card.inquiry', fields: { attempt_id: sale.attempt_id, asks: request.type } },
			{ kind: 'request', request, request_id },
		],
	};
}
