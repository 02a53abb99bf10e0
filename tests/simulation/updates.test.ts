/** Roll-outs over fleets; see updates.ts. */
import { expect, test } from 'vitest';
import { simulateRollouts } from './updates.ts';

const rolledOut = async (rollouts: number, from: number) => {
	const totals = await simulateRollouts(rollouts, from);
	expect(totals.rollouts).toBe(rollouts);
	// The run must have covered the cases that it is meant to test.
	for (const count of [totals.good, totals.failed, totals.held, totals.cuts]) expect(count).toBeGreaterThan(0);
};

test('after every roll-out each kiosk starts; no kiosk restarts while money moves or installs a held version', () => rolledOut(300, 1));

test(
	'after each of ten thousand roll-outs every kiosk starts; none restarts while money moves or installs a held version',
	{ tags: 'deep', timeout: 300_000 },
	() => rolledOut(10_000, 1_000),
);
