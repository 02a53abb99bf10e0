/**
 * The protocol of a BCA terminal as a pure state machine. Its inputs are bytes, ticks, requests,
 * and the opening and loss of the line; its outputs are `EcrEffect`s. The link has no sequence
 * number and no command to cancel a sale. Most rules therefore prevent two errors: starting a sale
 * twice, and reporting an unknown sale as failed. A request is sent again only after NAK. If the
 * terminal may have received the request, a missing answer is reported as silence, not as a
 * failure.
 */
import { slipTime, type TerminalRequest, type TerminalResponse } from '../terminal.ts';
import {
	COUNTS,
	type EcrEffect,
	type EcrEvent,
	type EcrSettings,
	type EcrState,
	isIdle,
	isWaiting,
	LATE_ACK_MS,
	NEVER,
	type Open,
	STALL_MS,
	type Told,
} from './bca-state.ts';
import { APPROVED, codeMeaning } from './codes.ts';
import { DECODER_START, decode, isInFrame, type Meaning } from './decoder.ts';
import { dropQueued, needsEcho, probe, proveAlive, reportState, sendOwnEcho, sendQueued } from './presence.ts';
import { requestFrame } from './request.ts';
import { begin, checkLimits, reportSilence } from './sending.ts';
import { Step } from './step.ts';
import { isFitting, isQuestion, isSame, isUnique } from './truncation-check.ts';

/**
 * @returns the next state and the effects in the order in which they must happen; throws on a
 * second request while one is open, because that is a bug of the caller
 */
export function ecrStep(state: EcrState, event: EcrEvent, settings: EcrSettings): { state: EcrState; effects: EcrEffect[] } {
	const step = new Step(state, settings, event.now);
	if (event.kind === 'opened') onOpened(step);
	else if (event.kind === 'lost') onLost(step, event.reason);
	else if (event.kind === 'data') onData(step, event.bytes);
	else if (event.kind === 'tick') onTick(step);
	else if (event.kind === 'request') onRequest(step, event.request, event.id);
	else if (event.kind === 'withdraw') onWithdraw(step, event.id);
	else acknowledge(step, event.response);
	answerTheLine(step);
	reportState(step);
	return { state: step.state, effects: step.effects };
}

function onOpened(step: Step): void {
	step.set({
		line: true,
		decoder: DECODER_START,
		noise: 0,
		presence: 'unproven',
		aliveAt: NEVER,
		refusedAt: NEVER,
		spoken: false,
		probeAt: step.now,
	});
}

function onLost(step: Step, reason: string): void {
	// Some terminals close their connection after each response, so no other response will follow.
	if (step.state.open?.acked) acceptRepeatedResponse(step, 0);
	if (step.state.open) reportSilence(step, step.state.open, `the line was lost: ${reason}`);
	dropQueued(step, `the line was lost: ${reason}`);
	step.set({ line: false, decoder: DECODER_START });
}

function onRequest(step: Step, request: TerminalRequest, id: string): void {
	const { open, line, presence, queued } = step.state;
	const before = queued?.id ?? open?.id ?? null;
	if (before !== null) throw new Error(`request ${id} while ${before} is open`);
	const notBegun = (why: string): void => step.report({ kind: 'not_begun', request_id: id, why });
	if (!line) return notBegun('the line to the terminal is not open');
	if (step.settings.probe === 'echo' && presence !== 'alive' && request.type !== 'echo')
		return notBegun('the terminal has not answered its echo test');
	const frame = requestFrame(step.settings.version, request);
	if (!frame.ok) return notBegun(frame.error.why);
	const needed = { id, request, frame: frame.value };
	if (open === null && !needsEcho(step, request)) return begin(step, needed);
	step.set({ queued: needed, queuedAt: step.now });
	if (open === null) sendOwnEcho(step);
}

function onWithdraw(step: Step, id: string): void {
	if (step.state.queued?.id === id) dropQueued(step, 'it is not needed any more');
}

function onData(step: Step, bytes: Uint8Array): void {
	const { open } = step.state;
	step.set({ heardAt: step.now, open: open && { ...open, heard: true } });
	const decoded = decode(step.state.decoder, bytes);
	step.set({ decoder: decoded.state });
	for (const meaning of decoded.meanings) onMeaning(step, meaning);
}

function onMeaning(step: Step, meaning: Meaning): void {
	if (meaning.kind !== 'discarded') step.set({ spoken: true });
	switch (meaning.kind) {
		case 'ack':
			return onAck(step);
		case 'nak':
			return onNak(step);
		case 'answer':
			if (meaning.version !== step.settings.version) step.log('edc.odd_version', { version: meaning.version });
			return onAnswer(step, meaning.response);
		case 'damaged':
			return onDamaged(step, meaning.why);
		case 'discarded':
			step.log('edc.discarded', { bytes: meaning.bytes });
			step.set({ noise: step.state.noise + meaning.bytes });
			return disbelieveNak(step);
		default:
			return meaning satisfies never;
	}
}

/**
 * Handles an ACK. Every ACK to an open request is accepted, because a false ACK from noise only
 * makes the kiosk wait longer.
 */
function onAck(step: Step): void {
	const { open } = step.state;
	if (open === null) return onLateAck(step);
	if (open.acked) return;
	proveAlive(step);
	// If a response equal to an earlier one came before this ACK, it was a repeat. The response to
	// this request is still to come.
	step.set({ open: { ...open, acked: true, since: step.now, nakAt: null, alike: null } });
	if (open.id !== null) step.report({ kind: 'acked', request_id: open.id });
}

/**
 * Handles a late ACK. Its sale was reported as not begun, because no byte had come from the
 * terminal. The ACK shows that the terminal has received the sale.
 */
function onLateAck(step: Step): void {
	const { silent, noise } = step.state;
	// The terminal handles the requests in order. A later echo test may be unanswered as well.
	const late = silent.find(({ unanswered, at }) => unanswered && step.now - at <= LATE_ACK_MS);
	if (!late || late.id === null || noise > 0) return;
	proveAlive(step);
	step.set({ silent: silent.map((before) => (before === late ? { ...late, unanswered: false } : before)) });
	step.report({ kind: 'acked', request_id: late.id });
}

/**
 * Handles a NAK before an ACK: the request arrived damaged. The request is sent again only if no
 * ACK and no noise follow within `resendMs`.
 */
function onNak(step: Step): void {
	const { open } = step.state;
	if (open === null || open.acked || open.noisy || open.nakAt !== null) return;
	// A NAK shows that the terminal receives the kiosk's bytes. However, a terminal that recently
	// refused every send of a request is not usable.
	if (step.now - step.state.refusedAt > step.settings.probeIdleMs) proveAlive(step);
	step.set({ open: { ...open, nakAt: step.now } });
}

/**
 * Called on noise: ignores every NAK to the open request, because repeating the request could start
 * a second sale.
 */
function disbelieveNak(step: Step): void {
	const { open } = step.state;
	if (open !== null) step.set({ open: { ...open, noisy: true, nakAt: null } });
}

function onDamaged(step: Step, why: string): void {
	disbelieveNak(step);
	const { damages } = step.state;
	if (damages >= COUNTS.naks) return step.log('edc.discarded', { why });
	step.set({ damages: damages + 1 });
	step.wants = 'nak';
	step.log('edc.damaged', { why });
}

function onAnswer(step: Step, response: TerminalResponse): void {
	step.set({ damages: 0, noise: 0 });
	proveAlive(step);
	step.wants = 'nothing';
	const before = step.state.told.find((told) => isSame(told.response, response));
	if (before === undefined || (!isWaiting(before) && isNewAnswer(step.state, response)))
		return reportAnswer(step, response, ownerOf(step, response));
	const { open } = step.state;
	if (open !== null && !isWaiting(before) && mayBeAlike(step.state, open, response)) {
		step.set({ open: { ...open, nakAt: null, alike: open.alike ?? { response, at: step.now } } });
		return;
	}
	step.log('edc.repeated', { type: response.type, code: response.code, invoice: response.invoice });
	if (before.state === 'durable') step.wants = 'ack';
	if (before.state === 'abandoned') reportAnswer(step, response, null);
}

/**
 * @returns whether a response equal to an earlier one nevertheless answers a later request. This is
 * possible only after an ACK: if the open request only inquires, or if an earlier request ended
 * without a response
 */
function isNewAnswer({ open, silent }: EcrState, response: TerminalResponse): boolean {
	if (isUnique(response)) return false;
	if (open?.acked && isFitting(open.request, response)) return isQuestion(open.request);
	return silent.some(({ request, acked }) => acked && isFitting(request, response));
}

/**
 * @returns whether an earlier response that came again may be the response to the open request.
 * Either the terminal repeats the earlier response, or both requests have the same outcome. The
 * response counts for the open request if neither an ACK nor another response follows in time.
 * Before the ACK, an approval of a sale is never accepted this way
 */
function mayBeAlike({ silent }: EcrState, { request, acked }: Open, response: TerminalResponse): boolean {
	if (!isFitting(request, response)) return false;
	if (acked) return !isUnique(response);
	return (response.code !== APPROVED || isQuestion(request)) && !silent.some((before) => isFitting(before.request, response));
}

function reportAnswer(step: Step, response: TerminalResponse, owner: { readonly id: string | null } | null): void {
	const own = owner !== null && owner.id === null;
	const entry: Told = { response, state: own ? 'durable' : 'waiting', at: step.now };
	const request_id = owner?.id ?? null;
	const { type, code, amount, rrn, invoice } = response;
	// The driver's frequent echo tests must not displace a remembered response about money.
	const others = step.state.told.filter((before) => !isSame(before.response, response) && !(own && before.response.type === 'echo'));
	step.set({ told: dropOldest([...others, entry]) });
	step.log('edc.answer', { request_id, type, code, meaning: codeMeaning(code), amount, rrn, invoice });
	if (own) step.wants = 'ack';
	else step.report({ kind: 'answer', request_id, response });
}

/** @returns the responses without the oldest one, if there are too many; one not on disk is kept */
function dropOldest(told: readonly Told[]): readonly Told[] {
	if (told.length <= COUNTS.remembered) return told;
	const oldest = told.find((one) => !isWaiting(one)) ?? told[0];
	return told.filter((one) => one !== oldest);
}

/**
 * Finds and ends the request that this response answers: the open request, or a request that ended
 * without a response.
 */
function ownerOf(step: Step, response: TerminalResponse): { readonly id: string | null } | null {
	const { open, silent } = step.state;
	const late = silent.findLast((before) => isFitting(before.request, response));
	if (open !== null && isFitting(open.request, response)) {
		// Without an ACK, the terminal may not have seen the open request, so the response could
		// belong to either request.
		if (!open.acked && late !== undefined) return null;
		onAck(step);
		end(step, open, response);
		return open;
	}
	if (late === undefined) return null;
	step.set({ silent: silent.filter((before) => before !== late) });
	return late;
}

/** Ends a request with its response. */
function end(step: Step, { id, request, begunAt }: Open, response: TerminalResponse): void {
	const read = request.type === 'echo' ? slipTime(response) : null;
	step.set({ open: null, clock: read === null ? step.state.clock : { told: read, at: begunAt, terminal_id: response.terminal_id } });
	if (id === null) step.set({ queuedAt: step.now + step.settings.restMs });
}

function acknowledge(step: Step, response: TerminalResponse): void {
	const { told } = step.state;
	const answered = told.find((before) => before.state !== 'durable' && isSame(before.response, response));
	if (answered === undefined) return;
	step.set({ told: told.map((before) => (before === answered ? { ...before, state: 'durable' } : before)) });
	if (isWaiting(answered)) step.wants = 'ack';
}

/**
 * Sends at most one ACK or NAK per read. ACK waits until every reported response is on disk,
 * because the terminal cannot know to which response the ACK belongs. NAK is omitted while the next
 * frame is arriving.
 */
function answerTheLine(step: Step): void {
	const { told, decoder } = step.state;
	if (step.wants === 'ack' && !told.some(isWaiting) && !isInFrame(decoder)) step.say('ack');
	if (step.wants === 'nak' && !isInFrame(decoder)) step.say('nak');
}

function onTick(step: Step): void {
	const { now, settings } = step;
	const { line, tickedAt, heardAt, open } = step.state;
	const isStalled = !isIdle(step.state) && now - tickedAt >= STALL_MS;
	step.set({ tickedAt: now });
	if (!line) return;
	// The process was paused. Bytes may have been lost, so silence proves nothing.
	if (tickedAt !== NEVER && isStalled) return step.set({ heardAt: now, open: open && { ...open, heard: true } });
	if (now - heardAt >= settings.halfFrameMs) onQuietLine(step);
	acceptRepeatedResponse(step, settings.resendMs);
	if (step.state.open) checkLimits(step, step.state.open);
	sendQueued(step);
	probe(step);
}

/**
 * Ends the open request with a response equal to an earlier one, if neither an ACK nor another
 * response has followed within `waitMs`.
 */
function acceptRepeatedResponse(step: Step, waitMs: number): void {
	const { open } = step.state;
	if (open?.alike == null || step.now - open.alike.at < waitMs) return;
	end(step, open, open.alike.response);
	reportAnswer(step, open.alike.response, open);
}

/**
 * Handles a silence that is longer than a frame allows: an incomplete frame will not be completed.
 */
function onQuietLine(step: Step): void {
	const { decoder, noise, open } = step.state;
	step.set({ decoder: DECODER_START, noise: 0 });
	if (isInFrame(decoder)) onDamaged(step, `the answer broke off after ${decoder.held.length} bytes`);
	else if (open !== null && noise >= COUNTS.lostFrameBytes) onDamaged(step, `${noise} bytes without the beginning of an answer`);
}
