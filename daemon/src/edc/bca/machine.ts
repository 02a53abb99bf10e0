/**
 * The conversation with a BCA terminal as a pure machine: bytes, ticks and requests in, frames and reports out. The link has
 * no order number and no way to cancel, so most rules here exist to never start a sale twice and never to call an unknown
 * one failed: a request is said again only after NAK, and every silence is reported as silence.
 */
import type { EventId, LogFields } from '../../log/log.ts';
import type { TerminalReport, TerminalRequest, TerminalResponse } from '../terminal.ts';
import { codeMeaning } from './codes.ts';
import { DECODER_START, decode, isInFrame, type Meaning } from './decoder.ts';
import { fits, isQuestion, isSame, isUnique } from './fitting.ts';
import { requestFrame } from './request.ts';
import { COUNTS, type EcrEffect, type EcrEvent, type EcrSettings, type EcrState, NEVER, type Open, STALL_MS, type Told } from './state.ts';

/** A step in the making: the state so far and what must be done. */
class Step {
	state: EcrState;
	readonly effects: EcrEffect[] = [];
	readonly settings: EcrSettings;
	readonly now: number;
	/** What this read asks for once all of it is understood. */
	wants: 'nothing' | 'ack' | 'nak' = 'nothing';

	constructor(state: EcrState, settings: EcrSettings, now: number) {
		this.state = state;
		this.settings = settings;
		this.now = now;
	}

	set(change: Partial<EcrState>): void {
		this.state = { ...this.state, ...change };
	}

	say(control: 'ack' | 'nak'): void {
		if (this.state.line) this.effects.push({ kind: 'say', control });
	}

	report(report: TerminalReport): void {
		this.effects.push({ kind: 'report', report });
	}

	log(id: EventId, fields: LogFields): void {
		this.effects.push({ kind: 'log', id, fields });
	}
}

/**
 * @returns the next state and the effects in the order in which they must happen; throws on a second request while one is
 * open, which is a bug of the caller
 */
export function ecrStep(state: EcrState, event: EcrEvent, settings: EcrSettings): { state: EcrState; effects: EcrEffect[] } {
	const step = new Step(state, settings, event.now);
	if (event.kind === 'opened') opened(step);
	else if (event.kind === 'lost') lost(step, event.reason);
	else if (event.kind === 'data') data(step, event.bytes);
	else if (event.kind === 'tick') tick(step);
	else if (event.kind === 'request') request(step, event.request, event.id);
	else acknowledge(step);
	answerTheLine(step);
	reportState(step);
	return { state: step.state, effects: step.effects };
}

function opened(step: Step): void {
	step.set({ line: true, decoder: DECODER_START, noise: 0, probeAt: step.settings.probe === 'echo' ? step.now : null });
}

function lost(step: Step, reason: string): void {
	if (step.state.open) silence(step, step.state.open, `the line was lost: ${reason}`);
	step.set({ line: false, decoder: DECODER_START });
}

function request(step: Step, request: TerminalRequest, id: string): void {
	const { open, line } = step.state;
	if (open !== null && open.id !== null) throw new Error(`request ${id} while ${open.id} is open`);
	const notBegun = (why: string): void => step.report({ kind: 'not_begun', request_id: id, why });
	if (!line) return notBegun('the line to the terminal is not open');
	if (open !== null) return notBegun('the terminal has not answered its echo test yet');
	const frame = requestFrame(step.settings.version, request);
	if (!frame.ok) return notBegun(frame.error.why);
	begin(step, request, id, frame.value);
}

function begin(step: Step, request: TerminalRequest, id: string | null, frame: Uint8Array): void {
	const told = step.state.told.map((before): Told => (before.state === 'waiting' ? { ...before, state: 'abandoned' } : before));
	const silent = step.state.silent.filter((before) => before.request.type !== request.type || !isQuestion(request));
	step.set({ told, silent, damages: 0, noise: 0 });
	send(step, { id, request, frame, acked: false, sends: 0, since: step.now, nakAt: null, noisy: false });
}

function send(step: Step, open: Open): void {
	const sends = open.sends + 1;
	step.set({ open: { ...open, sends, since: step.now, nakAt: null, noisy: false } });
	step.effects.push({ kind: 'send', frame: open.frame });
	const amount = 'amount' in open.request ? open.request.amount : undefined;
	if (open.id !== null) step.log('edc.sent', { request_id: open.id, type: open.request.type, amount, send: sends });
}

function data(step: Step, bytes: Uint8Array): void {
	step.set({ heardAt: step.now });
	const decoded = decode(step.state.decoder, bytes);
	step.set({ decoder: decoded.state });
	for (const meaning of decoded.meanings) hear(step, meaning);
}

function hear(step: Step, meaning: Meaning): void {
	switch (meaning.kind) {
		case 'ack':
			return acked(step);
		case 'nak':
			return refused(step);
		case 'answer':
			if (meaning.version !== step.settings.version) step.log('edc.odd_version', { version: meaning.version });
			return answered(step, meaning.response);
		case 'damaged':
			return damaged(step, meaning.why);
		case 'discarded':
			step.log('edc.discarded', { bytes: meaning.bytes });
			step.set({ noise: step.state.noise + meaning.bytes });
			return disturbed(step);
		default:
			return meaning satisfies never;
	}
}

/** An ACK that noise made up only makes us wait longer; that is safe, so every ACK is believed. */
function acked(step: Step): void {
	const { open, told } = step.state;
	if (open === null || open.acked) return;
	// A terminal that takes up a new request no longer repeats old failures: the same failure again is now a new one.
	step.set({
		open: { ...open, acked: true, since: step.now, nakAt: null },
		told: told.filter((before) => isUnique(before.response) || isWaiting(before)),
	});
	if (open.id !== null) step.report({ kind: 'acked', request_id: open.id });
}

/** NAK before any ACK: the request arrived damaged. It counts only if the line stays quiet for `resendMs`. */
function refused(step: Step): void {
	const { open } = step.state;
	if (open === null || open.acked || open.noisy || open.nakAt !== null) return;
	step.set({ open: { ...open, nakAt: step.now } });
}

/** A NAK with noise around it is not believed: saying the request again could start a second sale. */
function disturbed(step: Step): void {
	const { open } = step.state;
	if (open !== null) step.set({ open: { ...open, noisy: true, nakAt: null } });
}

function damaged(step: Step, why: string): void {
	disturbed(step);
	const { damages } = step.state;
	if (damages >= COUNTS.naks) return step.log('edc.discarded', { why });
	step.set({ damages: damages + 1 });
	step.wants = 'nak';
	step.log('edc.damaged', { why });
}

function answered(step: Step, response: TerminalResponse): void {
	step.set({ damages: 0, noise: 0, probeAt: null });
	step.wants = 'nothing';
	const before = step.state.told.find((told) => isSame(told.response, response));
	if (before === undefined) return told(step, response, ownerOf(step, response));
	step.log('edc.repeated', { type: response.type, code: response.code, invoice: response.invoice });
	if (before.state === 'durable') step.wants = 'ack';
	if (before.state === 'abandoned') told(step, response, null);
}

function told(step: Step, response: TerminalResponse, owner: { readonly id: string | null } | null): void {
	const own = owner !== null && owner.id === null;
	const entry: Told = { response, state: own ? 'durable' : 'waiting' };
	const request_id = owner?.id ?? null;
	const { type, code, amount, rrn, invoice } = response;
	const others = step.state.told.filter((before) => !isSame(before.response, response));
	step.set({ told: [...others, entry].slice(-COUNTS.remembered) });
	step.log('edc.answer', { request_id, type, code, meaning: codeMeaning(code), amount, rrn, invoice });
	if (own) step.wants = 'ack';
	else step.report({ kind: 'answer', request_id, response });
}

/** Finds the request that this answer ends: the open one, or one whose limit has passed. */
function ownerOf(step: Step, response: TerminalResponse): { readonly id: string | null } | null {
	const { open, silent } = step.state;
	const late = silent.findLast((before) => fits(before.request, response));
	if (open !== null && fits(open.request, response)) {
		// Before its ACK the terminal may not have seen the open request at all: nobody can say which of the two it answers.
		if (!open.acked && late !== undefined) return null;
		acked(step);
		step.set({ open: null });
		return open;
	}
	if (late === undefined) return null;
	step.set({ silent: silent.filter((before) => before !== late) });
	return late;
}

function acknowledge(step: Step): void {
	const { told } = step.state;
	const first = told.find(isWaiting);
	if (first === undefined) return;
	step.set({ told: told.map((before) => (before === first ? { ...before, state: 'durable' } : before)) });
	step.wants = 'ack';
}

const isWaiting = ({ state }: Told): boolean => state === 'waiting';

/**
 * One ACK or NAK for a whole read. ACK waits until every reported answer is durable, because the terminal cannot tell
 * which of them it is for; NAK waits while the next frame is already coming in.
 */
function answerTheLine(step: Step): void {
	const { told, decoder } = step.state;
	if (step.wants === 'ack' && !told.some(isWaiting)) step.say('ack');
	if (step.wants === 'nak' && !isInFrame(decoder)) step.say('nak');
}

function tick(step: Step): void {
	const { now, settings } = step;
	const { line, tickedAt, heardAt } = step.state;
	step.set({ tickedAt: now });
	if (!line) return;
	if (now - tickedAt >= STALL_MS) return step.set({ heardAt: now });
	if (now - heardAt >= settings.halfFrameMs) quiet(step);
	if (step.state.open) limits(step, step.state.open);
	probe(step);
}

/** Nothing came for as long as a frame may pause: what is half here will not become whole. */
function quiet(step: Step): void {
	const { decoder, noise, open } = step.state;
	step.set({ decoder: DECODER_START, noise: 0 });
	if (isInFrame(decoder)) damaged(step, `the answer broke off after ${decoder.held.length} bytes`);
	else if (open !== null && noise >= COUNTS.lostFrameBytes) damaged(step, `${noise} bytes without the beginning of an answer`);
}

function limits(step: Step, open: Open): void {
	const { now, settings } = step;
	if (open.nakAt !== null) {
		if (now - open.nakAt < settings.resendMs) return;
		if (open.id !== null) step.log('edc.refused', { request_id: open.id, type: open.request.type, send: open.sends });
		if (open.sends < COUNTS.sends) return send(step, open);
		step.set({ open: null });
		if (open.id !== null)
			step.report({ kind: 'not_begun', request_id: open.id, why: `the terminal refused the request ${open.sends} times` });
	} else if (!open.acked && now - open.since >= settings.ackMs) silence(step, open, `no ACK within ${settings.ackMs} ms`);
	else if (open.acked && now - open.since >= answerLimit(open, settings))
		silence(step, open, `no answer within ${answerLimit(open, settings)} ms`);
}

const answerLimit = (open: Open, settings: EcrSettings): number =>
	open.request.type === 'echo' ? Math.min(settings.echoMs, settings.answerMs) : settings.answerMs;

/** What became of the request is unknown. The line stays open, because its answer may still come. */
function silence(step: Step, { id, request }: Open, why: string): void {
	step.set({ open: null, silent: [...step.state.silent, { id, request, at: step.now }].slice(-COUNTS.remembered) });
	if (id === null) return;
	step.log('edc.silent', { request_id: id, type: request.type, why });
	step.report({ kind: 'silent', request_id: id, why });
}

/** The driver's own echo test, never while an answer may still be on its way or is not durable yet. */
function probe(step: Step): void {
	const { open, probeAt, silent, told } = step.state;
	const { answerMs, probeAgainMs, version } = step.settings;
	if (open !== null || probeAt === null || told.some(isWaiting)) return;
	const lateUntil = (silent.findLast(({ id }) => id !== null)?.at ?? NEVER) + answerMs;
	if (step.now < Math.max(probeAt, lateUntil)) return;
	step.set({ probeAt: step.now + probeAgainMs });
	const frame = requestFrame(version, { type: 'echo' });
	if (frame.ok) begin(step, { type: 'echo' }, null, frame.value);
}

function reportState(step: Step): void {
	const { line, open, probeAt } = step.state;
	const state = !line ? 'disconnected' : probeAt !== null ? 'starting' : open !== null ? 'busy' : 'ready';
	if (state === step.state.reported) return;
	step.set({ reported: state });
	step.report({ kind: 'state', state });
}
