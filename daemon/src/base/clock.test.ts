import { expect, test } from 'vitest';
import { VirtualClock } from '../../../tests/support/virtual-clock.ts';
import { tick } from './clock.ts';

function start(first: number) {
	const clock = new VirtualClock();
	const of = { pause: first, times: [] as number[] };
	const ticks = tick(
		clock,
		() => of.pause,
		() => void of.times.push(clock.now()),
	);
	return { clock, of, ticks };
}

test('the length of the pause is read again before each call', () => {
	const { clock, of } = start(100);
	clock.advance(200);
	of.pause = 500;
	clock.advance(1_000);
	expect(of.times).toEqual([100, 200, 300, 800]);
});

test('a check makes the next call earlier, but never later', () => {
	const { clock, of, ticks } = start(500);
	clock.advance(150);
	of.pause = 100;
	ticks.check();
	clock.advance(100);
	expect(of.times).toEqual([250]);
	of.pause = 500;
	ticks.check();
	clock.advance(100);
	expect(of.times).toEqual([250, 350]);
});

test('nothing is called after the stop', () => {
	const { clock, of, ticks } = start(100);
	ticks.stop();
	of.pause = 10;
	ticks.check();
	clock.advance(1_000);
	expect(of.times).toEqual([]);
});
