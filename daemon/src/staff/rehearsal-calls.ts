import { RehearsalWish } from '@kiosk/contract/rehearsal';
import { answerJson, type Handler, readJson, refuse } from '../http/handler.ts';
import type { Rehearsals } from '../rehearsal/rehearsals.ts';

const FILES = '/rehearsal/file/';

/** Staff-socket calls: GET and POST /rehearsal, GET /rehearsal/file/NAME. */
export const rehearsalCalls =
	(rehearsals: Rehearsals): Handler =>
	async (request, response, path) => {
		if (request.method === 'POST' && path === '/rehearsal') {
			const asked = await readJson(RehearsalWish, request, response);
			if (asked === null) return true;
			const done = rehearsals.wish(asked);
			if (done.ok) answerJson(response, 200, done.value);
			else refuse(response, 409, done.error.code, done.error.reason);
		} else if (request.method !== 'GET') return false;
		else if (path === '/rehearsal') answerJson(response, 200, rehearsals.look());
		else if (path.startsWith(FILES)) {
			const text = rehearsals.file(path.slice(FILES.length));
			if (text === null) refuse(response, 404, 'no_such_file', 'There is no such rehearsal file.');
			else answerJson(response, 200, { text });
		} else return false;
		return true;
	};
