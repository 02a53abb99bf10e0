import type { Clock } from '../base/clock.ts';
import type { Handler } from '../http/handler.ts';
import type { ScreenLiveness } from './liveness.ts';

/** POST calls that do not count as use: the page's regular reports and its error reports. */
const BY_ITSELF = new Set(['/kiosk/rendered', '/kiosk/report']);

/** The use of the screen, derived from its calls and reports. */
export interface ScreenUse {
	/** Counts calls but answers none. It must come before the handlers that answer them. */
	handler: Handler;
	/** Number of calls that are not answered yet. */
	calls(): number;
	/** Whether a QRIS code or a virtual account is shown. */
	showsCode(): boolean;
	/** Time since the last call or the last frame of a visit (by customer or staff), in ms. */
	idleMs(): number;
}

export function watchScreenUse(clock: Clock, liveness: ScreenLiveness): ScreenUse {
	let calls = 0;
	/**
	 * Time of the last use, monotonic ms. The daemon's start counts as use, because a customer may
	 * have been present.
	 */
	let usedAt = clock.now();
	return {
		handler(request, response, path) {
			if (request.method === 'GET' || request.method === 'HEAD' || BY_ITSELF.has(path)) return false;
			calls += 1;
			response.once('close', () => {
				calls -= 1;
				usedAt = clock.now();
			});
			return false;
		},
		calls: () => calls,
		showsCode: () => liveness.last()?.screen === '/non-cash-payment',
		idleMs: () => clock.now() - Math.max(usedAt, liveness.visitedAt()),
	};
}
