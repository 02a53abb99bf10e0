import { expect, test } from 'vitest';
import { printLimit } from './print-limit.ts';

test('at the limit of prints within a minute, the remaining wait is reported', () => {
	let now = 0;
	const limit = printLimit(2, { now: () => now, wall: () => new Date(), after: () => () => {} });
	limit.count();
	now = 20_000;
	expect(limit.waitS()).toBe(0);
	limit.count();
	expect(limit.waitS()).toBe(40);
	now = 59_999;
	expect(limit.waitS()).toBe(1);
	now = 60_000;
	expect(limit.waitS()).toBe(0);
	limit.count();
	expect(limit.waitS()).toBe(20);
});
