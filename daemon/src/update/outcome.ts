/**
 * `kiosk-update outcome`, at each start: determines the outcome of an update from the try counters
 * in the file names of the kernel images.
 */
import { type Entry, entryOf } from './boot-entries.ts';
import type { Outcome, State } from './state.ts';
import { compareVersions } from './version.ts';

/** @returns the changes of the state; {} for none. @param now ISO 8601 */
export function outcomeOf(before: State, running: string, entries: readonly Entry[], now: string): Partial<State> {
	const own = entryOf(entries, running);
	// The boot partition could not be read, or a person changed it: the outcome stays unknown.
	if (own === undefined) return {};
	if (own.left !== null) return onTrial(before, running, own);
	if (isUnderWay(before) && before.version === running) return good(before, running, own, now);
	if (isUnderWay(before) && before.version !== null) return stateAfterReturn(before, before.version, running, entries, now);
	return withoutTries(before, running, entries, now);
}

/**
 * @returns whether the update is between writing and the end of the trial. After a power cut the
 * state may lag behind the boot partition, so each of these states counts as under way
 */
const isUnderWay = ({ state }: State): boolean =>
	state === 'writing' || state === 'written' || state === 'waiting' || state === 'restarting' || state === 'trial';

function onTrial(before: State, running: string, own: Entry): Partial<State> {
	// After a factory reset the state does not contain the current trial.
	const known = before.version === running && isUnderWay(before);
	if (known && before.state === 'trial' && before.tries === own.done) return {};
	return { state: 'trial', version: running, tries: own.done, ...(known ? {} : { from: null, devices: null, trial_reason: '' }) };
}

function good(before: State, running: string, { done }: Entry, at: string): Partial<State> {
	const tries = Math.max(before.tries, done, 1);
	return finished(before, { version: running, from: before.from, outcome: 'good', reason: '', tries, at }, '');
}

function stateAfterReturn(before: State, version: string, running: string, entries: readonly Entry[], at: string): Partial<State> {
	// Empty files do not count: a power cut may leave them on FAT.
	const entry = entryOf(
		entries.filter(({ bytes }) => bytes > 0),
		version,
	);
	if (entry === undefined && before.state === 'writing') return {};
	// The version has never been started, so it is installed again.
	if (entry === undefined && (before.state === 'written' || before.state === 'waiting')) return { state: 'verified' };
	// The kiosk was restarted for another reason before the boot loader tried the version, or the
	// restart did not happen.
	if (entry?.left !== undefined && entry.left !== null && entry.left > 0)
		return before.state === 'restarting' || before.state === 'trial' ? { state: 'waiting' } : {};
	const [reason, text] = reasonOf(before, entry);
	return finished(before, { version, from: running, outcome: 'failed', reason, tries: entry?.done ?? before.tries, at }, text);
}

function reasonOf(before: State, entry: Entry | undefined): [string, string] {
	if (before.trial_reason !== '') return [before.trial_reason, before.text];
	if (entry === undefined) return ['unknown', 'its kernel image is no longer on the boot partition'];
	// Only the deadline of a trial records a reason; an interrupted start does not.
	if (before.tries > 0) return ['cuts', 'each of its starts ended before the deadline, as in power cuts'];
	return ['unknown', 'it never reached the system: its kernel, its initrd or its partition is damaged'];
}

/**
 * Handles a version without remaining tries whose update is not under way. If it was good, a person
 * rolled it back. Otherwise it failed after a power cut had started it despite a hold.
 */
function withoutTries(before: State, running: string, entries: readonly Entry[], at: string): Partial<State> {
	const entry = entries
		.filter(({ left, version }) => left === 0 && version !== running)
		.sort((a, b) => compareVersions(b.version, a.version))[0];
	if (entry === undefined) return {};
	const { version, done } = entry;
	const last = before.history.findLast((outcome) => outcome.version === version);
	if (last?.outcome === 'good')
		return finished(before, { version, from: running, outcome: 'rolled_back', reason: 'person', tries: 0, at }, '');
	if (last !== undefined) return {};
	const [reason, text] = reasonOf(before, entry);
	return finished(before, { version, from: running, outcome: 'failed', reason, tries: done, at }, text);
}

function finished(before: State, outcome: Outcome, text: string): Partial<State> {
	const { version, outcome: state, reason, tries } = outcome;
	const clean = { done_bytes: 0, total_bytes: 0, devices: null, from: null, trial_reason: '', by_person: false };
	return { ...clean, state, version, reason, text, tries, history: [...before.history, outcome] };
}
