import dayjs from 'dayjs';
import timezone from 'dayjs/plugin/timezone.js';
import utc from 'dayjs/plugin/utc.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { midnightIn, slipTimeIn, timestampIn } from './site-time.ts';

dayjs.extend(utc);
dayjs.extend(timezone);

const ZONES = ['Asia/Jakarta', 'Asia/Pontianak', 'Asia/Makassar', 'Asia/Jayapura', 'UTC', 'America/St_Johns', 'Australia/Lord_Howe'];
const times = fc.date({ min: new Date('1990-01-01'), max: new Date('2080-01-01'), noInvalidDate: true });

test('timestamps, times on slips and midnight use the offset of the site', () => {
	const at = new Date('2026-11-21T07:31:08.999Z');
	expect(timestampIn('Asia/Jakarta')(at)).toBe('2026-11-21T14:31:08+07:00');
	expect(timestampIn('America/St_Johns')(at)).toBe('2026-11-21T04:01:08-03:30');
	expect(slipTimeIn('Asia/Jayapura')(at)).toBe('21-11-2026 16:31');
	expect(new Date(midnightIn('Asia/Jakarta')(at)).toISOString()).toBe('2026-11-20T17:00:00.000Z');
});

test.each(ZONES)('times in %s agree with those of an independent library', (zone) => {
	const [stamp, slip] = [timestampIn(zone), slipTimeIn(zone)];
	fc.assert(
		fc.property(times, (at) => {
			const other = dayjs(at).tz(zone);
			expect([stamp(at), slip(at)]).toEqual([other.format('YYYY-MM-DDTHH:mm:ssZ'), other.format('DD-MM-YYYY HH:mm')]);
		}),
	);
});

test.each(ZONES)('midnight in %s is the start of the same local day', (zone) => {
	const [midnight, stamp] = [midnightIn(zone), timestampIn(zone)];
	fc.assert(
		fc.property(times, (at) => {
			const start = midnight(at);
			expect(stamp(new Date(start)).slice(0, 19)).toBe(`${stamp(at).slice(0, 10)}T00:00:00`);
			expect(at.getTime() - start).toBeGreaterThanOrEqual(0);
			expect(at.getTime() - start).toBeLessThan(25.5 * 3_600_000);
		}),
	);
});
