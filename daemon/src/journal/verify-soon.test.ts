import { expect, test } from 'vitest';
import { VirtualClock } from '../../../tests/support/virtual-clock.ts';
import { verifySoon } from './verify-soon.ts';

test('batches of the verification follow each other quickly while no payment is in progress, and stop after the last batch', () => {
	const clock = new VirtualClock();
	let [idle, left, done] = [true, 100, 0];
	const patrol = () => {
		done += 1;
		left -= 1;
	};
	verifySoon({ patrol, isVerified: () => left === 0, trouble: () => null }, () => idle, clock);
	clock.advance(1_000);
	expect(done).toBe(50);
	idle = false;
	clock.advance(1_000);
	expect(done).toBe(50);
	idle = true;
	clock.advance(60_000);
	expect(done).toBe(100);
});
