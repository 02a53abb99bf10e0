import { fail } from '../base/result.ts';
import type { CallBackOffice } from './client.ts';
import type { OpenSocket } from './live-link.ts';

const REASON = 'the server in the settings has changed and is not confirmed, so nothing is sent to it';

/** Makes every call fail while `isHeld` returns true. */
export const holdCalls =
	(call: CallBackOffice, isHeld: () => boolean): CallBackOffice =>
	async (request) =>
		isHeld() ? fail({ code: 'unreachable', message: REASON, unsent: true }) : call(request);

/** Refuses to open a live socket while `isHeld` returns true. The link retries. */
export const holdSocket =
	(open: OpenSocket, isHeld: () => boolean): OpenSocket =>
	(url, protocols) => {
		if (isHeld()) throw new Error(REASON);
		return open(url, protocols);
	};
