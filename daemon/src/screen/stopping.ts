import type { ServerResponse } from 'node:http';
import { refuse } from './http.ts';
import type { Handler } from './server.ts';

/** What a screen may still say to a daemon that ends: its customer leaves, or it tells how it is. */
const LEAVING = new Set(['/kiosk/cash/close', '/kiosk/rendered', '/kiosk/report']);

export function refuseStopping(response: ServerResponse): void {
	response.setHeader('Connection', 'close');
	refuse(response, 503, 'stopping', 'the kiosk ends and begins nothing new; ask again in a moment');
}

/** Stands before all other calls: a daemon that was asked to end begins nothing, although it waits for money that is on its way. */
export const refuseWhileStopping =
	(stopping: () => boolean): Handler =>
	(request, response, path) => {
		if (!stopping() || request.method === 'GET' || request.method === 'HEAD' || LEAVING.has(path)) return false;
		refuseStopping(response);
		return true;
	};
