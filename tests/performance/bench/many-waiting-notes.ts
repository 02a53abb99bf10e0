import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../../daemon/src/journal/store.ts';
import { writeWaiting } from '../soak/waiting-notes.ts';
import { amount, type Figure, least, ms, ratioFigure } from './figures.ts';
import { startTimed } from './timed-daemon.ts';

/** Number of notes that wait after months without the back office. */
const NOTES = amount(100_000, 10_000);
const FEW = 1_000;
const JOURNALS = [
	{ name: 'few', notes: FEW, covered: 'fully' },
	{ name: 'many', notes: NOTES, covered: 'fully' },
	{ name: 'partly', notes: NOTES, covered: 'partly' },
] as const;
const ROUNDS = amount(5, 2);
const LOOKS = 20;
/** A folder on tmpfs, where syncs cost nothing; on a disk, writing the queue would take minutes. */
const IN_MEMORY = '/dev/shm';

/**
 * Measures the start and the health request of the real daemon with many waiting notes, and
 * compares both with the same figures for 1,000 waiting notes. The health request is also measured
 * with many partly paid invoices.
 */
export async function waitingNotes(): Promise<Figure[]> {
	const directory = mkdtempSync(join(IN_MEMORY, 'bench-waiting-'));
	try {
		for (const { name, notes, covered } of JOURNALS) {
			const opened = openStore(join(directory, name));
			if (!opened.ok) throw new Error(opened.error.message);
			writeWaiting(opened.value, notes, covered);
			opened.value.close();
		}
		const [few, many, partly] = JOURNALS.map(() => ({ start: [] as number[], processor: [] as number[], health: [] as number[] })) as [
			Times,
			Times,
			Times,
		];
		for (let round = 0; round < ROUNDS; round += 1)
			for (const [index, times] of [few, many, partly].entries()) await measure(directory, JOURNALS[index]?.name ?? '', times);
		const figure = (name: string, of: keyof Times, key: string, goal: number): Figure =>
			ratioFigure({
				name: `${name}, ${NOTES} notes waiting (${FEW})`,
				key,
				measured: least(many[of]),
				floor: least(few[of]),
				show: ms,
				goal,
			});
		return [
			figure('start to the first answer', 'start', 'start_waiting', 1.2),
			figure('  its processor time', 'processor', 'start_processor_waiting', 1.2),
			figure('one health request', 'health', 'health_waiting', 1.2),
			ratioFigure({
				name: `  the same, with ${NOTES / 2} partly paid invoices (none)`,
				measured: least(partly.health),
				floor: least(few.health),
				show: ms,
				goal: 3,
			}),
		];
	} finally {
		rmSync(directory, { recursive: true });
	}
}

interface Times {
	start: number[];
	processor: number[];
	health: number[];
}

async function measure(directory: string, journal: string, times: Times): Promise<void> {
	const daemon = await startTimed({ directory, journal, cache: join(directory, 'cache') });
	try {
		times.start.push(daemon.ms);
		times.processor.push(daemon.cpuMs);
		for (let look = 0; look < LOOKS; look += 1) {
			const asked = performance.now();
			await (await fetch(daemon.address)).text();
			times.health.push(performance.now() - asked);
		}
	} finally {
		// The daemon stops cleanly, so that the next start has the whole compile cache.
		await daemon.end('SIGTERM');
	}
}
