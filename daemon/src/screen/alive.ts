import type { Handler } from '../http/handler.ts';
import type { ScreenLiveness } from './liveness.ts';

/**
 * GET /kiosk/alive: answers 204 while a screen reports drawn frames, else 503. The launcher polls
 * it and restarts a hung browser.
 */
export function screenAlive(liveness: ScreenLiveness): Handler {
	return (request, response, path) => {
		if (request.method !== 'GET' || path !== '/kiosk/alive') return false;
		const drawn = liveness.last();
		response.writeHead(drawn !== null && !drawn.dead ? 204 : 503, { 'Cache-Control': 'no-store' }).end();
		return true;
	};
}
