/**
 * HTTP client. Every call ends with a response or one of four failures, even if the response is
 * malformed. The caller limits time and size; this module also limits pieces and interim answers.
 * It never throws.
 */
import { type Agent, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import type { LookupFunction } from 'node:net';
import { fail, messageOf, ok, type Result } from '../base/result.ts';

/** A failed call. If `unsent` is absent, the server may have acted on the request. */
export interface HttpFailure {
	/**
	 * `timeout`: the time limit passed. `unreachable`: the connection failed or broke, or the call
	 * was cancelled. `odd_status`: a status outside 200 to 599, or a protocol switch. `odd_answer`:
	 * not HTTP, too large, in too many pieces, or after too many interim answers.
	 */
	code: 'timeout' | 'unreachable' | 'odd_status' | 'odd_answer';
	message: string;
	/** No connection was made, so the server has not received the request. */
	unsent?: true;
	/**
	 * The call used a connection of an earlier call. The server may have closed that connection as
	 * idle without reading this request.
	 */
	reused?: true;
}

export interface HttpRequest {
	url: URL;
	method: string;
	headers: Record<string, string>;
	body?: Buffer | undefined;
	/** Cancels the call at any time. */
	signal?: AbortSignal | undefined;
	/** Certificate authority, PEM, used instead of the public authorities. */
	ca?: Buffer | undefined;
	/** Resolves the host name; not called if the URL contains an IP address. */
	lookup?: LookupFunction | undefined;
	/** Keeps connections for further requests; if left out, each call opens its own connection. */
	agent?: Agent | undefined;
	/** Called when the connection is made and, with https, its certificate has been accepted. */
	onConnected?: (() => void) | undefined;
}

export interface HttpCall extends HttpRequest {
	/** Time limit of the whole call, from connecting to the last byte of the answer. */
	limitMs: number;
	largestBytes: number;
}

export interface HttpAnswer {
	status: number;
	headers: IncomingHttpHeaders;
	body: Buffer;
}

/**
 * Maximum number of pieces of a body: enough for 8 MB in pieces of 128 bytes. Each piece has
 * overhead, so a body sent byte by byte would take a hundred times its size in memory.
 */
const MOST_PIECES = 65_536;
const FIRST_BYTES = 16 * 1024;
/**
 * Maximum number of interim answers (status 100 to 199) before the final answer; servers send one
 * or two. Thousands fit into one read of 64 kB, so a flood would occupy the process until the
 * call's time limit.
 */
const MOST_INTERIM = 100;

const unreachable = (message: string): HttpFailure => ({ code: 'unreachable', message });

/**
 * @returns the failure for an error of the request. Errors of the HTTP parser, for example headers
 * over 16 kB, become `odd_answer`; all other errors become `unreachable`
 */
function failureOf(error: Error & { code?: unknown }): HttpFailure {
	return String(error.code ?? '').startsWith('HPE_') ? { code: 'odd_answer', message: messageOf(error) } : unreachable(messageOf(error));
}

/** Aborts a request that gets too many interim answers; `refuse` gets the reason. */
export function limitInterim(request: ClientRequest, refuse: (reason: string) => void = () => {}): void {
	let interim = 0;
	request.on('information', () => {
		interim += 1;
		if (interim <= MOST_INTERIM) return;
		const reason = `more than ${MOST_INTERIM} interim answers`;
		refuse(reason);
		request.destroy(new Error(reason));
	});
}

/**
 * Sends a request; without an agent, on a new connection. Follows no redirects and uses no proxy,
 * so that tokens and receipts go only to the named address.
 * @returns the response with its body unread; the caller must read or destroy it
 */
export function openHttp(call: HttpRequest): Promise<Result<IncomingMessage, HttpFailure>> {
	return new Promise((resolve) => {
		let request: ClientRequest;
		try {
			request = (call.url.protocol === 'https:' ? requestTls : requestPlain)(call.url, {
				method: call.method,
				agent: call.agent ?? false,
				headers: { ...call.headers, ...(call.body ? { 'Content-Length': String(call.body.length) } : {}) },
				...(call.signal ? { signal: call.signal } : {}),
				...(call.ca ? { ca: call.ca } : {}),
				...(call.lookup ? { lookup: call.lookup } : {}),
			});
		} catch (error) {
			// Node throws for a header that HTTP cannot carry and for an invalid address.
			return resolve(fail(unreachable(messageOf(error))));
		}
		request.on('socket', (socket) => {
			if (request.reusedSocket) call.onConnected?.();
			else socket.once(call.url.protocol === 'https:' ? 'secureConnect' : 'connect', () => call.onConnected?.());
		});
		request.on('response', (response) => {
			// This error is ignored, because `readAnswer` detects a broken body through `complete`.
			response.on('error', () => undefined);
			const status = response.statusCode ?? 0;
			if (status >= 200 && status <= 599) return resolve(ok(response));
			response.destroy();
			resolve(fail({ code: 'odd_status', message: `answered with the status ${status}` }));
		});
		request.on('upgrade', (_response, socket) => {
			socket.destroy();
			resolve(fail({ code: 'odd_status', message: 'answered with an unrequested protocol switch' }));
		});
		limitInterim(request, (message) => resolve(fail({ code: 'odd_answer', message })));
		const failed = (failure: HttpFailure) => resolve(fail(request.reusedSocket ? { ...failure, reused: true } : failure));
		request.on('error', (error) => failed(failureOf(error)));
		// Some connections close without an error. `close` is always the last event.
		request.on('close', () => failed(unreachable('the connection was closed without an answer')));
		request.end(call.body);
	});
}

/** Reads the body of a response. @returns the complete body; on failure the connection is closed */
export function readAnswer(response: IncomingMessage, largestBytes: number): Promise<Result<Buffer, HttpFailure>> {
	return new Promise((resolve) => {
		// The body is already broken: no event will follow.
		if (response.destroyed) return resolve(fail(unreachable('the answer was cut off')));
		let body: Buffer = Buffer.alloc(0);
		let size = 0;
		let pieces = 0;
		const refuse = (message: string): void => {
			resolve(fail({ code: 'odd_answer', message }));
			response.destroy();
		};
		response.on('data', (chunk: Buffer) => {
			pieces += 1;
			if (size + chunk.length > largestBytes) return refuse(`the answer is longer than ${largestBytes} bytes`);
			if (pieces > MOST_PIECES) return refuse(`the answer came in more than ${MOST_PIECES} pieces`);
			if (size + chunk.length > body.length) body = growBuffer(body, size, size + chunk.length);
			chunk.copy(body, size);
			size += chunk.length;
		});
		response.on('error', () => resolve(fail(unreachable('the answer was cut off'))));
		response.on('close', () => resolve(response.complete ? ok(body.subarray(0, size)) : fail(unreachable('the answer was cut off'))));
	});
}

/** @returns a buffer with the first `size` bytes of `body` and room for `needed` bytes */
export function growBuffer(body: Buffer, size: number, needed: number): Buffer {
	const larger = Buffer.allocUnsafe(Math.max(needed, 2 * body.length, FIRST_BYTES));
	body.copy(larger, 0, 0, size);
	return larger;
}

/** Sends one request and reads its complete response. */
export async function httpCall(call: HttpCall): Promise<Result<HttpAnswer, HttpFailure>> {
	const ending = new AbortController();
	let timedOut = false;
	let connected = false;
	const failed = (failure: HttpFailure): Result<never, HttpFailure> => fail(connected ? failure : { ...failure, unsent: true });
	// A timer can be cleared when the call ends. AbortSignal.timeout would keep a finished call in
	// memory until its time limit.
	const timer = setTimeout(() => {
		timedOut = true;
		ending.abort();
	}, call.limitMs);
	const giveUp = (): void => ending.abort();
	if (call.signal?.aborted) giveUp();
	call.signal?.addEventListener('abort', giveUp, { once: true });
	try {
		const onConnected = (): void => {
			connected = true;
		};
		const opened = await openHttp({ ...call, signal: ending.signal, onConnected });
		const body = opened.ok ? await readAnswer(opened.value, call.largestBytes) : opened;
		// The time limit is checked before `body`: when this call closes the connection, a body without
		// a declared length looks complete.
		if (timedOut) return failed({ code: 'timeout', message: `no answer within ${call.limitMs} ms` });
		if (ending.signal.aborted) return failed(unreachable('the call was cancelled'));
		if (opened.ok && body.ok) return ok({ status: opened.value.statusCode ?? 0, headers: opened.value.headers, body: body.value });
		return failed(body.ok ? unreachable('no answer') : body.error);
	} finally {
		clearTimeout(timer);
		call.signal?.removeEventListener('abort', giveUp);
	}
}
