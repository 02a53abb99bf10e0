import { expect, test } from 'vitest';
import type { Log } from '../log/log.ts';
import { actOrDrop, faultCounter } from './handler-faults.ts';

/** @returns a counter and the fields of its log entries */
function counted() {
	const logged: Record<string, unknown>[] = [];
	const log: Log = {
		event(id, fields) {
			expect(id).toBe('screen.handler_failed');
			logged.push({ ...fields });
		},
	};
	return { fault: faultCounter(log), logged };
}

test('an exception is logged the first, tenth and hundredth time, with its message and place', () => {
	const { fault, logged } = counted();
	for (let times = 0; times < 250; times += 1) fault(new TypeError('no such field'));
	expect(logged.map(({ count }) => count)).toEqual([1, 10, 100]);
	expect(logged[0]).toEqual({
		error: 'TypeError',
		message: 'no such field',
		place: expect.stringContaining('handler-faults.test.ts'),
		count: 1,
	});
});

test('exceptions at different places are counted separately, and a thrown string is also logged', () => {
	const { fault, logged } = counted();
	fault(new Error('here'));
	fault(new Error('there'));
	fault('only words');
	expect(logged.map(({ message, count }) => [message, count])).toEqual([
		['here', 1],
		['there', 1],
		['only words', 1],
	]);
});

test('after 100 kinds of exceptions, all further kinds are counted together, and long messages are cut', () => {
	const { fault, logged } = counted();
	for (let kind = 0; kind < 2_000; kind += 1) fault(Object.assign(new Error('x'.repeat(1_000)), { name: `Kind${kind}` }));
	expect(logged.length).toBeLessThan(110);
	expect(String(logged[0]?.message)).toHaveLength(200);
});

test('if the action for an event throws, the exception is logged and the connection is dropped', () => {
	const { fault, logged } = counted();
	const dropped: string[] = [];
	actOrDrop(
		() => {},
		fault,
		() => dropped.push('well'),
	);
	actOrDrop(
		() => {
			throw new Error('broken');
		},
		fault,
		() => dropped.push('broken'),
	);
	expect([dropped, logged.length]).toEqual([['broken'], 1]);
});
