/** Reads the state that the updater's programs write, and logs its changes. */
import { type Clock, every } from '../base/clock.ts';
import type { Log } from '../log/log.ts';
import type { ImageFacts } from './image-facts.ts';
import { readState, type State } from './state.ts';

const LOOK_MS = 10_000;
/** Refusals that the owner intends, or that need no action. */
export const NOT_YET = new Set(['hold', 'percent', 'not_before', 'failed_version', 'older', 'channel']);

/** The facts about updates for health and metrics. */
export interface UpdateFacts {
	/** null if the updater has never run. */
	state: State | null;
	image: ImageFacts;
	/** Whether the settings name a server. */
	on: boolean;
}

export interface UpdateWatch {
	/** The newest state; null if the updater has never run. */
	current(): State | null;
	stop(): void;
}

/** @param folder of the updater */
export function watchUpdates({ folder, clock, log }: { folder: string; clock: Clock; log: Log }): UpdateWatch {
	let state = readState(folder);
	// The updater writes the outcome of a restart only after the daemon has started, so the daemon's
	// previous run has already logged the state that is read here.
	let told = keyOf(state);
	const look = (): void => {
		state = readState(folder);
		const key = keyOf(state);
		if (state === null || key === told) return;
		told = key;
		logState(state, log);
	};
	const stop = every(clock, LOOK_MS, look);
	return { current: () => state, stop };
}

const keyOf = (state: State | null): string => JSON.stringify([state?.state, state?.version, state?.reason, state?.history.at(-1)?.at]);

function logState({ state, version, reason, text, tries }: State, log: Log): void {
	switch (state) {
		case 'idle':
		case 'checking':
			return;
		case 'waiting':
			return log.event('update.waiting', { version, reason, text });
		case 'good':
			return log.event('update.good', { version });
		case 'failed':
			return log.event('update.failed', { version, reason, text, tries });
		case 'rolled_back':
			return log.event('update.rolled_back', { version });
		case 'refused':
			return NOT_YET.has(reason)
				? log.event('update.not_yet', { version, reason })
				: log.event('update.refused', { version, reason, text });
		default:
			return log.event('update.step', { step: state, version });
	}
}
