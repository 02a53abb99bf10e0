import type { ScreenLiveness } from './liveness.ts';
import type { Handler } from './server.ts';

/** GET /kiosk/alive: 204 while a screen draws, else 503. Who starts the browser asks, and starts it anew when it only stares. */
export function screenAlive(liveness: ScreenLiveness): Handler {
	return (request, response, path) => {
		if (request.method !== 'GET' || path !== '/kiosk/alive') return false;
		const drawn = liveness.last();
		response.writeHead(drawn !== null && !drawn.dead ? 204 : 503, { 'Cache-Control': 'no-store' }).end();
		return true;
	};
}
