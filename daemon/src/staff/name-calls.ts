import * as v from 'valibot';
import { answerJson, type Handler, readJson, refuse } from '../http/handler.ts';
import type { Log } from '../log/log.ts';
import { Decision } from './decision.ts';
import type { StaffNames } from './staff-names.ts';

const Clearing = v.object({ by: Decision.entries.by });

/**
 * GET /names on the staff socket: the names of staff. POST /names/clear {by} removes them all, for
 * an outlet whose only supervisor left or forgot the personal code; the answer is their number.
 */
export const nameCalls =
	(names: StaffNames, log: Log): Handler =>
	async (request, response, path) => {
		if (request.method === 'GET' && path === '/names') {
			answerJson(response, 200, { people: names.list() });
			return true;
		}
		if (request.method !== 'POST' || path !== '/names/clear') return false;
		const asked = await readJson(Clearing, request, response);
		if (asked === null) return true;
		const cleared = names.list().length;
		const done = names.clear();
		if (!done.ok) {
			refuse(response, 409, done.error.code, `the names could not be removed: ${done.error.message}`);
			return true;
		}
		log.event('staff.names_cleared', { by: asked.by });
		answerJson(response, 200, { cleared });
		return true;
	};
