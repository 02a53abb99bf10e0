import { expect, test } from 'vitest';
import { type CrashRun, type Death, dieAt } from './crash-points.ts';
import { JOURNEYS, type Journey } from './journeys.ts';

const LIMIT_MS = 600_000;

/** Dies at the 1st, 2nd, 3rd … step until a run has no such step. @returns how many deaths that were */
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

test.each(Object.entries(JOURNEYS))(
	'%s: dies before and after every write, chunk, call and message, and the books balance',
	async (name, journey) => {
		const deaths = await everyDeath(name, journey);
		expect(deaths).toBeGreaterThan(10);
	},
	LIMIT_MS,
);
