import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';
import { cookieOf } from '../back-office/proxy.ts';
import type { OutletToken } from '../back-office/token.ts';
import type { Handler } from './server.ts';

const BUILT_UI = fileURLToPath(new URL('../../../ui/dist/', import.meta.url));

/** Seconds, as the specification passes them. */
const COOKIE_AGE_S = 8_640_000;
const COOKIE = 'fww_client';

/**
 * Serves the built UI; every path that is no file gets index.html, because routes are the UI's. With it goes the session
 * cookie: the daemon's token decides who is logged in, so that a kiosk that lost its power comes back to the home screen.
 */
export function staticUi(token: OutletToken): Handler {
	if (!existsSync(BUILT_UI)) return notBuilt;
	const files = sirv(BUILT_UI, {
		single: true,
		etag: true,
		setHeaders(response, path) {
			const hashed = path.startsWith('/assets/');
			response.setHeader('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
		},
	});
	return (request, response) => {
		if (request.method !== 'GET' && request.method !== 'HEAD') return false;
		if (request.headers.accept?.includes('text/html')) {
			const cookie = sessionCookie(token, cookieOf(request, COOKIE) !== null);
			if (cookie) response.setHeader('Set-Cookie', cookie);
		}
		files(request, response);
		return true;
	};
}

function sessionCookie(token: OutletToken, present: boolean): string | null {
	const session = token.current();
	if (session && !session.refused) {
		const value = encodeURIComponent(JSON.stringify({ token: session.token.reveal(), development: session.development }));
		return `${COOKIE}=${value}; Path=/; Max-Age=${COOKIE_AGE_S}; SameSite=Strict`;
	}
	return present ? `${COOKIE}=; Path=/; Max-Age=0; SameSite=Strict` : null;
}

const notBuilt: Handler = (_request, response) => {
	response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8' });
	response.end('The screen has not been built. Run: make build\n');
	return true;
};
