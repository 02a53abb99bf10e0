import * as v from 'valibot';
import { answerJson, type Handler, readJson } from '../http/handler.ts';
import type { Log } from '../log/log.ts';
import { Decision } from './decision.ts';

const Asked = v.object({ what: v.picklist(['install', 'rollback']), ...Decision.entries });

/**
 * POST /update/asked {what, by, why} on the staff socket: logs who requested an update. The call
 * comes before the start of the updater's unit, because the unit does not know the person.
 */
export const updateCalls =
	(log: Log): Handler =>
	async (request, response, path) => {
		if (request.method !== 'POST' || path !== '/update/asked') return false;
		const asked = await readJson(Asked, request, response);
		if (asked !== null) {
			log.event('update.asked', asked);
			answerJson(response, 200, { logged: true });
		}
		return true;
	};
