/** Decides whether a version on trial is good, and records the reason if it is not. */
import { type Clock, pause } from '../base/clock.ts';
import type { DaemonLink, TrialFacts } from './daemon-link.ts';
import type { Device, State, StateFile } from './state.ts';

/** The page must draw without interruption for this time. */
const DRAWN_SECONDS = 60;
const LOOK_MS = 5_000;
/**
 * Number of consecutive unanswered requests after which the trial ends without the daemon's
 * permission. A restarting daemon is silent for seconds; a daemon that is silent for longer serves
 * no customer.
 */
const SILENT_LOOKS = 12;

export interface Verdict {
	/** `never_drew`, `journal` or `devices`; '' if this start is good. */
	reason: string;
	text: string;
}

/** @param before devices before the restart; null outside a trial, where only the page is judged */
export function judgeTrial(facts: TrialFacts, before: readonly Device[] | null): Verdict {
	const { drawn_seconds, journal, devices } = facts;
	if (drawn_seconds < DRAWN_SECONDS) return { reason: 'never_drew', text: `the page has been drawing for ${Math.floor(drawn_seconds)} s` };
	if (before === null) return { reason: '', text: '' };
	if (journal !== 'ok') return { reason: 'journal', text: `the journal is not ready: ${journal}` };
	const wasOk = (name: string): boolean => before.some((device) => device.name === name && device.state === 'ok');
	const worse = devices.filter(({ name, state }) => state === 'bad' && wasOk(name)).map(({ name }) => name);
	const lost = before
		.filter(({ name, state }) => state === 'ok' && !devices.some((device) => device.name === name))
		.map(({ name }) => name);
	const bad = [...worse, ...lost];
	return bad.length === 0
		? { reason: '', text: '' }
		: { reason: 'devices', text: `worked before the update and not now: ${bad.join(', ')}` };
}

/** @param running version @returns devices before the restart; null if this start is not a trial */
export function devicesBefore({ state, version, devices }: State, running: string): readonly Device[] | null {
	const onTrial = (state === 'restarting' || state === 'trial' || state === 'waiting' || state === 'written') && version === running;
	return onTrial ? (devices ?? []) : null;
}

/** `kiosk-update settled`: ends when this start is good. It has no timeout. */
export async function waitUntilSettled(of: { state: () => State; running: string; daemon: DaemonLink; clock: Clock }): Promise<void> {
	for (;;) {
		const facts = await of.daemon.trial();
		if (facts.ok && judgeTrial(facts.value, devicesBefore(of.state(), of.running)).reason === '') return;
		await pause(of.clock, LOOK_MS);
	}
}

/**
 * `kiosk-update trial-deadline`: records why this start is not good, and waits until no payment is
 * open or the daemon no longer answers. The unit then restarts the kiosk.
 */
export async function endTrial(of: { state: StateFile; running: string; daemon: DaemonLink; clock: Clock }): Promise<void> {
	const facts = await of.daemon.trial();
	const before = devicesBefore(of.state.read(), of.running) ?? [];
	const verdict = facts.ok ? judgeTrial(facts.value, before) : { reason: 'never_drew', text: facts.error.message };
	of.state.change({ trial_reason: verdict.reason || 'unknown', text: verdict.text });
	for (let silent = 0; silent < SILENT_LOOKS; ) {
		// The request is made as `person`: as `update` it would also need ten minutes without use of
		// the screen.
		const lease = await of.daemon.lease('person');
		if (lease.ok && lease.value.granted) return;
		silent = lease.ok ? 0 : silent + 1;
		await pause(of.clock, LOOK_MS);
	}
}
