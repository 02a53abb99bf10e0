import { expect, test } from 'vitest';
import { clockDoubt } from './clock-trust.ts';

const NOW = new Date('2026-11-21T07:31:00Z');
const HOUR_MS = 3_600_000;

test.each([
	['an empty battery, regardless of other sources', new Date('2000-01-01T00:00:00Z'), 0, true, 'before'],
	['an hour behind the back office', NOW, HOUR_MS, true, 'differs'],
	['an hour ahead of the back office', NOW, -HOUR_MS, null, 'differs'],
	['neither network time nor the back office answered yet', NOW, null, false, 'waiting'],
	['the back office agrees, and network time is not set yet', NOW, 900, false, null],
	['network time is set', NOW, null, true, null],
	['no source of time', NOW, null, null, null],
])('%s', (_, wall, aheadMs, synchronised, doubt) => {
	expect(clockDoubt(wall, aheadMs, synchronised)).toBe(doubt);
});
