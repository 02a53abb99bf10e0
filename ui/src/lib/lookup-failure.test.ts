import { expect, test } from 'vitest';
import { lookUpFailureOf } from './lookup-failure.ts';

const kind = (status: number | null, code?: string) => lookUpFailureOf({ ok: false, status, message: null, ...(code && { code }) }).kind;

test('after a failed look-up, the screen can distinguish an unknown number, a missing network, a failing server and a refusal by the daemon', () => {
	expect([kind(404), kind(400), kind(200)]).toEqual(['not_found', 'not_found', 'not_found']);
	expect([kind(null), kind(502, 'back_office_unreachable')]).toEqual(['offline', 'offline']);
	for (const [status, code] of [
		[504, 'back_office_timeout'],
		[502, 'back_office_odd_answer'],
		[503, 'too_many_calls'],
	] as const)
		expect(kind(status, code)).toBe('trouble');
	expect([kind(500), kind(408), kind(429)]).toEqual(['trouble', 'trouble', 'trouble']);
	expect(kind(409, 'dispute')).toBe('refused');
});

test('if the daemon refuses a look-up because there were too many, the failure says how long to wait', () => {
	const failure = { ok: false, status: 429, message: 'x', code: 'too_many_lookups' } as const;
	expect(lookUpFailureOf({ ...failure, retryAfterMs: 12_000 })).toEqual({ kind: 'throttled', message: 'x', waitMs: 12_000 });
	expect(lookUpFailureOf(failure).waitMs).toBe(30_000);
});
