import { expect, test } from 'vitest';
import { writtenTimeLeft } from './use-time-left.ts';

test('the time left is rounded up and shown in minutes and seconds, with hours only from one hour on', () => {
	expect(writtenTimeLeft(861_000)).toBe('14:21');
	expect(writtenTimeLeft(500)).toBe('00:01');
	expect(writtenTimeLeft(86_399_000)).toBe('23:59:59');
	expect(writtenTimeLeft(100 * 3_600_000)).toBe('100:00:00');
});
