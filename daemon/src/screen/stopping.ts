import type { ServerResponse } from 'node:http';
import { type Handler, refuse } from '../http/handler.ts';

/**
 * POST calls that are still served during shutdown: a customer's end of a cash payment, and the
 * reports of the screen.
 */
const LEAVING = new Set(['/kiosk/cash/close', '/kiosk/rendered', '/kiosk/report']);

export function refuseStopping(response: ServerResponse): void {
	response.setHeader('Connection', 'close');
	refuse(response, 503, 'stopping', 'the kiosk is shutting down; try again in a moment');
}

/**
 * Must be the first handler. Refuses new work during shutdown, while the daemon waits for money in
 * transit.
 */
export const refuseWhileStopping =
	(stopping: () => boolean): Handler =>
	(request, response, path) => {
		if (!stopping() || request.method === 'GET' || request.method === 'HEAD' || LEAVING.has(path)) return false;
		refuseStopping(response);
		return true;
	};
