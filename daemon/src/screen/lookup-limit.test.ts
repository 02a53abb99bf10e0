import { expect, test } from 'vitest';
import type { Clock } from '../clock.ts';
import { lookupLimit } from './lookup-limit.ts';

/** A limit on a clock that the test moves, ms. */
function open() {
	let now = 5_000;
	const clock = { now: () => now } as Clock;
	const events: string[] = [];
	const limit = lookupLimit({ clock, log: { event: (id) => events.push(id) } });
	const miss = (times: number) => {
		for (let done = 0; done < times; done += 1) limit.answered(400, false);
	};
	return {
		...limit,
		miss,
		events,
		pass: (ms: number) => {
			now += ms;
		},
	};
}

test('the fifth miss in a row pauses look-ups for 30 s, and then they begin anew', () => {
	const limit = open();
	limit.miss(4);
	expect(limit.waitS()).toBe(0);
	limit.miss(1);
	expect([limit.waitS(), limit.events]).toEqual([30, ['screen.lookups_paused']]);
	limit.pass(29_001);
	expect(limit.waitS()).toBe(1);
	limit.pass(999);
	expect(limit.waitS()).toBe(0);
	limit.miss(4);
	expect(limit.waitS()).toBe(0);
	limit.miss(1);
	expect(limit.waitS()).toBe(30);
});

test('a hit begins the count anew', () => {
	const limit = open();
	limit.miss(4);
	limit.answered(200, true);
	limit.miss(4);
	expect(limit.waitS()).toBe(0);
});

test('an answer without an invoice counts, one that says nothing about the number does not', () => {
	const limit = open();
	for (const status of [401, 403, 408, 429, 500, 502, 504]) for (let times = 0; times < 6; times += 1) limit.answered(status, false);
	expect(limit.waitS()).toBe(0);
	for (let times = 0; times < 5; times += 1) limit.answered(200, false);
	expect(limit.waitS()).toBe(30);
});
