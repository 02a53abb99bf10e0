import { expect, test } from 'vitest';
import { VirtualClock } from '../../../tests/support/virtual-clock.ts';
import { ScreenLiveness } from './liveness.ts';

test('the time without a touch counts from the first frame, later from the last touch, and is unknown while no frames come', () => {
	const clock = new VirtualClock();
	const liveness = new ScreenLiveness(clock);
	expect(liveness.untouchedMs()).toBeNull();
	liveness.drawn('/', '');
	clock.advance(10_000);
	liveness.drawn('/', '');
	expect(liveness.untouchedMs()).toBe(10_000);
	liveness.drawn('/', '', true);
	expect(liveness.untouchedMs()).toBe(0);
	// A browser that restarts draws no frames for a while. Its first frame does not count as a
	// touch.
	clock.advance(60_000);
	expect(liveness.untouchedMs()).toBeNull();
	liveness.drawn('/', '');
	expect(liveness.untouchedMs()).toBe(60_000);
});
