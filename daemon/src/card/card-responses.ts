/** Interprets a terminal response to the current sale, to an earlier sale, or to no sale. */

import { slipTime, type TerminalReport, type TerminalResponse } from '../edc/terminal.ts';
import { verdictOf } from '../edc/verdict.ts';
import type { CardSale } from '../journal/card-book.ts';
import type { JournalRecord } from '../journal/records.ts';
import { type OpenStaff, onStaffAnswer } from './card-staff.ts';
import { acknowledge, type CardEvent, type CardPolicy, type CardState, type KeptWord, type OpenSale, type Step } from './card-state.ts';
import { keepResponse, keepUntilWritten, writeInSequence } from './card-unwritten.ts';

/**
 * A response of the terminal, the journal's data about it, and an id and a time for a record that
 * may be written.
 */
export type Heard = Pick<Extract<CardEvent, { kind: 'terminal' }>, 'known' | 'isOtherListed' | 'voided' | 'fresh_id' | 'time'> & {
	response: TerminalResponse;
};

/**
 * Response code for a QR code that has expired and can no longer be paid. According to the
 * specification, the customer must start the payment again.
 */
const EXPIRED = 'S4';

/** Writes a record of this response. */
const write = (state: CardState, { response }: { response: TerminalResponse | null }, record: JournalRecord): Step => ({
	state,
	effects: [{ kind: 'write', record, heard: response }],
});

/**
 * @returns the steps for a response: to the open request, to an earlier request, or to no request
 */
export function onAnswer(
	state: CardState,
	event: Extract<CardEvent, { kind: 'terminal' }> & { report: Extract<TerminalReport, { kind: 'answer' }> },
	policy: CardPolicy,
): Step {
	const { open } = state;
	const { request_id, response } = event.report;
	const heard = { ...event, response };
	if (open && request_id !== null && open.request_id === request_id) {
		if (open.kind === 'staff') return endStaffRequest(state, open, heard, policy);
		return open.kind === 'sale' ? endSale(state, open, heard, policy) : endInquiry(state, event.sale ?? open.sale, heard, policy);
	}
	// The answer to a QR inquiry may come after the inquiry's time limit. The code's reference still
	// identifies the payment.
	if (open?.kind === 'sale' && isPaymentOf(open.qr?.response, response)) return endSale(state, open, heard, policy);
	// A closed journal looks empty. It may contain a staff decision that reached the disk although
	// its write failed and closed the journal. The response is therefore kept until the journal is
	// open. It also waits for earlier unwritten reports, because they may end its sale.
	if (event.isClosed || state.unwritten.length > 0) return { state: keepResponse(state, request_id, response), effects: [] };
	const step = judgeLate(state, event.sale, heard, policy);
	return { state: step.state, effects: keepUntilWritten(step.effects, { request_id, response, isIdle: open === null }) };
}

/** @param asked the sale of the request that this response answers, or null */
function judgeLate(state: CardState, asked: CardSale | null, heard: Heard, policy: CardPolicy): Step {
	const { response } = heard;
	if (isVoided(response)) return onLateVoid(state, heard);
	if (response.type === 'void') return onLateRefusal(state, asked, heard, policy);
	const sale = asked ?? state.unresolved.find((unknown) => isPaymentOf(unknown.response, response));
	return sale ? onLateAnswer(state, sale, heard, policy) : onUnexplained(state, heard);
}

/**
 * Ends a staff request. The terminal's invoice numbers repeat in other batches and on other
 * terminals, so a void may return the charge of another sale. Then staff must settle that other
 * sale as well.
 */
function endStaffRequest(before: CardState, open: OpenStaff, heard: Heard, policy: CardPolicy): Step {
	const step = onStaffAnswer(before, open, heard, policy);
	const { voided } = heard;
	const isOther = voided !== null && open.ask.action === 'void' && voided.attempt_id !== open.ask.sale.attempt_id;
	if (!isOther || voided.state !== 'approved') return step;
	const { state, effects } = recordEvidence(step.state, voided, heard, true);
	// The evidence is written first. If the end of the void is not written after it, the sale that
	// staff wanted to void becomes unknown as well.
	return { state, effects: writeInSequence([...effects, ...step.effects]) };
}

/**
 * @returns whether this response is the answer 00 to an inquiry about the QR code that the terminal
 * showed
 */
const isPaymentOf = (shown: TerminalResponse | null | undefined, { type, code, rrn }: TerminalResponse): boolean =>
	type === 'qris_inquiry' && code === '00' && rrn !== '' && shown?.rrn === rrn && shown.type !== 'sale';

/**
 * @returns whether the response reports that the shown QR code has expired. The response may omit
 * the reference of the QR code, but it must not contain the reference of another code
 */
const isExpiryOf = (shown: TerminalResponse | null, { code, rrn }: TerminalResponse): boolean =>
	code === EXPIRED && (rrn === '' || rrn === shown?.rrn);

function endSale(state: CardState, open: OpenSale, heard: Heard, policy: CardPolicy): Step {
	const { response } = heard;
	const { attempt_id, method, amount } = open.sale;
	if (heard.known) {
		const why = 'the terminal repeated the answer of an earlier sale';
		return write(state, heard, { kind: 'card_unknown', attempt_id, why, response: null });
	}
	if (open.qr && response.type === 'qris_inquiry' && response.code !== '00' && !isExpiryOf(open.qr.response, response)) {
		const step = lookAgain(state, open, policy);
		return { state: step.state, effects: [...acknowledge(response), ...step.effects] };
	}
	const type = method === 'card' ? 'sale' : open.qr ? 'qris_inquiry' : 'qris';
	const verdict = verdictOf({ type, amount }, response, policy.unknownCodes);
	if (verdict.outcome === 'unknown') return write(state, heard, { kind: 'card_unknown', attempt_id, why: verdict.why, response });
	// 00 to a QR request means that the code is shown; it is not a payment.
	if (verdict.outcome === 'approved' && type === 'qris') return write(state, heard, { kind: 'card_qr_shown', attempt_id, response });
	return write(state, heard, { kind: 'card_outcome', attempt_id, outcome: verdict.outcome, response, late: false });
}

/**
 * Inquires again later, because the terminal has not confirmed a payment of the QR code. After the
 * last inquiry the sale becomes unknown.
 */
export function lookAgain(state: CardState, open: OpenSale, policy: CardPolicy): Step {
	const looks = (open.qr?.looks ?? 0) + 1;
	if (looks >= policy.qris.looks) {
		const why = `the QR code was not paid after ${looks} inquiries and may still be paid`;
		return write(state, { response: null }, { kind: 'card_unknown', attempt_id: open.sale.attempt_id, why, response: null });
	}
	return {
		state: { ...state, open: { ...open, request_id: null, qr: open.qr && { ...open.qr, looks } } },
		effects: [{ kind: 'look_later', ms: policy.qris.everyMs }],
	};
}

/** Handles a response to a sale that had already ended, or whose outcome could not be written. */
function onLateAnswer(state: CardState, sale: CardSale, heard: Heard, policy: CardPolicy): Step {
	const { response } = heard;
	const { attempt_id } = sale;
	if (heard.known) return ignore(state, heard, 'it is already in the journal');
	const type = sale.method === 'card' ? 'sale' : 'qris_inquiry';
	const verdict = verdictOf({ type, amount: sale.amount }, response, policy.unknownCodes);
	const charged = response.code === '00';
	switch (sale.state) {
		case 'sent':
			// The end of the sale could not be written; the next check of the journal makes the sale
			// unknown.
			if (verdict.outcome === 'unknown') return { state: keepResponse(state, attempt_id, response), effects: [] };
			return write(state, heard, { kind: 'card_outcome', attempt_id, outcome: verdict.outcome, response, late: true });
		case 'unknown':
			if (sale.answered || verdict.outcome === 'unknown') return recordEvidence(state, sale, heard, false);
			return keepOtherCharge(
				write(state, heard, { kind: 'card_outcome', attempt_id, outcome: verdict.outcome, response, late: true }),
				sale,
				heard,
			);
		case 'approved':
			// The terminal had already approved the sale, so this is a second charge. It belongs to no
			// invoice.
			if (sale.answered && charged) return write(state, heard, unexplainedRecord(heard));
			// The response is recorded as evidence. If staff had settled the sale and the response
			// contradicts them, it reopens the sale.
			return recordEvidence(state, sale, heard, !sale.answered && verdict.outcome !== 'approved');
		case 'declined':
		case 'not_begun':
		case 'not_charged':
		case 'voided':
			return charged ? recordEvidence(state, sale, heard, true) : ignore(state, heard, 'the sale had already ended this way');
		default:
			return sale.state satisfies never;
	}
}

/**
 * If the terminal reports a charge of another amount before it answers the sale, the sale becomes
 * unknown. The answer then replaces this charge in the sale, so the charge is listed for staff
 * without an invoice.
 */
function keepOtherCharge({ state, effects }: Step, { response }: CardSale, heard: Heard): Step {
	if (response?.type !== 'sale' || response.code !== '00' || isSameCharge(response, heard.response)) return { state, effects };
	// The charge was written before, and then the answer could not be written.
	if (heard.isOtherListed) return { state, effects };
	// The charge is written first, because the answer then replaces it in the state of the sale.
	return { state, effects: [...write(state, heard, unexplainedRecord({ ...heard, response })).effects, ...effects] };
}

/**
 * @returns whether both responses are about the same charge. If a terminal gives no numbers, only
 * amount, date and time distinguish two charges
 */
const isSameCharge = (a: TerminalResponse, b: TerminalResponse): boolean =>
	a.code === b.code && a.amount === b.amount && a.rrn === b.rrn && a.invoice === b.invoice && a.date === b.date && a.time === b.time;

const isVoided = ({ type, code }: TerminalResponse): boolean => type === 'void' && code === '00';

/**
 * Handles a late report that a void succeeded: a busy terminal may answer minutes after the time
 * limit. An approved sale becomes unknown, so that staff decide about it.
 */
function onLateVoid(state: CardState, heard: Heard): Step {
	const { voided } = heard;
	if (voided?.state === 'approved' || voided?.state === 'unknown') return recordEvidence(state, voided, heard, voided.state === 'approved');
	return ignore(state, heard, voided ? 'the sale had already ended this way' : 'it answers no request');
}

/**
 * Handles a late report that the terminal refused a void. If staff have meanwhile settled the sale
 * as not charged, it becomes unknown again.
 */
function onLateRefusal(state: CardState, sale: CardSale | null, heard: Heard, policy: CardPolicy): Step {
	if (sale === null) return ignore(state, heard, 'it answers no request');
	const reopens = sale.state === 'not_charged' && !policy.unknownCodes.has(heard.response.code);
	if (reopens || sale.state === 'unknown') return recordEvidence(state, sale, heard, reopens);
	return ignore(state, heard, 'the sale had already ended this way');
}

/**
 * Handles a response without a request of this run: the kiosk was restarted, or the terminal was
 * used by hand.
 */
function onUnexplained(state: CardState, heard: Heard): Step {
	const { response } = heard;
	const charged = response.code === '00' && (response.type === 'sale' || response.type === 'qris_inquiry');
	if (heard.known) return ignore(state, heard, 'it is already in the journal');
	const shown = state.unresolved.findLast((sale) => mayShowCodeOf(sale, response));
	if (shown) return recordEvidence(state, shown, heard, false);
	if (!charged && response.type !== 'sale') return ignore(state, heard, 'it answers no request');
	const { open } = state;
	if (charged && open?.kind === 'sale' && mayBeOtherAmountOf(state, open, response)) {
		const { attempt_id, amount } = open.sale;
		const why = `the terminal approved Rp ${response.amount ?? '?'} instead of Rp ${amount}`;
		return write(state, heard, { kind: 'card_unknown', attempt_id, why, response });
	}
	const waiting = state.unresolved.findLast((sale) => mayBeAbout(sale, response));
	if (waiting) return recordEvidence(state, waiting, heard, false);
	return charged ? write(state, heard, unexplainedRecord(heard)) : ignore(state, heard, 'it answers no request');
}

/**
 * The terminal handles one request at a time, so a charge of another amount most likely belongs to
 * the current sale if the terminal has got this sale's request. For a QR code, the reference
 * decides whether the charge belongs to the sale.
 */
function mayBeOtherAmountOf({ begun }: CardState, { sale, acked, qr }: OpenSale, response: TerminalResponse): boolean {
	const isAtTerminal = acked || begun?.attempt_id === sale.attempt_id;
	return isAtTerminal && qr === null && isOfMethod(sale, response) && sale.amount !== response.amount;
}

const isOfMethod = ({ method }: Pick<CardSale, 'method'>, { type }: TerminalResponse): boolean =>
	type === (method === 'card' ? 'sale' : 'qris_inquiry');

/**
 * A sale has one charge or one QR code. After the terminal has reported this charge or code, a
 * charge with other numbers does not belong to this sale.
 * @returns whether this unrequested response may be about this unknown sale
 */
function mayBeAbout(sale: CardSale, response: TerminalResponse): boolean {
	if (sale.payment === null || !isOfMethod(sale, response)) return false;
	return response.code !== '00' || (sale.amount === response.amount && !hasCharge(sale));
}

/**
 * If the kiosk is restarted before the terminal reports the QR code of a sale, the report comes
 * without a request. With the code's reference, the kiosk can inquire whether the customer has
 * paid.
 * @returns whether this response may report the QR code of this sale
 */
const mayShowCodeOf = (sale: CardSale, { type, code, amount }: TerminalResponse): boolean =>
	type === 'qris' && code === '00' && sale.method === 'qris' && sale.response === null && sale.amount === amount;

/**
 * @returns whether the terminal has reported a charge of this sale. A reprinted slip alone proves
 * no charge, because it may show another sale
 */
const hasCharge = ({ response }: CardSale): boolean => response?.code === '00' && response.type !== 'reprint';

const unexplainedRecord = ({ fresh_id, response, time }: Heard): JournalRecord => ({
	kind: 'card_unexplained',
	attempt_id: fresh_id,
	response,
	time,
});

/** @param slip the response to keep with the sale, without the charge of another sale */
function recordEvidence(state: CardState, sale: CardSale, heard: Heard, reopens: boolean, slip = heard.response): Step {
	const { response, fresh_id, time } = heard;
	// A response other than 00 must not replace the recorded charge or QR code, because a later void
	// or inquiry needs its numbers.
	const kept = sale.response && hasCharge(sale) && response.code !== '00' ? sale.response : slip;
	const what = `${time}: the terminal answered ${response.type} ${response.code}, Rp ${response.amount ?? '?'}, invoice ${response.invoice || '-'}`;
	return write(state, heard, { kind: 'card_evidence', evidence_id: fresh_id, attempt_id: sale.attempt_id, what, response: kept, reopens });
}

/** Logs and acknowledges a response that changes nothing, so that the terminal can discard it. */
function ignore(state: CardState, { response }: Heard, why: string): Step {
	const { type, code, amount } = response;
	return { state, effects: [...acknowledge(response), { kind: 'log', id: 'card.answer_ignored', fields: { type, code, amount, why } }] };
}

/**
 * Called when the journal is writable again, for the oldest unwritten report: writes its record, or
 * handles its response as late.
 */
export function retryUnwritten(before: CardState, event: Extract<CardEvent, { kind: 'retry' }>, policy: CardPolicy): Step {
	const [first, ...unwritten] = before.unwritten;
	if (!first) return { state: before, effects: [] };
	const { state, effects } = judgeKept({ ...before, unwritten }, first, event, policy);
	// The report must wait longer, or its records are still to be written: it keeps its place.
	if (state.unwritten.length > unwritten.length) return { state: before, effects: [] };
	const isWriting = effects.some(({ kind }) => kind === 'write');
	return { state: isWriting ? { ...state, unwritten: before.unwritten } : state, effects: keepUntilWritten(effects, first) };
}

function judgeKept(state: CardState, word: KeptWord, event: Extract<CardEvent, { kind: 'retry' }>, policy: CardPolicy): Step {
	if (word.record) return event.known ? { state, effects: acknowledge(word.response) } : write(state, word, word.record);
	return judgeLate(state, event.sale, { ...event, response: word.response }, policy);
}

/** Handles the answer to an inquiry about a sale with unknown outcome. */
function endInquiry(before: CardState, sale: CardSale, heard: Heard, policy: CardPolicy): Step {
	const state: CardState = { ...before, open: null };
	const { response } = heard;
	const { attempt_id } = sale;
	if (sale.state !== 'unknown' || sale.answered) return endInquiryLate(state, sale, heard, policy);
	if (sale.method === 'qris') {
		const verdict = verdictOf({ type: 'qris_inquiry', amount: sale.amount }, response, new Set());
		if (verdict.outcome === 'unknown') return recordEvidence(state, sale, heard, false);
		if (verdict.outcome === 'approved' || isExpiryOf(sale.response, response))
			return write(state, heard, { kind: 'card_outcome', attempt_id, outcome: verdict.outcome, response, late: true });
		return { state, effects: acknowledge(response) };
	}
	const owner = ownerOfSlip(state, sale, heard, policy);
	if (owner === 'this sale') {
		const approval = write(state, heard, { kind: 'card_outcome', attempt_id, outcome: 'approved', response, late: true });
		const step = keepOtherCharge(approval, sale, heard);
		return { state: step.state, effects: writeInSequence(step.effects) };
	}
	return recordEvidence(state, sale, heard, false, owner === 'another sale' ? withoutCharge(response) : response);
}

/**
 * Handles the answer to an inquiry about a sale that staff or a late answer has ended meanwhile.
 * The answer may show that the customer has paid although staff settled the sale as not charged.
 */
function endInquiryLate(state: CardState, sale: CardSale, heard: Heard, policy: CardPolicy): Step {
	const { code } = heard.response;
	if (sale.method === 'qris' && (code === '00' || isExpiryOf(sale.response, heard.response)))
		return onLateAnswer(state, sale, heard, policy);
	const isOver = sale.state === 'not_charged' || sale.state === 'declined' || sale.state === 'not_begun';
	if (isOver && ownerOfSlip(state, sale, heard, policy) === 'this sale') return recordEvidence(state, sale, heard, true);
	return ignore(state, heard, 'the sale has ended meanwhile');
}

/**
 * @returns another sale's slip without the data of its charge. With its number, a void would return
 * the wrong charge; its amount must not be reported for this sale
 */
const withoutCharge = (slip: TerminalResponse): TerminalResponse => ({
	...slip,
	amount: null,
	masked_pan: '',
	rrn: '',
	approval: '',
	invoice: '',
});

/** Maximum duration of a sale. A later slip belongs to a sale that staff made on the terminal. */
const SALE_TAKES_MS = 5 * 60_000;

/**
 * @returns the sale to which a reprinted slip belongs. A slip with this amount, whose charge is not
 * recorded yet, belongs to this sale if its time is within `SALE_TAKES_MS` after the first byte of
 * the sale. If staff made another sale on the terminal shortly before, its slip may differ only in
 * the time. The kiosk's clock may differ from the terminal's, so both times are from the terminal's
 * clock, which the echo test before the sale reads. Without the echo test's time, the owner of the
 * slip is unclear
 */
function ownerOfSlip(
	{ begun }: CardState,
	sale: CardSale,
	{ response, known }: Heard,
	policy: CardPolicy,
): 'this sale' | 'another sale' | 'unclear' {
	const verdict = verdictOf({ type: 'reprint', amount: sale.amount }, response, policy.unknownCodes);
	if (known || verdict.outcome !== 'approved') return 'another sale';
	const made = slipTime(response);
	const start = begun?.attempt_id === sale.attempt_id ? begun : null;
	// If the terminal has been replaced since this sale, the new terminal does not know the sale.
	if (start?.terminal_id && response.terminal_id && start.terminal_id !== response.terminal_id) return 'another sale';
	if (start === null || start.clock === null || made === null) return 'unclear';
	return made >= start.clock && made <= start.clock + SALE_TAKES_MS ? 'this sale' : 'another sale';
}
