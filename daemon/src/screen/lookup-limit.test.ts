import { expect, test } from 'vitest';
import type { Clock } from '../base/clock.ts';
import { lookupLimit } from './lookup-limit.ts';

/** A limit with a clock that the test controls. */
function open() {
	let now = 5_000;
	const clock = { now: () => now } as Clock;
	const events: string[] = [];
	const limit = lookupLimit({ perMinute: 60, clock, log: { event: (id) => events.push(id) } });
	/** @returns seconds to wait, or 0 for an allowed look-up */
	const look = (status: number, found = false): number => {
		const wait = limit.begin();
		if (wait === 0) limit.ended({ status, found });
		return wait;
	};
	return {
		...limit,
		look,
		events,
		pass: (ms: number) => {
			now += ms;
		},
	};
}

const miss = (limit: ReturnType<typeof open>, times: number): number[] => Array.from({ length: times }, () => limit.look(400));

test('the fifth miss pauses look-ups for 30 s; one miss expires every 30 s', () => {
	const limit = open();
	expect(miss(limit, 6)).toEqual([0, 0, 0, 0, 0, 30]);
	expect(limit.events).toEqual(['screen.lookups_paused']);
	limit.pass(29_001);
	expect(limit.look(400)).toBe(1);
	limit.pass(999);
	expect(miss(limit, 2)).toEqual([0, 30]);
	limit.pass(150_000);
	expect(miss(limit, 6)).toEqual([0, 0, 0, 0, 0, 30]);
});

test('numbers that are found between misses do not raise the limit of misses', () => {
	const limit = open();
	let misses = 0;
	for (let second = 0; second < 60; second += 1) {
		if (limit.look(200, true) === 0 && limit.look(400) === 0) misses += 1;
		limit.pass(100);
	}
	expect(misses).toBe(5);
});

test('parallel look-ups do not raise the limit, because each counts as a possible miss', () => {
	const limit = open();
	expect(Array.from({ length: 100 }, () => limit.begin()).filter((wait) => wait === 0)).toHaveLength(5);
	limit.ended({ status: 200, found: true });
	limit.ended(null);
	expect([limit.begin(), limit.begin(), limit.begin()]).toEqual([0, 0, 1]);
});

test('at most sixty look-ups are allowed in a minute, even of known numbers', () => {
	const limit = open();
	const found = () => Array.from({ length: 100 }, () => limit.look(200, true)).filter((wait) => wait === 0).length;
	expect(found()).toBe(60);
	expect(limit.look(200, true)).toBe(60);
	limit.pass(60_000);
	expect(found()).toBe(60);
});

test('polling of an open code every two seconds is never delayed', () => {
	const limit = open();
	for (let at = 0; at < 600; at += 1) {
		expect(limit.look(200, true)).toBe(0);
		limit.pass(2_000);
	}
});

test('an answer without an invoice counts as a miss; an error unrelated to the number does not', () => {
	const limit = open();
	for (const status of [401, 403, 408, 429, 500, 502, 504]) for (let times = 0; times < 6; times += 1) expect(limit.look(status)).toBe(0);
	expect(Array.from({ length: 6 }, () => limit.look(200))).toEqual([0, 0, 0, 0, 0, 30]);
});
