// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { clearSession, readSession, writeSession } from './session-cookie.ts';

afterEach(clearSession);

test('[spec 3.2] the cookie fww_client contains token and development flag as encoded JSON, and reading it gives the same values', () => {
	expect(readSession()).toBeNull();
	writeSession({ token: 'a=b;c', development: true });
	expect(readSession()).toEqual({ token: 'a=b;c', development: true });
	expect(document.cookie).toContain(`fww_client=${encodeURIComponent('{"token":"a=b;c","development":true}')}`);
	clearSession();
	expect(readSession()).toBeNull();
});

test('[spec 3.3, 9.17] the session cookie has a max-age of 864e4 seconds', () => {
	const written = vi.spyOn(document, 'cookie', 'set');
	writeSession({ token: 't', development: false });
	expect(written.mock.lastCall?.[0]).toContain(`; max-age=${864e4}; path=/`);
	written.mockRestore();
});

test('an invalid cookie counts as no session', () => {
	// biome-ignore lint/suspicious/noDocumentCookie: written by another program
	document.cookie = 'fww_client=%7Bbroken; path=/';
	expect(readSession()).toBeNull();
});
