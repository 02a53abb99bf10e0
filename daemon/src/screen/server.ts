import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { OutletToken } from '../back-office/token.ts';
import { closeUnread, type Handler, refuse, secure } from '../http/handler.ts';
import { actOrDrop, faultCounter } from '../http/handler-faults.ts';
import type { Log } from '../log/log.ts';
import type { ScreenHub } from './hub.ts';
import { isForeignPage } from './session-gate.ts';
import type { ScreenSessions } from './sessions.ts';

/** Time limit of a request. A slow or half-open connection on loopback is a fault or an attack. */
const REQUEST_LIMIT_MS = 20_000;

/**
 * Server of the kiosk's only origin. Every request must name this origin in `Host`, which prevents
 * DNS rebinding. If `Origin` is present, it must also match, which blocks pages of other origins.
 * There is no CORS.
 */
export function screenServer(deps: {
	listen: string;
	handlers: readonly Handler[];
	hub: ScreenHub;
	sessions: ScreenSessions;
	token: OutletToken;
	log: Log;
}): Server {
	const origin = `http://${deps.listen}`;

	function foreign(request: IncomingMessage): string | null {
		if (request.headers.host !== deps.listen) return `Host is ${request.headers.host}`;
		const from = request.headers.origin;
		return from !== undefined && from !== origin ? `Origin is ${from}` : null;
	}

	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		secure(response);
		closeUnread(request, response);
		const stranger = foreign(request);
		if (stranger) {
			deps.log.event('screen.refused', { reason: stranger });
			return refuse(response, 403, 'wrong_origin', `this kiosk answers only ${origin}`);
		}
		const path = (request.url ?? '/').split('?')[0] ?? '/';
		for (const handler of deps.handlers) if (await handler(request, response, path)) return;
		refuse(response, 404, 'not_found', `there is no ${request.method} ${path}`);
	}

	const fault = faultCounter(deps.log);
	const server = createServer((request, response) => {
		answer(request, response).catch((error: unknown) => {
			fault(error);
			// A partly sent response can only be aborted.
			if (response.headersSent) response.destroy();
			else refuse(response, 500, 'fault', 'the kiosk failed with an internal error; its log gives the reason');
		});
	});
	server.requestTimeout = REQUEST_LIMIT_MS;
	server.headersTimeout = REQUEST_LIMIT_MS;
	function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
		const session = foreign(request) || isForeignPage(request) ? 403 : upgrading(request, deps.sessions, deps.token);
		if (typeof session === 'string') return deps.hub.accept(request, socket, head, session);
		const status = session;
		deps.log.event('screen.refused', { reason: `live socket, ${status}` });
		// `end` alone leaves the connection half-open: clients that never close would use up file
		// descriptors.
		socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
	}

	server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
		// After an upgrade Node.js handles no errors of the socket: an unhandled one would end the
		// process.
		const drop = () => void socket.destroy();
		socket.on('error', drop);
		actOrDrop(() => upgrade(request, socket, head), fault, drop);
	});
	return server;
}

/**
 * @returns the id of the session if path, key and subprotocol are right and an outlet is logged in;
 * else the status of the refusal
 */
function upgrading(request: IncomingMessage, sessions: ScreenSessions, token: OutletToken): string | number {
	const path = /^\/ws\/([^/?]+)\/?(\?.*)?$/.exec(request.url ?? '');
	if (!path?.[1]) return 404;
	const offered = request.headers['sec-websocket-protocol'];
	if (offered !== undefined && !offered.split(',').some((name) => name.trim() === 'echo-protocol')) return 400;
	return (token.current() && sessions.withKey(path[1])?.id) ?? 401;
}
