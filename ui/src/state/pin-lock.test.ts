import { expect, test } from 'vitest';
import { pinDelayed, pinLockReducer, pinWaited, staffClosed, staffOpened } from './pin-lock.ts';
import { visitEnded } from './visit.ts';

const after = (...actions: Parameters<typeof pinLockReducer>[1][]) =>
	actions.reduce(pinLockReducer, pinLockReducer(undefined, { type: 'start' }));

test('the delay after wrong PINs counts from the moment when the daemon’s message arrives, and continues after the end of the visit', () => {
	const locked = after(pinDelayed({ now: 3_000, waitMs: 30_000 }), visitEnded());
	expect(locked.until).toBe(33_000);
	expect(pinLockReducer(locked, pinWaited()).until).toBe(0);
	expect(pinLockReducer(locked, pinDelayed({ now: 4_000, waitMs: 0 })).until).toBe(0);
});

test('after the right PIN the list is unlocked until the daemon or the screen locks it', () => {
	expect(after(staffOpened())).toEqual({ open: true, until: 0 });
	expect(after(staffOpened(), staffClosed()).open).toBe(false);
});
