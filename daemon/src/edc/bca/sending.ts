/** Sends a request, repeats it after NAK, and ends it when a limit has passed. */

import { CLOCK_READING_MS, COUNTS, type EcrSettings, type Open, type Queued, type Told } from './bca-state.ts';
import type { Step } from './step.ts';
import { isQuestion } from './truncation-check.ts';

export function begin(step: Step, { id, request, frame }: Omit<Queued, 'id'> & { id: string | null }): void {
	const told = step.state.told.map((before): Told => (before.state === 'waiting' ? { ...before, state: 'abandoned' } : before));
	const silent = step.state.silent.filter((before) => before.request.type !== request.type || !isQuestion(request));
	const { now } = step;
	// Ticks are rare while the terminal is idle. This must not count as a pause of the process.
	step.set({ told, silent, damages: 0, noise: 0, tickedAt: now });
	const terminal_id = step.state.clock?.terminal_id ?? '';
	if (id !== null) step.report({ kind: 'begun', request_id: id, clock: latestClock(step), terminal_id });
	const fresh = { acked: false, heard: false, nakAt: null, noisy: false, alike: null };
	send(step, { id, request, frame, ...fresh, sends: 0, since: now, begunAt: now });
}

/**
 * The terminal reads its clock after the echo test was sent, and rounds the time down to a second.
 * @returns the latest time that the terminal's clock can show now; null without a recent reading
 */
function latestClock({ state: { clock }, now }: Step): number | null {
	if (clock === null || now - clock.at > CLOCK_READING_MS) return null;
	return clock.told + (now - clock.at) + 1_000;
}

function send(step: Step, open: Open): void {
	const sends = open.sends + 1;
	step.set({ open: { ...open, sends, since: step.now, nakAt: null, noisy: false } });
	step.effects.push({ kind: 'send', frame: open.frame });
	const amount = 'amount' in open.request ? open.request.amount : undefined;
	if (open.id !== null) step.log('edc.sent', { request_id: open.id, type: open.request.type, amount, send: sends });
}

/** Sends the open request again after a NAK, or ends it if a limit has passed. */
export function checkLimits(step: Step, open: Open): void {
	const { now, settings } = step;
	if (open.alike !== null) return;
	if (open.nakAt !== null) {
		if (now - open.nakAt < settings.resendMs) return;
		if (open.id !== null) step.log('edc.refused', { request_id: open.id, type: open.request.type, send: open.sends });
		// A NAK to an echo test shows that the terminal is connected.
		if (open.id === null) return step.set({ open: null });
		if (open.sends < COUNTS.sends) return send(step, open);
		step.set({ open: null, refusedAt: now, presence: 'dead', probeAt: now + settings.probeIdleMs });
		step.report({ kind: 'not_begun', request_id: open.id, why: `the terminal refused the request ${open.sends} times` });
	} else if (!open.acked && now - open.since >= settings.ackMs) onMissingAck(step, open);
	else if (open.acked && now - open.since >= answerLimit(open, settings))
		reportSilence(step, open, `no answer within ${answerLimit(open, settings)} ms`);
}

const answerLimit = (open: Open, settings: EcrSettings): number =>
	open.request.type === 'echo' ? Math.min(settings.echoMs, settings.answerMs) : settings.answerMs;

/**
 * Handles a missing ACK. If the request is a sale, and the terminal has sent no protocol byte since
 * its line was opened and no byte at all since the sale was sent, the terminal counts as absent and
 * the sale as not begun. Otherwise the request may have begun, and its outcome is unknown.
 * docs/developer/money.md explains why.
 */
function onMissingAck(step: Step, open: Open): void {
	const { settings, state, now } = step;
	const { id, request } = open;
	const isSale = request.type === 'sale' || request.type === 'qris';
	const unanswered = id !== null && isSale && !state.spoken && !open.heard;
	if (id === null) step.set({ presence: 'dead' });
	else step.set({ probeAt: now });
	if (!unanswered) return reportSilence(step, open, `no ACK within ${settings.ackMs} ms`);
	step.set({ presence: 'dead', probeAt: now + settings.probeIdleMs });
	remember(step, open, true);
	const why = `the terminal does not answer: not a byte since its line opened, no ACK within ${settings.ackMs} ms`;
	step.log('edc.unanswered', { request_id: id, type: request.type, why });
	step.report({ kind: 'not_begun', request_id: id, why });
}

/**
 * Ends the open request and reports that its outcome is unknown. The request is remembered for a
 * late response. The driver's own echo test is not reported.
 */
export function reportSilence(step: Step, open: Open, why: string): void {
	const { id, request } = open;
	remember(step, open, false);
	if (id === null) return;
	step.log('edc.silent', { request_id: id, type: request.type, why });
	step.report({ kind: 'silent', request_id: id, why });
}

function remember(step: Step, { id, request, acked }: Open, unanswered: boolean): void {
	const late = { id, request, at: step.now, acked, unanswered };
	step.set({ open: null, silent: [...step.state.silent, late].slice(-COUNTS.remembered) });
}
