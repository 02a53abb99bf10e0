// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { clearSession, readSession, writeSession } from './session-cookie.ts';

afterEach(clearSession);

test('what is written is read, and the cookie is the encoded JSON of token and flag', () => {
	expect(readSession()).toBeNull();
	writeSession({ token: 'a=b;c', development: true });
	expect(readSession()).toEqual({ token: 'a=b;c', development: true });
	expect(document.cookie).toContain(`fww_client=${encodeURIComponent('{"token":"a=b;c","development":true}')}`);
	clearSession();
	expect(readSession()).toBeNull();
});

test('it lasts for 864e4 seconds', () => {
	const written = vi.spyOn(document, 'cookie', 'set');
	writeSession({ token: 't', development: false });
	expect(written.mock.lastCall?.[0]).toContain(`; max-age=${864e4}; path=/`);
	written.mockRestore();
});

test('a cookie that is not a session is none', () => {
	// biome-ignore lint/suspicious/noDocumentCookie: written as a stranger would
	document.cookie = 'fww_client=%7Bbroken; path=/';
	expect(readSession()).toBeNull();
});
