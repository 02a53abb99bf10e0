import { type CallBackOffice, ownHeaders } from '../back-office/client.ts';
import { askForNotes } from '../back-office/notes-probe.ts';
import type { OutletToken } from '../back-office/token.ts';
import { answerJson, type Handler } from '../http/handler.ts';

/**
 * GET /network/notes on the staff socket: posts an empty note report to the back office, with the
 * logged-in outlet's token. Returns the answer, or null without a log-in.
 */
export const networkCalls =
	(deps: {
		call: CallBackOffice;
		token: Pick<OutletToken, 'current'>;
		path: string;
		csrf: { csrf_cookie: string; csrf_header: string };
	}): Handler =>
	async (request, response, path) => {
		if (path !== '/network/notes' || request.method !== 'GET') return false;
		const session = deps.token.current();
		const answer = session && (await askForNotes(deps.call, deps.path, ownHeaders(session.token.reveal(), deps.csrf)));
		answerJson(response, 200, { answer });
		return true;
	};
