import type { ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import { staffDesk } from './staff-calls.ts';

const response = { setHeader: () => {} } as unknown as ServerResponse;

/**
 * @returns how this answer of the back office to a PIN counts, and whether the PIN for offline use
 * is deleted
 */
async function answered(status: number, body: string): Promise<{ outcome: string; forgotten: boolean }> {
	const ended = vi.fn();
	const forget = vi.fn(async () => {});
	const desk = staffDesk({
		tries: { waitS: () => 0, begin: () => ended },
		staff: { open: () => {} } as never,
		offline: { remember: async () => {}, forget, matches: async () => null },
		account: () => 'outlet',
	});
	const value = { status, contentType: '', setCookie: [], body: Buffer.from(body) };
	await desk.tryPin(null, response, '123456', async () => ({ ok: true, value }) as const);
	return { outcome: ended.mock.calls[0]?.[0], forgotten: forget.mock.calls.length > 0 };
}

test('a PIN that the back office refuses counts as wrong and is deleted for offline use', async () => {
	expect(await answered(400, '{"message":"PIN salah"}')).toEqual({ outcome: 'wrong', forgotten: true });
	expect(await answered(400, '<h1>Bad Request</h1>')).toEqual({ outcome: 'wrong', forgotten: true });
	expect(await answered(403, '{"message":"PIN salah"}')).toEqual({ outcome: 'wrong', forgotten: true });
	expect(await answered(200, '{"success":false}')).toEqual({ outcome: 'wrong', forgotten: true });
});

test('a captive portal’s page or an expired log-in counts as a wrong PIN, but the PIN for offline use stays', async () => {
	expect(await answered(403, '<h1>Blocked</h1>')).toEqual({ outcome: 'wrong', forgotten: false });
	expect(await answered(404, '')).toEqual({ outcome: 'wrong', forgotten: false });
	expect(await answered(401, '{"detail":"Invalid token."}')).toEqual({ outcome: 'wrong', forgotten: false });
});
