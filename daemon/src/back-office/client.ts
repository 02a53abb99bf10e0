import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import axios, { isAxiosError } from 'axios';
import { fail, messageOf, ok, type Result } from '../result.ts';

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
}

/** The server could not be asked or did not answer in time; whether it acted is unknown. */
export type NoAnswer = { code: 'unreachable' | 'timeout'; message: string };

export type CallBackOffice = (call: BackOfficeCall) => Promise<Result<BackOfficeAnswer, NoAnswer>>;

/** The link over HTTP(S). Redirects are not followed: a token is sent to the configured server or to nobody. */
export function backOfficeClient(settings: { url: string; ca_file?: string | undefined; timeout_ms: number }): CallBackOffice {
	const client = axios.create({
		baseURL: settings.url,
		maxRedirects: 0,
		proxy: false,
		responseType: 'arraybuffer',
		maxContentLength: LARGEST_ANSWER_BYTES,
		validateStatus: () => true,
		...(settings.ca_file ? { httpsAgent: new Agent({ ca: readFileSync(settings.ca_file) }) } : {}),
	});
	return async (call) => {
		const limit = AbortSignal.timeout(settings.timeout_ms);
		try {
			const answer = await client.request<Buffer>({
				method: call.method,
				url: call.path,
				headers: call.headers,
				data: call.body,
				signal: call.signal ? AbortSignal.any([limit, call.signal]) : limit,
			});
			return ok({
				status: answer.status,
				contentType: String(answer.headers['content-type'] ?? 'application/octet-stream'),
				setCookie: answer.headers['set-cookie'] ?? [],
				body: answer.data,
			});
		} catch (error) {
			if (limit.aborted) return fail({ code: 'timeout', message: `no answer within ${settings.timeout_ms} ms` });
			if (isAxiosError(error)) return fail({ code: 'unreachable', message: error.message || (error.code ?? 'connection failed') });
			return fail({ code: 'unreachable', message: messageOf(error) });
		}
	};
}

/** @returns body and headers of a POST with the one multipart field `formData` that the back office reads */
export async function formDataOf(value: object): Promise<{ body: Buffer; contentType: string }> {
	const form = new FormData();
	form.set('formData', JSON.stringify(value));
	const encoded = new Response(form);
	return { body: Buffer.from(await encoded.arrayBuffer()), contentType: encoded.headers.get('content-type') ?? '' };
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
