/** Decides whether a terminal is connected, and holds requests until this is known. */
import type { TerminalRequest } from '../terminal.ts';
import { type EcrState, isWaiting, NEVER } from './bca-state.ts';
import { requestFrame } from './request.ts';
import { begin } from './sending.ts';
import type { Step } from './step.ts';
import { isQuestion } from './truncation-check.ts';

/** Records that the terminal has answered the kiosk. */
export function proveAlive(step: Step): void {
	step.set({ presence: 'alive', aliveAt: step.now, probeAt: step.now + step.settings.probeIdleMs });
}

/**
 * @returns whether an echo test must precede this request. Before money moves, the terminal must
 * have answered recently. If an echo test is unanswered, no sale has begun; if a sale is
 * unanswered, its outcome is unknown. No echo test is sent while an earlier sale may still be in
 * progress
 */
export function needsEcho(step: Step, request: TerminalRequest): boolean {
	if (step.settings.probe !== 'echo' || isQuestion(request) || isQuiet(step)) return false;
	return step.now - step.state.aliveAt > step.settings.freshMs;
}

/**
 * Reports a request that waits for the echo test as not begun, because it can no longer be sent.
 */
export function dropQueued(step: Step, why: string): void {
	const { queued } = step.state;
	step.set({ queued: null });
	if (queued) step.report({ kind: 'not_begun', request_id: queued.id, why });
}

/**
 * Sends the request that waited for an echo test, or reports it as not begun if the terminal is
 * dead. A terminal that acknowledged the test without answering it is not dead.
 */
export function sendQueued(step: Step): void {
	const { open, queued, queuedAt, presence } = step.state;
	if (open !== null || queued === null || step.now < queuedAt) return;
	if (presence === 'dead') return dropQueued(step, 'the terminal does not answer');
	step.set({ queued: null });
	begin(step, queued);
}

/**
 * Sends the driver's own echo test when it is due. The test waits while a response may still come,
 * or while a reported response is not on disk yet. The wait for the disk ends after `answerMs`,
 * because the outcome of a void may never be recorded. If echo tests are switched off, the kiosk
 * instead offers cards again although the terminal was silent.
 */
export function probe(step: Step): void {
	const { open, queued, probeAt, presence, told } = step.state;
	const mayRepeat = told.some((one) => isWaiting(one) && step.now - one.at < step.settings.answerMs);
	if (step.now < probeAt) return;
	if (step.settings.probe === 'none') {
		if (presence === 'dead') step.set({ presence: 'unproven' });
	} else if (open === null && queued === null && !mayRepeat && !isQuiet(step)) sendOwnEcho(step);
}

/**
 * @returns whether a customer may be at the terminal with a sale that the kiosk no longer tracks
 */
function isQuiet({ state: { silent, quietUntil }, settings, now }: Step): boolean {
	const lost = silent.findLast(({ id, request, unanswered }) => id !== null && !unanswered && !isQuestion(request));
	return now < Math.max(quietUntil, (lost?.at ?? NEVER) + settings.answerMs);
}

export function sendOwnEcho(step: Step): void {
	const { probeAgainMs, version } = step.settings;
	step.set({ probeAt: step.now + probeAgainMs });
	const frame = requestFrame(version, { type: 'echo' });
	if (frame.ok) begin(step, { id: null, request: { type: 'echo' }, frame: frame.value });
}

export function reportState(step: Step): void {
	const state = stateOf(step);
	if (state === step.state.reported) return;
	step.set({ reported: state });
	step.report({ kind: 'state', state });
}

function stateOf({ state: { line, open, queued, presence }, settings }: Step): EcrState['reported'] {
	if (!line) return 'disconnected';
	if (queued !== null || (open !== null && open.id !== null)) return 'busy';
	if (presence === 'dead') return 'silent';
	return settings.probe === 'echo' && presence === 'unproven' ? 'starting' : 'ready';
}
