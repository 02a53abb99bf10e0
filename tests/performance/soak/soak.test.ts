// @module-tag deep
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { liveTogether, simulateDay } from './fleet.ts';
import { type Sample, slopes } from './reading.ts';
import { ONE_ARENA, READABLE } from './still.ts';

const SOAK = join(import.meta.dirname, 'soak.ts');
const LIMIT_MS = 300_000;

/** Runs soak.ts for the fewest rounds that give a trend. */
async function soak(...words: string[]): Promise<{ code: number | null; said: string }> {
	const child = spawn(process.execPath, [...READABLE, SOAK, '--minutes', '0', ...words], {
		stdio: ['ignore', 'pipe', 'inherit'],
		env: { ...process.env, ...ONE_ARENA, TMPDIR: '/dev/shm' },
	});
	let said = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		said += text;
	});
	const [code] = await once(child, 'exit');
	return { code, said };
}

test(
	'the books of 64 parallel virtual kiosks balance, and memory, files and timers do not grow',
	async () => {
		const { code, said } = await soak('--part', 'fleet', '--kiosks', '64', '--journeys', '1');
		expect(code, said).toBe(0);
		expect(said).toContain(', 0 broken invariants');
	},
	LIMIT_MS,
);

test('a virtual kiosk produces the same events alone and in parallel with others', async () => {
	const together = await liveTogether(8, 40, 2);
	expect((await simulateDay(43, 2)).digest).toBe(together[3]?.digest);
});

test(
	'memory, files, timers and statements of a real daemon stay constant over many journeys',
	async () => {
		const { code, said } = await soak('--part', 'daemon', '--every', '20');
		expect(code, said).toBe(0);
		expect(said).toContain('0 differences between');
	},
	LIMIT_MS,
);

test(
	'a leak of 1 kB, a file, a timer or a statement for each journey is reported by the matching measure',
	async () => {
		const { code, said } = await soak('--part', 'daemon', '--every', '30', '--leak', 'heap,files,timers,statements');
		expect(code, said).toBe(1);
		const grows = [...said.matchAll(/^ {2}(\w+) .*GROWS$/gm)].map(([, measure]) => measure);
		expect(grows).toEqual(expect.arrayContaining(['heapBytes', 'openFiles', 'handles', 'prepared']));
	},
	LIMIT_MS,
);

const FLAT: Sample = { journeys: 0, heapBytes: 2e7, externalBytes: 1e7, rssBytes: 1e8, openFiles: 37, handles: 20, prepared: 53 };
const growing = (perJourney: Partial<Sample>): string[] => {
	const samples = Array.from({ length: 20 }, (_, step) => {
		const journeys = step * 100;
		const noise = step % 2 === 0 ? 4_000 : -4_000;
		return { ...FLAT, journeys, heapBytes: FLAT.heapBytes + noise + journeys * (perJourney.heapBytes ?? 0) };
	});
	return slopes(samples)
		.filter(({ flat }) => !flat)
		.map(({ measure }) => measure);
};

test('the trend ignores noise, a single step and warm-up growth, and detects a leak of 1 kB for each journey', () => {
	expect(growing({})).toEqual([]);
	expect(growing({ heapBytes: 1_024 })).toEqual(['heapBytes']);
	for (let at = 11; at < 20; at += 1) {
		const step = Array.from({ length: 20 }, (_, sample) => ({ ...FLAT, journeys: sample * 100, rssBytes: sample < at ? 1e8 : 1.2e8 }));
		expect(slopes(step).every(({ flat }) => flat)).toBe(true);
	}
	const warming = Array.from({ length: 20 }, (_, step) => ({ ...FLAT, journeys: step * 100, heapBytes: 2e7 + Math.min(step, 9) * 1e6 }));
	expect(slopes(warming).every(({ flat }) => flat)).toBe(true);
});
