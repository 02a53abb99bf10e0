import { expect, test } from 'vitest';
import { type CrashPoint, type CrashRun, dieAt } from './crash-points.ts';
import { JOURNEYS, type Journey } from './journeys.ts';

const LIMIT_MS = 600_000;

/**
 * Plays the journey once for each crash point: at every `stride`-th step, before and after the
 * step, with a killed process and with a power cut. Checks the books after each run. Ends when a
 * run has fewer steps than the number of the crash point.
 * @returns the number of crashes
 */
async function crashAtEveryStep(name: string, journey: Journey, stride: number): Promise<number> {
	for (let step = 1, crashes = 0; ; step += stride) {
		for (const when of ['before', 'after'] as const) {
			for (const of of ['process', 'power, money kept', 'power, money back'] as const) {
				const point: CrashPoint = { step, when, of, comesBack: (step + crashes) % 2 === 0 };
				const run = await dieAt(journey, point);
				expectSound(name, point, run);
				if (run.at === null) return crashes;
				crashes += 1;
				if (of === 'power, money kept' && !run.moving) break;
			}
		}
	}
}

function expectSound(name: string, point: CrashPoint, run: CrashRun): void {
	if (run.problems.length === 0) return;
	expect.fail(`${name}, ${JSON.stringify(point)} at ${run.at}: ${run.problems.join('; ')}\n${run.lines.join('\n')}`);
}

/** The only journey that `make test` runs; its crash points are `QUICK_STRIDE` steps apart. */
const QUICK = 'cash, less, then abandoned';
const QUICK_STRIDE = 3;

const survives = (stride: number) => async (name: string, journey: Journey) =>
	expect(await crashAtEveryStep(name, journey, stride)).toBeGreaterThan(10);
const BALANCE = 'the books balance if the kiosk dies before or after';
const STEP = 'step (disk write, serial bytes, server call, socket message or print request)';
const journeys = Object.entries(JOURNEYS);
test.each(journeys.filter(([name]) => name === QUICK))(
	`%s: ${BALANCE} every ${QUICK_STRIDE}rd ${STEP}`,
	{ timeout: LIMIT_MS },
	survives(QUICK_STRIDE),
);
test.each(journeys)(`%s: ${BALANCE} any ${STEP}`, { timeout: LIMIT_MS, tags: 'deep' }, survives(1));
