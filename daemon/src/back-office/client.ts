import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { jsonShapeProblem } from '../../contract/bounded-json.ts';
import { type HttpAnswer, type HttpFailure, httpCall } from '../http-call.ts';
import { fail, ok, type Result } from '../result.ts';

/** Larger answers are a mistake of the server; reading them would only fill memory. */
const LARGEST_ANSWER_BYTES = 8 * 1024 * 1024;

export interface BackOfficeCall {
	method: string;
	/** Path and query as the back office knows them. */
	path: string;
	headers: Record<string, string>;
	body?: Buffer | undefined;
	/** Ends the call early, e.g. when the screen has gone. */
	signal?: AbortSignal | undefined;
}

export interface BackOfficeAnswer {
	status: number;
	contentType: string;
	setCookie: string[];
	body: Buffer;
	/** The server's clock, as it says it. */
	date?: string | undefined;
}

/** The server could not be asked, did not answer in time, or not in a form that may be passed on; whether it acted is unknown. */
export type NoAnswer = HttpFailure;

export type CallBackOffice = (call: BackOfficeCall) => Promise<Result<BackOfficeAnswer, NoAnswer>>;

/** The link over HTTP(S) to the configured server. */
export function backOfficeClient(settings: { url: string; ca_file?: string | undefined; timeout_ms: number }): CallBackOffice {
	const ca = settings.ca_file ? readFileSync(settings.ca_file) : undefined;
	const base = settings.url.replace(/\/$/, '');
	return async (call) => {
		const answer = await httpCall({
			...call,
			url: new URL(base + call.path),
			limitMs: settings.timeout_ms,
			largestBytes: LARGEST_ANSWER_BYTES,
			ca,
		});
		return answer.ok ? answerOf(answer.value) : answer;
	};
}

/** As much of a media type and of a cookie as HTTP allows in a header that is sent on (RFC 9110, RFC 6265). */
const MEDIA_TYPE = /^[\w!#$&^.+-]{1,80}\/[\w!#$&^.+-]{1,80}(\s*;[\x20-\x7e]{0,120})?$/;
const COOKIE = /^[\x21-\x7e][\x20-\x7e]{0,4095}$/;
const MOST_COOKIES = 50;

/** Headers as they may be sent on; a body of JSON within the bounds that every reader behind this relies on. */
function answerOf({ status, headers, body }: HttpAnswer): Result<BackOfficeAnswer, NoAnswer> {
	// Structure is ASCII, and Latin-1 costs least.
	const problem = jsonShapeProblem(body.toString('latin1'));
	if (problem !== null) return fail({ code: 'odd_answer', message: `the answer has ${problem}` });
	const type = headers['content-type'] ?? '';
	return ok({
		status,
		contentType: MEDIA_TYPE.test(type) ? type : 'application/octet-stream',
		setCookie: (headers['set-cookie'] ?? []).filter((cookie) => COOKIE.test(cookie)).slice(0, MOST_COOKIES),
		body,
		date: headers.date,
	});
}

/** @returns body and content type of a POST with the one multipart field `formData` that the back office reads (RFC 7578) */
export function formDataOf(value: object): { body: Buffer; contentType: string } {
	const boundary = `kiosk-${randomBytes(16).toString('hex')}`;
	const field = `--${boundary}\r\nContent-Disposition: form-data; name="formData"\r\n\r\n${JSON.stringify(value)}\r\n--${boundary}--\r\n`;
	return { body: Buffer.from(field), contentType: `multipart/form-data; boundary=${boundary}` };
}

/**
 * Headers of a call that the daemon makes on its own account. Servers with double-submit CSRF protection compare cookie and
 * header, so a fresh pair of equal values is as good as one they have set.
 */
export function ownHeaders(token: string, csrf: { csrf_cookie: string; csrf_header: string }): Record<string, string> {
	const pair = randomBytes(16).toString('hex');
	return {
		Authorization: `Token ${token}`,
		Accept: 'application/json',
		Cookie: `${csrf.csrf_cookie}=${pair}`,
		[csrf.csrf_header]: pair,
	};
}
