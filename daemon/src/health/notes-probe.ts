import type { CallBackOffice } from '../back-office/client.ts';
import { formDataOf } from '../back-office/client.ts';
import { explainNetwork } from './network-words.ts';
import type { PartState } from './report.ts';

/** `problem`: why there was no answer; then `status` is 0. */
export type NotesAnswer = { status: number; problem: string | null };

/** Asks the call for notes with a note that has no field: a server that knows the call refuses it, and none can book it. */
export async function askForNotes(call: CallBackOffice, path: string, headers: Record<string, string>): Promise<NotesAnswer> {
	const { body, contentType } = formDataOf({});
	const answer = await call({ method: 'POST', path, headers: { ...headers, 'Content-Type': contentType }, body });
	return answer.ok ? { status: answer.value.status, problem: null } : { status: 0, problem: answer.error.message };
}

/** @param loggedIn whether the question carried the outlet's token @returns what the answer says of the call for notes */
export function judgeNotesAnswer(
	{ status, problem }: NotesAnswer,
	path: string,
	loggedIn: boolean,
): { state: PartState; text: string; remedy: string } {
	if (problem !== null) {
		const { cause, remedy } = explainNetwork(problem);
		return { state: 'fail', text: `${path}: ${cause}`, remedy };
	}
	const answered = `${path} answered ${status}`;
	if (status === 404 || status === 405)
		return {
			state: 'fail',
			text: `${answered}: the back office does not know the call for notes`,
			remedy: 'The owner’s server team must provide it, or [back_office.paths] cash_notification names another path. Take no cash before.',
		};
	if (status === 401 || status === 403)
		return loggedIn
			? {
					state: 'fail',
					text: `${answered}: this outlet may not report notes`,
					remedy: 'Log in again on the screen; else ask the owner’s server team.',
				}
			: { state: 'unknown', text: `${answered}: it wants a log-in first, so it seems to be there`, remedy: '' };
	if (status >= 200 && status < 300)
		return {
			state: 'warn',
			text: `${answered} to a note without any field: it would confirm what it cannot have booked`,
			remedy:
				'The owner’s server team must refuse such a note with 400 or 422: docs/developer/back-office.md, "A note reaches the server".',
		};
	if (status >= 400 && status < 500 && status !== 408 && status !== 429)
		return { state: 'ok', text: `${answered} to an empty note, as it should`, remedy: '' };
	return { state: 'fail', text: `${answered} to an empty note`, remedy: 'The server is busy or broken: ask its team, and look again.' };
}
