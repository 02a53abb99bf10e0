import { expect, test } from 'vitest';
import { isInWindow } from './window.ts';

const ALL = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
/** Jakarta is seven hours ahead of UTC and has no summer time. 2026-11-23 is a Monday. */
const at = (jakarta: string): Date => new Date(`${jakarta}:00+07:00`);
const open = (jakarta: string, window: string, days: readonly (typeof ALL)[number][] = ALL): boolean =>
	isInWindow(at(jakarta), { timezone: 'Asia/Jakarta', window, days });

test.each<[string, boolean]>([
	['2026-11-23T01:59', false],
	['2026-11-23T02:00', true],
	['2026-11-23T04:59', true],
	['2026-11-23T05:00', false],
	['2026-11-23T14:00', false],
])('at %s the window 02:00-05:00 is open: %s', (time, expected) => expect(open(time, '02:00-05:00')).toBe(expected));

test('a window over midnight belongs to the day on which it begins', () => {
	expect(open('2026-11-23T23:30', '22:00-04:00', ['mon'])).toBe(true);
	expect(open('2026-11-24T03:59', '22:00-04:00', ['mon'])).toBe(true);
	expect(open('2026-11-24T22:30', '22:00-04:00', ['mon'])).toBe(false);
	expect(open('2026-11-23T03:00', '22:00-04:00', ['mon'])).toBe(false);
	expect(open('2026-11-23T12:00', '22:00-04:00')).toBe(false);
});

test('the window opens only on its days; with equal start and end it lasts the whole day', () => {
	expect(open('2026-11-23T03:00', '02:00-05:00', ['tue', 'wed'])).toBe(false);
	expect(open('2026-11-23T13:37', '00:00-00:00', ['mon'])).toBe(true);
	expect(open('2026-11-23T00:00', '00:00-00:00', ['mon'])).toBe(true);
});
