import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Handler, refuse } from '../http/handler.ts';
import type { ScreenSessions } from './sessions.ts';

/**
 * Values of Sec-Fetch-Site for a page of this origin, and for an address opened by a person or the
 * launcher.
 */
const OWN_PAGES = new Set(['same-origin', 'none']);

/**
 * Guards every call that needs a session: without a session the answer is 401. A call from a page
 * of another origin gets the answer 403. Other requests without a session, e.g. for the screen's
 * files, go to the next handler.
 * @param of.isOpen whether a call needs no session, e.g. the log-in
 * @param of.isCall whether a GET or HEAD of this path is a call; all other requests are calls
 */
export function behindSession(of: {
	sessions: ScreenSessions;
	handlers: readonly Handler[];
	isOpen: (method: string, path: string) => boolean;
	isCall: (method: string, path: string) => boolean;
}): Handler {
	return async (request, response, path) => {
		const isCall = !isRead(request) || of.isCall('GET', path);
		if (isCall && isForeignPage(request)) {
			refuse(response, 403, 'wrong_origin', 'a page of another origin may make no calls here');
			return true;
		}
		if (of.isOpen(request.method ?? '', path) || of.sessions.of(request) !== null) {
			for (const handler of of.handlers) if (await handler(request, response, path)) return true;
			return false;
		}
		if (isCall)
			refuse(response, 401, 'no_session', 'this page has no session: the kiosk starts its browser with one, and staff get one by log-in');
		return isCall;
	};
}

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD';

/**
 * @returns whether the request comes from a page of another origin. With a GET, a page on another
 * port of this PC sends the cookies but no Origin, so Sec-Fetch-Site is checked.
 */
export function isForeignPage(request: IncomingMessage): boolean {
	const site = request.headers['sec-fetch-site'];
	return typeof site === 'string' && !OWN_PAGES.has(site);
}

/**
 * GET /kiosk/start?secret=…: the browser that systemd started exchanges its secret for a session. A
 * secret works only once. The browser is then redirected to an address without the secret. If the
 * secret is refused, an existing session is kept.
 */
export function startSession(sessions: ScreenSessions): Handler {
	return (request, response: ServerResponse, path) => {
		if (request.method !== 'GET' || path !== '/kiosk/start') return false;
		const asked = new URLSearchParams((request.url ?? '').split('?')[1] ?? '');
		const session = sessions.start(asked.get('secret') ?? '') ?? sessions.of(request);
		sessions.setCookies(request, response, session);
		response.writeHead(303, { Location: asked.has('resume') ? '/?resume' : '/', 'Cache-Control': 'no-store' }).end();
		return true;
	};
}
