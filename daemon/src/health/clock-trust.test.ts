import { expect, test } from 'vitest';
import { clockDoubt } from './clock-trust.ts';

const NOW = new Date('2026-11-21T07:31:00Z');
const HOUR_MS = 3_600_000;

test.each([
	['an empty battery makes the clock doubtful, regardless of other sources', new Date('2000-01-01T00:00:00Z'), 0, true, 'before'],
	['a clock an hour behind the back office is doubtful', NOW, HOUR_MS, true, 'differs'],
	['a clock an hour ahead of the back office is doubtful', NOW, -HOUR_MS, null, 'differs'],
	['the clock is doubtful until network time is set or the back office answers', NOW, null, false, 'waiting'],
	['the clock is trusted if the back office agrees, although network time is not set yet', NOW, 900, false, null],
	['the clock is trusted once network time is set', NOW, null, true, null],
	['the clock is trusted if there is no source of time', NOW, null, null, null],
])('%s', (_, wall, aheadMs, synchronised, doubt) => {
	expect(clockDoubt(wall, aheadMs, synchronised)).toBe(doubt);
});
