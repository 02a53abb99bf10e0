import { expect, test } from 'vitest';
import { siteTime, tanggalOf } from './site-time.ts';
import { momentOf, siteTimeOf } from './written-time.ts';

const JAKARTA = 'Asia/Jakarta';

test('a time is shown in the site’s zone, not in the computer’s', () => {
	expect(siteTime(JAKARTA, new Date('2026-11-21T17:30:05Z'))).toEqual({ date: '22-11-2026', time: '00:30:05' });
	expect(siteTime('Asia/Jayapura', new Date('2026-11-21T17:30:05Z')).time).toBe('02:30:05');
});

test('a written time with an offset is converted; without an offset it is already the site’s time', () => {
	expect(siteTimeOf(JAKARTA, '2026-11-21T14:31:08+07:00')?.time).toBe('14:31:08');
	expect(siteTimeOf(JAKARTA, '2026-11-21T07:31:08Z')?.time).toBe('14:31:08');
	expect(siteTimeOf(JAKARTA, '2026-11-21 14:31:08')).toEqual({ date: '21-11-2026', time: '14:31:08' });
	expect(siteTimeOf(JAKARTA, '2026-11-21')?.date).toBe('21-11-2026');
});

test('for an invalid date the result is null', () => {
	expect(siteTimeOf(JAKARTA, 'kemarin')).toBeNull();
	expect(siteTimeOf(JAKARTA, '')).toBeNull();
});

test('a written time is read with its offset or, if it has none, in the site’s time zone', () => {
	const moment = Date.parse('2026-11-21T07:31:08Z');
	for (const written of ['2026-11-21T14:31:08+07:00', '2026-11-21 14:31:08+0700', '2026-11-21T07:31:08Z', '2026-11-21 14:31:08'])
		expect(momentOf(JAKARTA, written), written).toBe(moment);
	expect(momentOf('Asia/Jayapura', '2026-11-21 16:31:08')).toBe(moment);
});

test('a text that does not contain a full date and time is not read as a time', () => {
	for (const written of ['', 'besok', '1732160400', '2026-11-21', '21-11-2026 14:31', '2026-99-99 14:31'])
		expect(momentOf(JAKARTA, written), written).toBeNull();
});

test('the receipt shows date and time without seconds', () => {
	expect(tanggalOf(siteTime(JAKARTA, new Date('2026-11-21T07:32:08Z')))).toBe('21-11-2026 14:32');
});
