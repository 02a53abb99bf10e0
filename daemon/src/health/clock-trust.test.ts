import { expect, test } from 'vitest';
import { clockDoubt } from './clock-trust.ts';

const NOW = new Date('2026-11-21T07:31:00Z');
const HOUR_MS = 3_600_000;

test.each([
	['a dead battery, whoever vouches for it', new Date('2000-01-01T00:00:00Z'), 0, true, 'before'],
	['an hour from the back office', NOW, HOUR_MS, true, 'differs'],
	['an hour the other way', NOW, -HOUR_MS, null, 'differs'],
	['network time has not come and nobody else has been asked', NOW, null, false, 'waiting'],
	['the back office agrees, and network time has not come', NOW, 900, false, null],
	['network time has come', NOW, null, true, null],
	['nobody tells', NOW, null, null, null],
])('%s', (_, wall, aheadMs, synchronised, doubt) => {
	expect(clockDoubt(wall, aheadMs, synchronised)).toBe(doubt);
});
