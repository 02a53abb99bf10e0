import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../support/until.ts';
import { amount, type Figure, least, median, ms, ratioFigure } from './figures.ts';
import { startBare, startTimed, type Timed } from './timed-daemon.ts';

const ROUNDS = amount(9, 4);

/**
 * Measures the time from the start of the bundled daemon to its first answer, compared with a bare
 * HTTP server in Node. The daemon starts with an empty compile cache, with the cache that a power
 * cut leaves after the first start, and with the cache of a clean stop.
 */
export async function start(): Promise<Figure[]> {
	const directory = mkdtempSync(join(tmpdir(), 'bench-start-'));
	const runs: Record<'bare' | 'cold' | 'cut' | 'clean', Timed[]> = { bare: [], cold: [], cut: [], clean: [] };
	const measure = async (
		name: keyof typeof runs,
		begun: Promise<Timed>,
		signal: 'SIGKILL' | 'SIGTERM',
		ready = () => Promise.resolve(),
	): Promise<void> => {
		const started = await begun;
		runs[name].push(started);
		await ready();
		await started.end(signal);
	};
	const cache = join(directory, 'cache');
	const daemon = () => startTimed({ directory, journal: 'journal', cache });
	/** Waits for the compile cache, which the daemon writes some seconds after its start. */
	const written = () =>
		until(() => {
			if (!existsSync(cache) || !readdirSync(cache, { recursive: true, withFileTypes: true }).some((entry) => entry.isFile()))
				throw new Error('the daemon has not written its compile cache');
		});
	try {
		for (let round = 0; round < ROUNDS; round += 1) {
			rmSync(cache, { recursive: true, force: true });
			await measure('bare', startBare(), 'SIGKILL');
			await measure('cold', daemon(), 'SIGKILL', written);
			await measure('cut', daemon(), 'SIGTERM');
			await measure('clean', daemon(), 'SIGKILL');
		}
	} finally {
		rmSync(directory, { recursive: true, force: true });
	}
	const figures = (name: string, key: 'cold' | 'cut' | 'clean', goal: number): Figure[] => [
		ratioFigure({
			name: `daemon start to first answer, ${name} (bare HTTP server)`,
			measured: least(runs[key].map((run) => run.ms)),
			floor: least(runs.bare.map((run) => run.ms)),
			show: ms,
			goal,
		}),
		ratioFigure({
			name: '  its processor time',
			key: `start_processor_${key}`,
			measured: least(runs[key].map((run) => run.cpuMs)),
			// The bare server's processor time varies by a quarter up and down, so the median is the
			// floor.
			floor: median(runs.bare.map((run) => run.cpuMs)),
			show: ms,
			goal,
		}),
	];
	return [
		...figures('first start', 'cold', 5),
		...figures('after a power cut', 'cut', 3.5),
		...figures('after a clean stop', 'clean', 3.5),
	];
}
