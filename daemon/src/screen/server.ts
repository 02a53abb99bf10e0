import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { OutletToken } from '../back-office/token.ts';
import type { Log } from '../log/log.ts';
import { faultCounter } from './faults.ts';
import { refuse, secure } from './http.ts';
import type { ScreenHub } from './hub.ts';

/** Answers one request; `path` is without query. @returns false when it is not its own */
export type Handler = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<boolean> | boolean;

/** Slow or half-open connections on loopback are a mistake or an attack; either way they end. */
const REQUEST_LIMIT_MS = 20_000;

/**
 * The one origin of the kiosk. Every request must name it in `Host` (against DNS rebinding) and, where the browser sends
 * it, in `Origin` (against other pages driving the cash machine). There is no CORS.
 */
export function screenServer(parts: {
	listen: string;
	handlers: readonly Handler[];
	hub: ScreenHub;
	token: OutletToken;
	log: Log;
}): Server {
	const origin = `http://${parts.listen}`;

	function foreign(request: IncomingMessage): string | null {
		if (request.headers.host !== parts.listen) return `Host is ${request.headers.host}`;
		const from = request.headers.origin;
		return from !== undefined && from !== origin ? `Origin is ${from}` : null;
	}

	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		secure(response);
		const stranger = foreign(request);
		if (stranger) {
			parts.log.event('screen.refused', { reason: stranger });
			return refuse(response, 403, 'wrong_origin', `this kiosk answers only ${origin}`);
		}
		const path = (request.url ?? '/').split('?')[0] ?? '/';
		for (const handler of parts.handlers) if (await handler(request, response, path)) return;
		refuse(response, 404, 'not_found', `there is no ${request.method} ${path}`);
	}

	const fault = faultCounter(parts.log);
	const server = createServer((request, response) => {
		answer(request, response).catch((error: unknown) => {
			fault(error);
			// Half an answer cannot be taken back.
			if (response.headersSent) response.destroy();
			else refuse(response, 500, 'fault', 'the kiosk could not answer; its log says why');
		});
	});
	server.requestTimeout = REQUEST_LIMIT_MS;
	server.headersTimeout = REQUEST_LIMIT_MS;
	server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
		// From here on the connection has no other listener, and an error without one ends the process.
		socket.on('error', () => socket.destroy());
		const status = foreign(request) ? 403 : upgradeStatus(request, parts.token);
		if (status === 101) return parts.hub.accept(request, socket, head);
		parts.log.event('screen.refused', { reason: `live socket, ${status}` });
		socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
	});
	return server;
}

/** @returns 101 for the right path, token and subprotocol, else the status of the refusal */
function upgradeStatus(request: IncomingMessage, token: OutletToken): number {
	const path = /^\/ws\/([^/?]+)\/?(\?.*)?$/.exec(request.url ?? '');
	if (!path?.[1]) return 404;
	const offered = request.headers['sec-websocket-protocol'];
	if (offered !== undefined && !offered.split(',').some((name) => name.trim() === 'echo-protocol')) return 400;
	const known = token.current()?.token.reveal();
	return known !== undefined && sameText(decode(path[1]), known) ? 101 : 401;
}

function decode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return '';
	}
}

function sameText(a: string, b: string): boolean {
	const [left, right] = [Buffer.from(a), Buffer.from(b)];
	return left.length === right.length && timingSafeEqual(left, right);
}
