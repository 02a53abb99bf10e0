/**
 * Kills the process if one seed does not end. Runs in a worker thread, because a seed in an endless
 * loop blocks the main thread.
 */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

export interface SeedLimit {
	/** The number of the running seed; each change wakes this thread. */
	running: Int32Array;
	limitMs: number;
	/** The end of the command that replays a seed. */
	cast: string;
}

const STDOUT = 1;
/** Waits in slices, so that a suspended process loses one slice instead of the whole limit. */
const SLICE_MS = 1_000;
const { running, limitMs, cast } = workerData as SeedLimit;
let waitedMs = 0;
for (;;) {
	const seed = Atomics.load(running, 0);
	waitedMs = Atomics.wait(running, 0, seed, SLICE_MS) === 'timed-out' ? waitedMs + SLICE_MS : 0;
	if (waitedMs < limitMs) continue;
	writeSync(STDOUT, `seed ${seed} does not end within ${limitMs / 1_000} s\n  again: make simulate SEEDS=1 FROM=${seed}${cast} TRACE=1\n`);
	process.kill(process.pid, 'SIGKILL');
}
