import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { jsonShapeProblem } from '@kiosk/contract/bounded-json';
import { fail, ok, type Result } from '../base/result.ts';
import { type HttpAnswer, type HttpFailure, httpCall } from '../http/http-call.ts';

/** Maximum size of an answer. A larger answer is a server fault and would fill the memory. */
const LARGEST_ANSWER_BYTES = 8 * 1024 * 1024;

export interface BackOfficeCall {
	method: string;
	/** Path and query, relative to the URL of the back office in the settings. */
	path: string;
	headers: Record<string, string>;
	body?: Buffer | undefined;
	/** Cancels the call, for example when the screen has disconnected. */
	signal?: AbortSignal | undefined;
}

export interface BackOfficeAnswer {
	status: number;
	contentType: string;
	setCookie: string[];
	body: Buffer;
	/** The server's time, from its Date header. */
	date?: string | undefined;
}

/**
 * The server could not be reached, did not answer in time, or sent an invalid answer. If `unsent`
 * is absent, the server may have acted on the call.
 */
export type NoAnswer = HttpFailure;

export type CallBackOffice = (call: BackOfficeCall) => Promise<Result<BackOfficeAnswer, NoAnswer>>;

/** Calls the configured server over HTTP(S). */
export function backOfficeClient(settings: { url: string; ca_file?: string | undefined; timeout_ms: number }): CallBackOffice {
	const ca = settings.ca_file ? readFileSync(settings.ca_file) : undefined;
	const base = settings.url.replace(/\/$/, '');
	return async (call) => {
		const answer = await httpCall({
			...call,
			headers: { 'Accept-Encoding': 'identity', ...call.headers },
			url: new URL(base + call.path),
			limitMs: settings.timeout_ms,
			largestBytes: LARGEST_ANSWER_BYTES,
			ca,
		});
		return answer.ok ? answerOf(answer.value) : answer;
	};
}

/** Media types and cookies that may be forwarded in headers (RFC 9110, RFC 6265). */
const MEDIA_TYPE = /^([\w!#$&^.+-]{1,80}\/[\w!#$&^.+-]{1,80})(\s*;[\x20-\x7e]{0,120})?$/;
/**
 * Byte order mark that some servers send before JSON. It is removed, because JSON parsers refuse
 * it.
 */
const BYTE_ORDER_MARK = Buffer.from('\ufeff');
const COOKIE = /^[\x21-\x7e][\x20-\x7e]{0,4095}$/;
const MOST_COOKIES = 50;
/** Maximum length of a Content-Encoding in an error text, characters. The header may have 16 kB. */
const LONGEST_ENCODING = 20;

/**
 * Drops headers that cannot be forwarded. Fails if the body is compressed or its JSON exceeds the
 * limits that its readers rely on.
 */
function answerOf({ status, headers, body }: HttpAnswer): Result<BackOfficeAnswer, NoAnswer> {
	const encoding = headers['content-encoding'] ?? 'identity';
	// The daemon cannot read a compressed answer, so it could take the refusal of a note for a
	// confirmation.
	if (encoding.toLowerCase() !== 'identity' && body.length > 0)
		return fail({ code: 'odd_answer', message: `the answer is compressed: ${encoding.slice(0, LONGEST_ENCODING)}` });
	// The brackets, commas and quotes of JSON are ASCII, so the cheap decoding as Latin-1 is enough
	// for this check.
	const problem = jsonShapeProblem(body.toString('latin1'));
	if (problem !== null) return fail({ code: 'odd_answer', message: `the answer has ${problem}` });
	const type = headers['content-type'] ?? '';
	return ok({
		status,
		// The charset is dropped, so that page and daemon both read the text as UTF-8.
		contentType: MEDIA_TYPE.exec(type)?.[1] ?? 'application/octet-stream',
		setCookie: (headers['set-cookie'] ?? []).filter((cookie) => COOKIE.test(cookie)).slice(0, MOST_COOKIES),
		body: body.indexOf(BYTE_ORDER_MARK) === 0 ? body.subarray(BYTE_ORDER_MARK.length) : body,
		date: headers.date,
	});
}

/**
 * @returns body and content type of a multipart POST (RFC 7578). The value is JSON in the field
 * `formData`, which the back office reads
 */
export function formDataOf(value: object): { body: Buffer; contentType: string } {
	const boundary = `kiosk-${randomBytes(16).toString('hex')}`;
	const field = `--${boundary}\r\nContent-Disposition: form-data; name="formData"\r\n\r\n${JSON.stringify(value)}\r\n--${boundary}--\r\n`;
	return { body: Buffer.from(field), contentType: `multipart/form-data; boundary=${boundary}` };
}

/**
 * @returns headers for the daemon's own calls. Servers with double-submit CSRF protection only
 * compare cookie and header, so a fresh pair of equal values is accepted
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
