import { expect, test } from 'vitest';
import { lockMs, pinAccepted, pinLockReducer, pinRefused, pinWaited } from './pin-lock.ts';
import { visitEnded } from './visit.ts';

const after = (...actions: Parameters<typeof pinLockReducer>[1][]) =>
	actions.reduce(pinLockReducer, pinLockReducer(undefined, { type: 'start' }));

test('three tries are free, then the wait doubles up to a quarter of an hour', () => {
	expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 500].map(lockMs)).toEqual([
		0, 0, 0, 30_000, 60_000, 120_000, 240_000, 480_000, 900_000, 900_000, 900_000,
	]);
});

test('the wait begins with the refusal, and the end of the visit does not shorten it', () => {
	const locked = after(pinRefused(1_000), pinRefused(2_000), pinRefused(3_000), visitEnded());
	expect(locked).toEqual({ refused: 3, until: 33_000 });
	const waited = pinLockReducer(locked, pinWaited());
	expect(waited).toEqual({ refused: 3, until: 0 });
	expect(pinLockReducer(waited, pinRefused(33_000)).until).toBe(93_000);
});

test('the right PIN gives three tries again', () => {
	expect(after(pinRefused(1), pinRefused(2), pinRefused(3), pinAccepted(), pinRefused(40_000))).toEqual({ refused: 1, until: 0 });
});
