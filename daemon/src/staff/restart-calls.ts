import * as v from 'valibot';
import { answerJson, type Handler, readJson } from '../http/handler.ts';
import { ASKERS, LONGEST_S, type RestartLease } from './restart-lease.ts';

/** Unknown fields are refused, because no field may override a reason against the restart. */
const Asked = v.strictObject({
	by: v.picklist(ASKERS),
	seconds: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(LONGEST_S)),
});

/**
 * Staff-socket calls: POST /restart/lease {by, seconds} requests the permission to restart the
 * kiosk; a refusal lists the reasons. DELETE /restart/lease gives the permission back.
 */
export const restartCalls =
	(lease: RestartLease): Handler =>
	async (request, response, path) => {
		if (path !== '/restart/lease') return false;
		if (request.method === 'DELETE') {
			lease.giveBack();
			response.writeHead(204).end();
			return true;
		}
		if (request.method !== 'POST') return false;
		const asked = await readJson(Asked, request, response);
		if (asked !== null) answerJson(response, 200, lease.ask(asked.by, asked.seconds));
		return true;
	};
