import { expect, test } from 'vitest';
import { type CrashRun, type Death, dieAt } from './crash-points.ts';
import { JOURNEYS, type Journey } from './journeys.ts';

const LIMIT_MS = 600_000;

/**
 * Runs the journey with a death at step 1, 2, 3 … to its last step.
 * @returns the number of deaths
 */
async function everyDeath(name: string, journey: Journey): Promise<number> {
	for (let step = 1, deaths = 0; ; step += 1) {
		for (const when of ['before', 'after'] as const) {
			for (const of of ['process', 'power, money kept', 'power, money back'] as const) {
				const death: Death = { step, when, of, comesBack: (step + deaths) % 2 === 0 };
				const run = await dieAt(journey, death);
				expectSound(name, death, run);
				if (run.at === null) return deaths;
				deaths += 1;
				if (of === 'power, money kept' && !run.moving) break;
			}
		}
	}
}

function expectSound(name: string, death: Death, run: CrashRun): void {
	if (run.problems.length === 0) return;
	expect.fail(`${name}, ${JSON.stringify(death)} at ${run.at}: ${run.problems.join('; ')}\n${run.lines.join('\n')}`);
}

/** The journey that `make test` runs. */
const QUICK = 'cash, less, then abandoned';
const isQuick = ([name]: readonly [string, Journey]): boolean => name === QUICK;

async function survivesEveryDeath(name: string, journey: Journey): Promise<void> {
	expect(await everyDeath(name, journey)).toBeGreaterThan(10);
}
const TITLE = '%s: the books balance after a death before and after every write, chunk, call and message';
const journeys = Object.entries(JOURNEYS);
test.each(journeys.filter(isQuick))(TITLE, { timeout: LIMIT_MS }, survivesEveryDeath);
test.each(journeys.filter((journey) => !isQuick(journey)))(TITLE, { timeout: LIMIT_MS, tags: 'deep' }, survivesEveryDeath);
