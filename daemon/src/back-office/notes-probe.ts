import type { PartState } from '../base/part-state.ts';
import { type CallBackOffice, formDataOf } from './client.ts';
import { explainNetwork } from './network-messages.ts';

/**
 * HTTP status of the answer. If there was no answer, `status` is 0 and `problem` gives the reason.
 */
export type NotesAnswer = { status: number; problem: string | null };

/**
 * Posts an empty note. A correct server refuses it; no server can book it.
 * @param headers with the outlet's token, if an outlet is logged in
 */
export async function askForNotes(call: CallBackOffice, path: string, headers: Record<string, string>): Promise<NotesAnswer> {
	const { body, contentType } = formDataOf({});
	const answer = await call({ method: 'POST', path, headers: { ...headers, 'Content-Type': contentType }, body });
	return answer.ok ? { status: answer.value.status, problem: null } : { status: 0, problem: answer.error.message };
}

/**
 * @param loggedIn whether the request carried the outlet's token
 * @returns the state of the call that reports notes, a sentence about it, and a remedy ('' if none
 * is needed)
 */
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
			remedy: 'Correct [back_office.paths] cash_notification, or ask the owner’s server team to provide the call. Take no cash before.',
		};
	if (status === 401 || status === 403)
		return loggedIn
			? {
					state: 'fail',
					text: `${answered}: this outlet may not report notes`,
					remedy: 'Log in again on the screen. If that does not help, ask the owner’s server team.',
				}
			: { state: 'unknown', text: `${answered}: it requires a log-in, so the call seems to exist`, remedy: '' };
	if (status >= 200 && status < 300)
		return {
			state: 'warn',
			text: `${answered} to an empty note: it confirms notes that it cannot have booked`,
			remedy:
				'Ask the owner’s server team to refuse such a note with 400 or 422: docs/developer/back-office.md, "A note reaches the server".',
		};
	if (status >= 400 && status < 500 && status !== 408 && status !== 429)
		return { state: 'ok', text: `${answered} to an empty note, as expected`, remedy: '' };
	return {
		state: 'fail',
		text: `${answered} to an empty note`,
		remedy: 'The server is overloaded or faulty: ask the owner’s server team, then check again.',
	};
}
