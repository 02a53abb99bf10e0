/**
 * The state of the updater: one file. The updater's programs replace it atomically; the daemon and
 * kioskctl read it.
 */
import { closeSync, constants, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Clock } from '../base/clock.ts';

/** Folder of the update state, with a subfolder for the files of each version. */
export const UPDATE_FOLDER = '/var/lib/kiosk-update';
const NAME = 'state.json';
/** Number of outcomes that are kept for the history. */
const KEPT = 20;

/**
 * `verified`: all files are downloaded and checked. `written`: the other slot and its kernel image
 * are complete. `waiting`: the restart is due but not yet allowed. `trial`: the new version runs
 * and is not yet confirmed.
 */
const STATES = [
	...(['idle', 'checking', 'downloading', 'verified', 'writing', 'written', 'waiting', 'restarting'] as const),
	...(['trial', 'good', 'failed', 'refused', 'rolled_back'] as const),
] as const;

const text = v.pipe(v.string(), v.maxLength(2_000));
const version = v.pipe(v.string(), v.maxLength(80));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const Outcome = v.object({
	version,
	/** Version that ran before. */
	from: v.nullable(version),
	outcome: v.picklist(['good', 'failed', 'rolled_back']),
	/**
	 * `never_drew`, `journal`, `devices` or `cuts` after a trial; `command`, `verity` or `checksum`
	 * after an installation; `person` or `unknown`; '' if the outcome is `good`.
	 */
	reason: text,
	/** Number of starts of the new version during its trial. */
	tries: count,
	/** ISO 8601. */
	at: text,
});
export type Outcome = v.InferOutput<typeof Outcome>;

const Device = v.object({ name: text, state: v.picklist(['ok', 'bad']) });
export type Device = v.InferOutput<typeof Device>;

const State = v.object({
	format: v.literal(1),
	state: v.picklist(STATES),
	/** The version that the state is about. */
	version: v.nullable(version),
	/** Code of a refusal, a failure or a wait; else ''. */
	reason: text,
	/** A sentence about the state, usually the reason; else ''. */
	text,
	/** ISO 8601. */
	since: text,
	done_bytes: count,
	total_bytes: count,
	/** Time of the last check that read the manifest, ISO 8601. */
	checked: v.nullable(text),
	/** Version and release time in the last manifest with a good signature. */
	offered: v.nullable(v.object({ version, released_at: text })),
	/** Copy of the floor (floor.ts): older versions are refused. */
	floor: v.nullable(version),
	/** Restart hours of the manifest; null: the settings apply. */
	window: v.nullable(text),
	any_day: v.boolean(),
	/** Whether a person brought the version. If so, the kiosk may restart at any hour. */
	by_person: v.boolean(),
	/** Version that ran before the restart. `devices`: states of the devices before the restart. */
	from: v.nullable(version),
	devices: v.nullable(v.array(Device)),
	/** Number of starts on trial so far. `trial_reason`: why the last start was not good. */
	tries: count,
	trial_reason: text,
	/** Journal formats of all versions that have run on this kiosk; a rollback needs them. */
	formats: v.record(version, v.object({ reads: count, writes: count })),
	/** Newest last. */
	history: v.array(Outcome),
});
export type State = v.InferOutput<typeof State>;

export const initialState = (now: string): State => ({
	...{ format: 1, state: 'idle', version: null, reason: '', text: '', since: now, done_bytes: 0, total_bytes: 0, checked: null },
	...{ offered: null, floor: null, window: null, any_day: false, by_person: false, from: null, devices: null, tries: 0 },
	...{ trial_reason: '', formats: {}, history: [] },
});

/** @returns the state; null if there is no valid state file */
export function readState(folder: string): State | null {
	try {
		const parsed = v.safeParse(State, JSON.parse(readFileSync(join(folder, NAME), 'utf8')));
		return parsed.success ? parsed.output : null;
	} catch {
		return null;
	}
}

export interface StateFile {
	/** Reads the file at each call, because other programs also write it. */
	read(): State;
	/** Changes some fields. A change of `state` clears `reason` and `text` unless it sets them. */
	change(change: Partial<State>): State;
	/** @returns the current time, ISO 8601 */
	now(): string;
}

export function stateFile(folder: string, clock: Clock): StateFile {
	const now = (): string => clock.wall().toISOString();
	const read = (): State => readState(folder) ?? initialState(now());
	return {
		read,
		now,
		change(change) {
			const after = changed(read(), change, now());
			write(folder, after);
			return after;
		},
	};
}

/** @param now ISO 8601 @returns the state after a change */
export function changed(before: State, change: Partial<State>, now: string): State {
	const isNew = change.state !== undefined && (change.state !== before.state || (change.version ?? before.version) !== before.version);
	const fresh = change.state === undefined ? {} : { reason: '', text: '', ...(isNew ? { since: now } : {}) };
	const after = { ...before, ...fresh, ...change };
	return { ...after, history: after.history.slice(-KEPT) };
}

/**
 * Writes the state into a new file and renames it. The folder belongs to another user, who could
 * have placed a link at the new name. O_EXCL keeps root from following such a link.
 */
function write(folder: string, state: State): void {
	const file = join(folder, NAME);
	const next = `${file}.new`;
	rmSync(next, { force: true });
	const handle = openSync(next, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o644);
	try {
		writeSync(handle, `${JSON.stringify(state, null, '\t')}\n`);
		fsyncSync(handle);
	} finally {
		closeSync(handle);
	}
	renameSync(next, file);
}

/** @returns how often each version has failed on this kiosk or was rolled back */
export function failuresOf({ history }: Pick<State, 'history'>): Map<string, number> {
	const failures = new Map<string, number>();
	for (const { version, outcome } of history) if (outcome !== 'good') failures.set(version, (failures.get(version) ?? 0) + 1);
	return failures;
}
