// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { lateApi } from './late-api.ts';
import { settings } from './test-data.ts';

const asked: { path: string; authorization: string | null }[] = [];

/** Makes the daemon give every call this answer. */
function answerWith(status: number, body: unknown) {
	vi.stubGlobal('fetch', async (path: string, { headers }: RequestInit) => {
		asked.push({ path, authorization: new Headers(headers).get('Authorization') });
		return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
	});
}

const api = lateApi({ settings: () => settings, token: () => 'tok', unauthorized: () => undefined, staffEnded: () => undefined });

afterEach(() => {
	asked.length = 0;
	vi.unstubAllGlobals();
	vi.restoreAllMocks();
});

test('settings and visit are fetched without the HTTP client, but with the page’s token', async () => {
	answerWith(200, settings);
	expect(await api.settings()).toEqual({ ok: true, value: settings });
	answerWith(200, { visit: { screen: '/cash-payment', number: '0812' } });
	expect(await api.visit()).toEqual({ ok: true, value: { visit: { screen: '/cash-payment', number: '0812' } } });
	expect(asked).toEqual([
		{ path: '/kiosk/settings', authorization: 'Token tok' },
		{ path: '/kiosk/visit', authorization: 'Token tok' },
	]);
});

test.each([
	[200, 'no json'],
	[200, '[]'],
	[200, { paths: 1 }],
	[401, settings],
	[200, { visit: { screen: 1, number: '' } }],
])('an answer with status %i and body %j is a failure without a message', async (status, body) => {
	answerWith(status, body);
	for (const answer of [await api.settings(), await api.visit()]) expect(answer).toMatchObject({ ok: false, message: null });
});

test('settings that do not fit the schema are detected when the schemas are loaded', async () => {
	vi.spyOn(console, 'error').mockReturnValue();
	answerWith(204, null);
	expect(await api.checkSettings(settings)).toEqual({ ok: true, value: settings });
	expect(await api.checkSettings({ ...settings, idle_ms: '60 s' })).toEqual({ ok: false, status: 200, message: null });
});
