import * as v from 'valibot';
import { answerJson, type Handler, readJson, refuse } from '../http/handler.ts';
import type { Journal } from '../journal/journal.ts';
import { isClosed } from '../journal/trouble.ts';
import type { Log } from '../log/log.ts';
import { Decision } from './decision.ts';
import type { StaffNames } from './staff-names.ts';

const Clearing = v.object({ by: Decision.entries.by });
/** Maximum number of listed changes: more than an outlet makes in years. */
const MOST_CHANGES = 500;

/**
 * Staff-socket calls. GET /names: the staff names. GET /names/history: their changes. POST
 * /names/clear {by} removes all names and returns their number. It is for an outlet whose only
 * supervisor has left or forgotten the personal code.
 */
export const nameCalls =
	(names: StaffNames, journal: Pick<Journal, 'trouble'>, log: Log): Handler =>
	async (request, response, path) => {
		const call = `${request.method} ${path}`;
		if (!['GET /names', 'GET /names/history', 'POST /names/clear'].includes(call)) return false;
		const trouble = journal.trouble();
		// While the journal is closed, its list of names looks empty.
		if (trouble && isClosed(trouble))
			refuse(response, 503, trouble.code, `the journal has the names, and it is closed: ${trouble.message}`);
		else if (call === 'GET /names') answerJson(response, 200, { people: names.list(), lost: names.lost() });
		else if (call === 'GET /names/history') answerJson(response, 200, { changes: names.changes(MOST_CHANGES) });
		else {
			const asked = await readJson(Clearing, request, response);
			if (asked === null) return true;
			const cleared = names.list().length;
			const done = names.clear(asked.by);
			if (!done.ok) refuse(response, 409, done.error.code, `the names could not be removed: ${done.error.message}`);
			else {
				log.event('staff.names_cleared', { by: asked.by });
				answerJson(response, 200, { cleared });
			}
		}
		return true;
	};
