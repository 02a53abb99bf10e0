/**
 * A small coverage-guided fuzzer: mutates inputs of a corpus and keeps the mutated inputs that
 * reach new code of the kiosk. V8 itself measures the coverage.
 */
import { Session } from 'node:inspector/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Random } from '../../support/random.ts';

/** Longer inputs find few more bugs and take much time. */
const LARGEST_BYTES = 8_192;
/**
 * Number of inputs between two readings of the coverage; a reading takes milliseconds. The inputs
 * run again one by one only if together they reached new code.
 */
const TOGETHER = 40;
/**
 * Length of the repetitive inputs. If the time of a parser grows with the square of the length,
 * these inputs exceed `LONGEST_CPU_MS`.
 */
const REPEATED_BYTES = 100_000;
/** Limit of processor time for one input, ms. */
const LONGEST_CPU_MS = 2_000;
/**
 * Allowed growth of memory in the second half of a run with a fixed number of inputs, bytes. The
 * kept inputs are not counted.
 */
const GROWTH_BYTES = 8 * 1024 * 1024;

export interface Target {
	name: string;
	/**
	 * Throws if an invariant is violated.
	 * @returns words that describe how far the input got. A new word counts like new code: where a
	 * library parses the input, coverage of the kiosk's own code gives little information.
	 */
	run(input: Buffer): Reach | Promise<Reach>;
	/**
	 * Words of the input language. Mutations insert these words, because random bytes would rarely
	 * form them.
	 */
	words: readonly string[];
	/** Whether one input is expensive because it needs files or sockets. */
	slow?: boolean;
	/** Whether the input is the bytes of a device. Tests of floods cover long inputs. */
	device?: boolean;
	stop?(): Promise<void> | void;
}

export type Reach = readonly string[] | undefined;

/** An input that violated an invariant or took too much processor time. */
export class Broken extends Error {
	readonly input: Buffer;

	constructor(input: Buffer, cause: unknown) {
		super(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
		this.input = input;
	}
}

export interface Fuzzed {
	inputs: number;
	/** Number of code blocks and words that were reached. */
	reached: number;
	/** Inputs that reached a new block or word. */ kept: Buffer[];
}

/**
 * @param seeds the initial corpus; each input first runs unchanged
 * @param more whether to continue after this number of inputs
 * @param about called before each input, so that a hanging input can be reported
 */
export async function fuzz(
	target: Target,
	seeds: readonly Buffer[],
	random: Random,
	more: (inputs: number) => boolean,
	about: (input: Buffer) => void,
): Promise<Fuzzed> {
	const reached = new Set<string>();
	const corpus = [...seeds];
	const kept: Buffer[] = [];
	const coverage = await startCoverage();
	/** Blocks and words that were new since the last check. */
	const fresh = new Set<string>();
	let inputs = 0;
	const one = async (input: Buffer): Promise<void> => {
		about(input);
		inputs += 1;
		const before = process.cpuUsage();
		try {
			for (const word of (await target.run(input)) ?? []) if (!reached.has(word)) fresh.add(word);
		} catch (error) {
			throw new Broken(input, error);
		}
		const spent = process.cpuUsage(before);
		const cpuMs = (spent.user + spent.system) / 1_000;
		if (cpuMs > LONGEST_CPU_MS) throw new Broken(input, `it took ${cpuMs.toFixed(0)} ms of processor time for ${input.length} bytes`);
	};
	/**
	 * @returns whether new blocks or words were reached. With `learn`, these blocks and words count
	 * as known from now on.
	 */
	const news = async (learn: boolean): Promise<boolean> => {
		for (const block of await coverage.taken()) if (!reached.has(block)) fresh.add(block);
		const found = fresh.size > 0;
		if (learn) for (const one of fresh) reached.add(one);
		fresh.clear();
		return found;
	};

	for (const seed of seeds) await one(seed);
	if (!target.slow && !target.device) for (const word of [...REPEATED, ...target.words]) await one(repeat(word));
	await news(true);
	let halfway = heldBytes();
	let measured = false;
	while (more(inputs)) {
		const batch = Array.from({ length: TOGETHER }, () => mutate(random, corpus, target.words));
		for (const input of batch) await one(input);
		if (!measured && !more(inputs * 2)) {
			halfway = heldBytes();
			measured = true;
		}
		if (!(await news(false))) continue;
		for (const input of batch) {
			await one(input);
			if (!(await news(true))) continue;
			corpus.push(input);
			kept.push(input);
		}
	}
	await coverage.stop();
	const grown = heldBytes() - halfway - kept.reduce((sum, input) => sum + input.length, 0);
	if (measured && grown > GROWTH_BYTES)
		throw new Error(`${target.name}: memory grew by ${grown} bytes in the second half of ${inputs} inputs`);
	return { inputs, reached: reached.size, kept };
}

/**
 * Makes garbage collection callable. Garbage of earlier tests in this process, collected at an
 * arbitrary time, would hide growth.
 */
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function heldBytes(): number {
	collectGarbage();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}

/**
 * Starts V8's code coverage. `taken` returns the blocks of the kiosk and of the ipp library that
 * have run since its last call.
 */
async function startCoverage(): Promise<{ taken(): Promise<string[]>; stop(): Promise<void> }> {
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
	return {
		async taken() {
			const { result } = await session.post('Profiler.takePreciseCoverage');
			const blocks: string[] = [];
			for (const { url, functions } of result) {
				if (!/\/(daemon|ui)\/(src|contract)\/|\/node_modules\/ipp\//.test(url)) continue;
				for (const { ranges } of functions)
					for (const { startOffset, endOffset, count } of ranges) if (count > 0) blocks.push(`${url}:${startOffset}-${endOffset}`);
			}
			return blocks;
		},
		async stop() {
			await session.post('Profiler.stopPreciseCoverage');
			session.disconnect();
		},
	};
}

const NUMBERS = [
	'0',
	'-1',
	'1e999',
	'9007199254740993',
	'137500.5',
	'1e21',
	'null',
	'true',
	'""',
	'[]',
	'{}',
	'-0',
	'00',
	'"\\ud800"',
	'"\\u0000"',
];

/** Characters that parsers treat in a special way. */
const REPEATED = ['\n', '\r\n', ' ', '\t', '[', '{', '<', '"', '\\', ',', '=', '#', '0', 'a', '\0', '\u00ff'];

const repeat = (word: string): Buffer => Buffer.from(word.repeat(Math.ceil(REPEATED_BYTES / word.length)), 'latin1');

/** Applies one to six changes to an input of the corpus. */
function mutate(random: Random, corpus: readonly Buffer[], words: readonly string[]): Buffer {
	let input: Buffer = corpus.length > 0 ? random.pick(corpus) : Buffer.alloc(0);
	for (let changes = random.int(1, 6); changes > 0; changes -= 1) input = random.pick(CHANGES)(random, input, corpus, words);
	return input.subarray(0, LARGEST_BYTES);
}

type Change = (random: Random, input: Buffer, corpus: readonly Buffer[], words: readonly string[]) => Buffer;

const place = (random: Random, input: Buffer): number => random.int(0, input.length);
const span = (random: Random, input: Buffer): readonly [number, number] => {
	const from = place(random, input);
	return [from, Math.min(input.length, from + random.int(1, random.chance(0.2) ? 200 : 8))];
};
const put = (input: Buffer, from: number, to: number, what: Uint8Array): Buffer =>
	Buffer.concat([input.subarray(0, from), what, input.subarray(to)]);

const CHANGES: readonly Change[] = [
	(random, input) => {
		const at = place(random, input);
		return put(input, at, at + 1, Uint8Array.of((input[at] ?? 0) ^ (1 << random.int(0, 7))));
	},
	(random, input) => put(input, place(random, input), place(random, input), Uint8Array.of(random.int(0, 255))),
	(random, input) => put(input, ...span(random, input), new Uint8Array()),
	(random, input) => {
		const [from, to] = span(random, input);
		const copies = random.chance(0.05) ? 200 : random.int(1, 3);
		return put(input, to, to, Buffer.concat(Array.from({ length: copies }, () => input.subarray(from, to))));
	},
	(random, input, corpus) => {
		if (corpus.length === 0) return input;
		const other = random.pick(corpus);
		return put(input, place(random, input), input.length, other.subarray(place(random, other)));
	},
	(random, input, _corpus, words) => {
		const at = place(random, input);
		return words.length === 0
			? input
			: put(input, at, random.chance(0.5) ? at : at + random.int(1, 8), Buffer.from(random.pick(words), 'latin1'));
	},
	/** Replaces a value in JSON or TOML. */
	(random, input) => {
		const text = input.toString('latin1');
		const values = [...text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null/g)];
		if (values.length === 0) return input;
		const value = random.pick(values);
		return put(
			input,
			value.index,
			value.index + value[0].length,
			Buffer.from(random.chance(0.5) ? random.pick(NUMBERS) : random.pick(values)[0], 'latin1'),
		);
	},
	(random, input) => input.subarray(0, place(random, input)),
];
