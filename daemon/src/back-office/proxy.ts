import type { IncomingMessage } from 'node:http';
import type { BackOfficePaths } from '@kiosk/contract/kiosk-api';
import type { Result } from '../base/result.ts';
import type { Log } from '../log/log.ts';
import type { BackOfficeAnswer, CallBackOffice, NoAnswer } from './client.ts';
import type { OutletToken } from './token.ts';

/** A call of the specification that the screen may make through the daemon. */
export interface AllowedCall {
	name: keyof BackOfficePaths;
	method: 'GET' | 'POST';
}

const METHODS: Record<keyof BackOfficePaths, AllowedCall['method'] | null> = {
	login: 'POST',
	pin: 'POST',
	payment_group: 'GET',
	resend_callback: 'POST',
	invoice_info: 'POST',
	payment: 'POST',
	open_machine: 'POST',
	master_va: 'GET',
	create_va: 'POST',
	create_va_hutang_lain: 'POST',
	cancel_payment: 'POST',
	video: 'GET',
	astra_pay: 'POST',
	// Not allowed for pages: only the daemon itself sends notes and anchors.
	cash_notification: null,
	anchor: null,
};

/** @returns a function from method and path (without query) to the allowed call, or null */
export function allowList(paths: BackOfficePaths): (method: string, path: string) => AllowedCall | null {
	const calls = (Object.keys(METHODS) as (keyof BackOfficePaths)[]).flatMap((name) => {
		const method = METHODS[name];
		return method ? [{ call: { name, method }, pattern: pathPattern(paths[name]) }] : [];
	});
	return (method, path) => calls.find((allowed) => allowed.call.method === method && allowed.pattern.test(path))?.call ?? null;
}

/**
 * @returns the pattern of a path. `{id}` matches one path segment, but not `.` or `..`, which a
 * server would resolve to another path. A trailing slash is optional
 */
function pathPattern(path: string): RegExp {
	const literal = path.replace(/\/$/, '').replace(/[.*+?^$()|[\]\\]/g, '\\$&');
	return new RegExp(`^${literal.replace('{id}', '(?!\\.{1,2}(/|$))[\\w.~-]+')}/?$`);
}

/** @returns the key of the page's session from the header `Authorization: Token …`, or null */
export const tokenOf = (request: IncomingMessage): string | null => /^Token (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? null;

/**
 * @returns the forwarded headers: the page's CSRF pair, the content type of the body, and the
 * outlet's token
 */
function forwardedHeaders(
	request: IncomingMessage,
	csrf: { csrf_cookie: string; csrf_header: string },
	token: string | null,
): Record<string, string> {
	const headers: Record<string, string> = { Accept: 'application/json' };
	if (token !== null) headers.Authorization = `Token ${token}`;
	const pass = (name: string, key: string): void => {
		const value = request.headers[key];
		if (typeof value === 'string') headers[name] = value;
	};
	pass('Content-Type', 'content-type');
	pass(csrf.csrf_header, csrf.csrf_header.toLowerCase());
	const cookie = cookieOf(request, csrf.csrf_cookie);
	if (cookie !== null) headers.Cookie = `${csrf.csrf_cookie}=${cookie}`;
	return headers;
}

/** @returns the value of one cookie of the request, or null */
export function cookieOf(request: IncomingMessage, name: string): string | null {
	for (const part of (request.headers.cookie ?? '').split(';')) {
		const [key, ...value] = part.trim().split('=');
		if (key === name) return value.join('=');
	}
	return null;
}

/**
 * @returns the server's CSRF cookie, rewritten for the screen's origin. The browser gets no other
 * cookie of the server
 */
export function csrfCookieFor(answer: BackOfficeAnswer, name: string): string[] {
	return answer.setCookie
		.filter((cookie) => cookie.startsWith(`${name}=`))
		.map((cookie) => `${cookie.split(';')[0]}; Path=/; SameSite=Strict; Max-Age=31449600`);
}

export interface BackOfficeProxy {
	/**
	 * Forwards an allowed call with the outlet's token instead of the page's session key. Stores
	 * whether the answer accepts or refuses the token, except for a log-in or a PIN.
	 */
	pass(
		request: IncomingMessage,
		call: AllowedCall,
		pathAndQuery: string,
		body: Buffer,
		signal?: AbortSignal,
		/** Content type of a body made by the daemon. If absent, the request's type is forwarded. */
		contentType?: string,
	): Promise<Result<BackOfficeAnswer, NoAnswer>>;
}

export function backOfficeProxy(deps: {
	call: CallBackOffice;
	token: OutletToken;
	csrf: { csrf_cookie: string; csrf_header: string };
	log: Log;
}): BackOfficeProxy {
	return {
		async pass(request, call, pathAndQuery, body, signal, contentType) {
			// A log-in is sent without a token: many servers refuse an expired token before they check
			// the password.
			const token = call.name === 'login' ? null : (deps.token.current()?.token.reveal() ?? null);
			const answer = await deps.call({
				method: call.method,
				path: pathAndQuery,
				headers: { ...forwardedHeaders(request, deps.csrf, token), ...(contentType ? { 'Content-Type': contentType } : {}) },
				body: call.method === 'POST' ? body : undefined,
				signal,
			});
			if (!answer.ok)
				deps.log.event('back_office.request_failed', { call: call.name, code: answer.error.code, reason: answer.error.message });
			// An answer to a PIN is not evidence about the token, because a wrong PIN may also be
			// answered with 401.
			else if (token !== null && call.name !== 'pin') {
				if (answer.value.status === 401) deps.token.markRefused(token);
				else if (answer.value.status < 300) deps.token.markWorking(token);
			}
			return answer;
		},
	};
}
