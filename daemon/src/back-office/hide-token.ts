import { ok } from '../result.ts';
import type { BackOfficeAnswer, CallBackOffice } from './client.ts';

/** A shorter token would be found in ordinary words. */
const SHORTEST = 8;
const INSTEAD = '***';

/** @returns the text without this token, as it is, as JSON may write it and as an address does */
export function hideToken(text: string, token: string): string {
	if (token.length < SHORTEST) return text;
	const forms = new Set([token, token.replaceAll('/', '\\/'), encodeURIComponent(token)]);
	let hidden = text;
	for (const form of forms) if (hidden.includes(form)) hidden = hidden.replaceAll(form, INSTEAD);
	return hidden;
}

/**
 * Servers repeat headers in their error pages, and fields in their answers. What came back with the token of a call is taken out before
 * anything reads the answer: so it can reach neither page nor paper, log or journal.
 */
export const withoutToken =
	(call: CallBackOffice): CallBackOffice =>
	async (asked) => {
		const answer = await call(asked);
		const token = /^Token (\S+)$/.exec(asked.headers.Authorization ?? '')?.[1];
		return answer.ok && token !== undefined ? ok(cleaned(answer.value, token)) : answer;
	};

function cleaned(answer: BackOfficeAnswer, token: string): BackOfficeAnswer {
	const body = answer.body.toString('latin1');
	const hidden = hideToken(body, token);
	return {
		...answer,
		contentType: hideToken(answer.contentType, token),
		setCookie: answer.setCookie.map((cookie) => hideToken(cookie, token)),
		body: hidden === body ? answer.body : Buffer.from(hidden, 'latin1'),
	};
}
