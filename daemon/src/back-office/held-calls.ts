import { fail } from '../base/result.ts';
import type { CallBackOffice } from './client.ts';
import type { OpenSocket } from './live-link.ts';

const REASON = 'the server in the settings has changed and is not confirmed, so nothing is sent to it';

/** Fails every call while `isHeld`. */
export const holdCalls =
	(call: CallBackOffice, isHeld: () => boolean): CallBackOffice =>
	async (request) =>
		isHeld() ? fail({ code: 'unreachable', message: REASON, unsent: true }) : call(request);

/** Opens no live socket while `isHeld`; the link tries again. */
export const holdSocket =
	(open: OpenSocket, isHeld: () => boolean): OpenSocket =>
	(url, protocols) => {
		if (isHeld()) throw new Error(REASON);
		return open(url, protocols);
	};
