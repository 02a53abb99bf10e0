import { ok } from '../base/result.ts';
import type { BackOfficeAnswer, CallBackOffice } from './client.ts';

/** Minimum length of a token that is hidden. A shorter token could be part of ordinary words. */
const SHORTEST = 8;
const INSTEAD = '***';

/** @returns the text, with `***` for each plain, JSON-escaped or URL-encoded form of this token */
export function hideToken(text: string, token: string): string {
	if (token.length < SHORTEST) return text;
	const forms = new Set([token, token.replaceAll('/', '\\/'), encodeURIComponent(token)]);
	let hidden = text;
	for (const form of forms) if (hidden.includes(form)) hidden = hidden.replaceAll(form, INSTEAD);
	return hidden;
}

/**
 * Removes the call's token from the answer. Some servers repeat request headers in answers, and the
 * token must not reach a page, a printout, the log or the journal.
 */
export const withoutToken =
	(call: CallBackOffice): CallBackOffice =>
	async (asked) => {
		const answer = await call(asked);
		const token = /^Token (\S+)$/.exec(asked.headers.Authorization ?? '')?.[1];
		return answer.ok && token !== undefined ? ok(cleanAnswer(answer.value, token)) : answer;
	};

function cleanAnswer(answer: BackOfficeAnswer, token: string): BackOfficeAnswer {
	const body = answer.body.toString('latin1');
	const hidden = hideToken(body, token);
	return {
		...answer,
		contentType: hideToken(answer.contentType, token),
		setCookie: answer.setCookie.map((cookie) => hideToken(cookie, token)),
		body: hidden === body ? answer.body : Buffer.from(hidden, 'latin1'),
	};
}
