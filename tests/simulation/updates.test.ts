/** Roll-outs over fleets; see updates.ts. */
import { expect, test } from 'vitest';
import { simulateRollouts } from './updates.ts';

const rolledOut = async (rollouts: number, from: number) => {
	const totals = await simulateRollouts(rollouts, from);
	expect(totals.rollouts).toBe(rollouts);
	// The roll-outs must include good, failed and held versions, and power cuts during a trial.
	for (const count of [totals.good, totals.failed, totals.held, totals.cuts]) expect(count).toBeGreaterThan(0);
};

test('in 300 roll-outs all kiosks start, and no kiosk restarts while money moves or starts a version that it has seen on hold', () =>
	rolledOut(300, 1));

test(
	'in ten thousand roll-outs all kiosks start, and no kiosk restarts while money moves or starts a version that it has seen on hold',
	{ tags: 'deep', timeout: 300_000 },
	() => rolledOut(10_000, 1_000),
);
