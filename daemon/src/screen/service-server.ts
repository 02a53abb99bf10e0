import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { messageOf } from '../base/result.ts';
import { closeUnread, type Handler, refuse, secure } from '../http/handler.ts';
import type { Log } from '../log/log.ts';
import { pictureOfScreen } from './screenshot.ts';
import { isForeignPage } from './session-gate.ts';

/**
 * A technician's tunnel may use any local port. A request with another host name is DNS rebinding:
 * the name of a foreign site that resolves to this address.
 */
const HOST = /^(127\.0\.0\.1|localhost)(:\d+)?$/;
const REQUEST_LIMIT_MS = 20_000;

/**
 * Read-only server for technicians (through a tunnel) and a local scraper. It answers `handlers`
 * and GET /screenshot.
 */
export function serviceServer({ handlers, log }: { handlers: readonly Handler[]; log: Log }): Server {
	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		secure(response);
		closeUnread(request, response);
		if (!HOST.test(request.headers.host ?? '') || request.headers.origin !== undefined || isForeignPage(request)) {
			log.event('screen.refused', { reason: 'service address' });
			return refuse(response, 403, 'wrong_origin', 'open it as 127.0.0.1 or localhost, and not from another page');
		}
		if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405, 'read_only', 'this address is read-only');
		const path = (request.url ?? '/').split('?')[0] ?? '/';
		if (path === '/screenshot') return answerScreenshot(response);
		for (const handler of handlers) if (await handler(request, response, path)) return;
		refuse(response, 404, 'not_found', 'this address serves /health, /metrics and /screenshot');
	}

	const server = createServer(
		(request, response) =>
			void answer(request, response).catch((error: unknown) => {
				log.event('screen.fault', { what: 'service address', detail: messageOf(error) });
				response.destroy();
			}),
	);
	server.requestTimeout = REQUEST_LIMIT_MS;
	server.headersTimeout = REQUEST_LIMIT_MS;
	return server;
}

async function answerScreenshot(response: ServerResponse): Promise<void> {
	try {
		const picture = await pictureOfScreen();
		response.writeHead(200, { 'Content-Type': 'image/png', 'Cache-Control': 'no-store' }).end(picture);
	} catch (error) {
		refuse(response, 503, 'no_picture', messageOf(error));
	}
}
