/** Whether a terminal is at the other end of the line, and the requests that wait for that to be known. */
import type { TerminalRequest } from '../terminal.ts';
import { isQuestion } from './fitting.ts';
import { requestFrame } from './request.ts';
import { begin } from './sending.ts';
import { type EcrState, isWaiting, NEVER } from './state.ts';
import type { Step } from './step.ts';

/** The terminal has said something in answer to the kiosk. */
export function proveAlive(step: Step): void {
	step.set({ presence: 'alive', aliveAt: step.now, probeAt: step.now + step.settings.probeIdleMs });
}

/**
 * Before money moves the terminal must have spoken a moment ago: an echo test that meets silence proves that nothing began,
 * a sale that meets silence proves nothing.
 */
export function needsEcho(step: Step, request: TerminalRequest): boolean {
	if (step.settings.probe !== 'echo' || isQuestion(request) || isQuiet(step)) return false;
	return step.now - step.state.aliveAt > step.settings.freshMs;
}

/** What waits for the echo test can no longer go out. */
export function dropQueued(step: Step, why: string): void {
	const { queued } = step.state;
	step.set({ queued: null });
	if (queued) step.report({ kind: 'not_begun', request_id: queued.id, why });
}

/** The request that waited for an echo test; a terminal that took the test and did not answer it is there all the same. */
export function sendQueued(step: Step): void {
	const { open, queued, queuedAt, presence } = step.state;
	if (open !== null || queued === null || step.now < queuedAt) return;
	if (presence === 'dead') return dropQueued(step, 'the terminal does not answer');
	step.set({ queued: null });
	begin(step, queued);
}

/** The driver's own echo test, never while an answer may still be on its way or is not durable yet. */
export function probe(step: Step): void {
	const { open, queued, probeAt, presence, told } = step.state;
	if (step.now < probeAt) return;
	if (step.settings.probe === 'none') {
		if (presence === 'dead') step.set({ presence: 'unproven' });
	} else if (open === null && queued === null && !told.some(isWaiting) && !isQuiet(step)) ownEcho(step);
}

/** @returns whether a customer may be at the terminal with a sale of which the kiosk has lost sight */
function isQuiet({ state: { silent, quietUntil }, settings, now }: Step): boolean {
	const lost = silent.findLast(({ id, request, unanswered }) => id !== null && !unanswered && !isQuestion(request));
	return now < Math.max(quietUntil, (lost?.at ?? NEVER) + settings.answerMs);
}

export function ownEcho(step: Step): void {
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
