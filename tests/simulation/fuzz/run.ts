/**
 * `make fuzz`: runs the targets. If an invariant is violated, prints the input as text, and the
 * command that runs this input again.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { randomFrom } from '../../support/random.ts';
import { Broken, fuzz, type Target } from './engine.ts';
import { bytesOf, readable } from './readable.ts';
import { TARGETS } from './targets.ts';

const CORPUS = join(import.meta.dirname, 'corpus');
/** An input that takes longer than this, ms, counts as hanging. */
const HANG_MS = 60_000;
/** The watchdog reports at most this many bytes of an input. */
const LARGEST_WATCHED = 16_384;

const { values } = parseArgs({
	options: {
		/** Target to run; by default, all targets run one after the other. */
		target: { type: 'string' },
		/**
		 * Number of inputs for each target; slow targets get a fiftieth of it. --minutes overrides this
		 * number.
		 */
		inputs: { type: 'string', default: '20000' },
		/** Time for all targets together, minutes. */
		minutes: { type: 'string' },
		seed: { type: 'string', default: '1' },
		/** Runs only this corpus file. */
		input: { type: 'string' },
		/** Writes inputs that reached new code to this folder. */
		keep: { type: 'string' },
	},
});

const chosen = TARGETS.filter((target) => values.target === undefined || target.name === values.target);
if (chosen.length === 0) throw new Error(`--target is one of ${TARGETS.map((target) => target.name).join(', ')}`);

const seedsOf = (target: Target): Buffer[] =>
	readdirSync(join(CORPUS, target.name))
		.sort()
		.map((file) => bytesOf(readFileSync(join(CORPUS, target.name, file), 'utf8')));

/**
 * Starts a worker that ends the process when an input hangs. An endless loop would block the timers
 * of this thread.
 */
function watch(): (input: Buffer) => void {
	const turns = new Int32Array(new SharedArrayBuffer(8));
	const now = new Uint8Array(new SharedArrayBuffer(LARGEST_WATCHED));
	const source = `
		const { workerData: { turns, now, limit } } = require('node:worker_threads');
		let last = -1;
		setInterval(() => {
			const turn = Atomics.load(turns, 0);
			if (turn === last) {
				const input = Buffer.from(now.slice(0, turns[1]));
				require('node:fs').writeSync(1, 'hangs at the input (base64): ' + input.toString('base64') + '\\n');
				process.kill(process.pid, 'SIGKILL');
			}
			last = turn;
		}, limit);`;
	new Worker(source, { eval: true, workerData: { turns, now, limit: HANG_MS } }).unref();
	return (input) => {
		now.set(input.subarray(0, LARGEST_WATCHED));
		turns[1] = Math.min(input.length, LARGEST_WATCHED);
		Atomics.add(turns, 0, 1);
	};
}

async function runOne(target: Target, file: string): Promise<void> {
	await target.run(bytesOf(readFileSync(file, 'utf8')));
	process.stdout.write(`${target.name}: ${file} breaks nothing\n`);
}

async function runTarget(target: Target, about: (input: Buffer) => void): Promise<void> {
	const began = performance.now();
	const share = values.minutes === undefined ? null : (Number(values.minutes) * 60_000) / chosen.length;
	const most = Number(values.inputs) / (target.slow ? 50 : 1);
	const more = (inputs: number): boolean => (share === null ? inputs < most : performance.now() - began < share);
	const done = await fuzz(target, seedsOf(target), randomFrom(Number(values.seed)), more, about);
	const seconds = (performance.now() - began) / 1_000;
	process.stdout.write(
		`${target.name.padEnd(16)} ${String(done.inputs).padStart(8)} inputs, ${done.reached} blocks reached, ${done.kept.length} inputs found new ones, ${seconds.toFixed(1)} s\n`,
	);
	if (values.keep === undefined) return;
	const folder = join(values.keep, target.name);
	mkdirSync(folder, { recursive: true });
	for (const [index, input] of done.kept.entries()) writeFileSync(join(folder, `found-${values.seed}-${index}.txt`), readable(input));
}

function report(target: Target, error: unknown): void {
	if (!(error instanceof Broken)) throw error;
	const file = join('/tmp', `fuzz-${target.name}-${values.seed}.txt`);
	writeFileSync(file, readable(error.input));
	writeSync(
		1,
		`${target.name} violated an invariant: ${error.message}\n\nThe input, as a file for tests/simulation/fuzz/corpus/${target.name}/:\n`,
	);
	writeSync(1, `${readable(error.input)}\n\n  again: node tests/simulation/fuzz/run.ts --target ${target.name} --input ${file}\n`);
}

let broken = 0;
const about = watch();
for (const target of chosen) {
	try {
		if (values.input !== undefined) await runOne(target, values.input);
		else await runTarget(target, about);
	} catch (error) {
		broken += 1;
		report(target, error);
	} finally {
		await target.stop?.();
	}
}
process.exit(broken === 0 ? 0 : 1);
