import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { randomFrom } from '../../support/random.ts';
import { fuzz, type Target } from './engine.ts';
import { bytesOf, readable } from './readable.ts';
import { TARGETS } from './targets.ts';

const RUN = join(import.meta.dirname, 'run.ts');
const CORPUS = join(import.meta.dirname, 'corpus');
const LIMIT_MS = 300_000;
/** Enough inputs to find again, within seconds, the bugs that fuzzing has found before. */
const DEEP_INPUTS = '1000';
const FEW_INPUTS = '150';

async function run(...words: string[]): Promise<{ code: number | null; said: string }> {
	const child = spawn(process.execPath, ['--expose-gc', '--max-old-space-size=256', RUN, ...words], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	let said = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		said += text;
	});
	const [code] = await once(child, 'exit');
	return { code, said };
}

const NAMES = TARGETS.map(({ name }) => name);
const survives = (inputs: string) => async (name: string) => {
	const { code, said } = await run('--target', name, '--inputs', inputs);
	expect(code, said).toBe(0);
};
test.each(NAMES)(
	'%s: a few random inputs violate no invariant, hang nothing and leak nothing',
	{ timeout: LIMIT_MS },
	survives(FEW_INPUTS),
);
test.each(NAMES)(
	'%s: random input violates no invariant, hangs nothing and leaks nothing',
	{ timeout: LIMIT_MS, tags: 'deep' },
	survives(DEEP_INPUTS),
);

test('the bytes of every corpus case, and every byte value, convert to text and back without a change', () => {
	for (const { name } of TARGETS) {
		const files = readdirSync(join(CORPUS, name));
		expect(files.length).toBeGreaterThan(2);
		for (const file of files) {
			const bytes = bytesOf(readFileSync(join(CORPUS, name, file), 'utf8'));
			expect(bytesOf(readable(bytes)).equals(bytes), file).toBe(true);
		}
	}
	const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
	expect(bytesOf(readable(all)).equals(all)).toBe(true);
});

const decoderWith = (bug: (input: Buffer) => void): Target => ({
	name: 'bug',
	words: ['MAGIC'],
	run(input) {
		const text = input.toString('latin1');
		const reached = ['M', 'MA', 'MAGIC', 'MAGIC!'].filter((word) => text.includes(word));
		if (reached.includes('MAGIC!')) bug(input);
		return reached;
	},
});
const found = (target: Target) =>
	fuzz(
		target,
		[Buffer.from('{"a":1}')],
		randomFrom(1),
		(inputs) => inputs < 40_000,
		() => {},
	);

test('the fuzzer finds a bug that only a keyword and one more byte trigger, and reports the input', { tags: 'deep' }, async () => {
	const target = decoderWith(() => {
		throw new Error('boom');
	});
	await expect(found(target)).rejects.toMatchObject({ message: expect.stringContaining('boom'), input: expect.any(Buffer) });
});

test('the fuzzer reports growing memory and slow inputs as violations', { tags: 'deep' }, async () => {
	const held: unknown[] = [];
	const leaky: Target = {
		name: 'leaky',
		words: [],
		run() {
			held.push(Buffer.alloc(65_536));
			return undefined;
		},
	};
	await expect(
		fuzz(
			leaky,
			[Buffer.from('x')],
			randomFrom(1),
			(inputs) => inputs < 800,
			() => {},
		),
	).rejects.toThrow('memory grew by');
	// Sums user and kernel time, because both count towards the limit.
	const spent = (): number => Object.values(process.cpuUsage()).reduce((sum, part) => sum + part, 0);
	const slow = decoderWith((input) => {
		for (const end = spent() + 2_500_000; spent() < end; ) input.toString();
	});
	await expect(found(slow)).rejects.toMatchObject({ message: expect.stringContaining('processor time') });
});

test('a single corpus case can be run alone', async () => {
	const { code, said } = await run('--target', 'settings', '--input', join(CORPUS, 'settings', 'not-toml.txt'));
	expect(said).toContain('breaks nothing');
	expect(code).toBe(0);
});
