import { expect, test } from 'vitest';
import { waitingAge } from './waiting-age.ts';

const MINUTE = 60_000;
const TIME = '2026-11-21T14:31:08+07:00';

function at(wall: string) {
	let passed = 0;
	const age = waitingAge({ now: () => passed, wall: () => new Date(Date.parse(wall) + passed), after: () => () => undefined });
	return {
		age,
		pass(ms: number) {
			passed += ms;
		},
	};
}

test('the age of a waiting note is computed from the note’s time, even after a restart', () => {
	expect(at('2026-11-21T15:01:08+07:00').age.of(TIME)).toBe(30 * MINUTE);
});

test.each([
	['the clock’s battery was empty when the note came', '2026-11-21T15:00:00+07:00', '2000-01-01T07:00:00+07:00'],
	['the clock’s battery became empty after the note came', '2000-01-01T07:00:00+07:00', TIME],
	['the note came from a clock that was ahead', '2026-11-21T15:00:00+07:00', '2099-01-01T07:00:00+07:00'],
])('if %s, the age counts from the time at which this process first saw the note', (_what, wall, time) => {
	const { age, pass } = at(wall);
	expect(age.of(time)).toBe(0);
	pass(5 * MINUTE);
	expect(age.of(time)).toBe(5 * MINUTE);
	expect(age.of(null)).toBe(0);
	expect(age.of(time)).toBe(0);
});
