/**
 * HTTP as a client. Every answer, whatever bytes the other side sends, becomes a value or one of four failures: bounded in time by the
 * caller, in size by the caller, and in shape here. Nothing throws and no call stays open.
 */
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import type { LookupFunction } from 'node:net';
import { fail, messageOf, ok, type Result } from './result.ts';

/** What a call is refused with; whether the other side acted is unknown in every case. */
export interface HttpFailure {
	/**
	 * `timeout`: the limit passed. `unreachable`: no connection, or one that broke. `odd_status`: an answer outside of 200 to 599, a
	 * switch of protocols included. `odd_answer`: not HTTP, too large, or in too many pieces.
	 */
	code: 'timeout' | 'unreachable' | 'odd_status' | 'odd_answer';
	message: string;
}

export interface HttpRequest {
	url: URL;
	method: string;
	headers: Record<string, string>;
	body?: Buffer | undefined;
	/** Ends the call early, at any moment. */
	signal?: AbortSignal | undefined;
	/** Certificate authority, PEM, in place of the machine's own. */
	ca?: Buffer | undefined;
	/** Resolves the host's name; it is not asked where the URL holds an address. */
	lookup?: LookupFunction | undefined;
}

export interface HttpCall extends HttpRequest {
	/** The whole call, from the first byte to the last, ends within this. */
	limitMs: number;
	largestBytes: number;
}

export interface HttpAnswer {
	status: number;
	headers: IncomingHttpHeaders;
	body: Buffer;
}

/** A body of 8 MB in pieces of 128 bytes. Each piece costs more than its bytes, so a body of single bytes would cost a hundredfold. */
const MOST_PIECES = 65_536;
const FIRST_BYTES = 16 * 1024;

const unreachable = (message: string): HttpFailure => ({ code: 'unreachable', message });

/** Errors of the HTTP parser have codes of their own, among them headers beyond 16 kB. */
function failureOf(error: Error & { code?: unknown }): HttpFailure {
	return String(error.code ?? '').startsWith('HPE_') ? { code: 'odd_answer', message: messageOf(error) } : unreachable(messageOf(error));
}

/**
 * Sends a request on a connection of its own. Redirects are not followed and no proxy is asked: what carries a token or a receipt goes to
 * the named address or nowhere.
 * @returns the answer with its body unread; the caller reads or destroys it
 */
export function openHttp(call: HttpRequest): Promise<Result<IncomingMessage, HttpFailure>> {
	return new Promise((resolve) => {
		let request: ClientRequest;
		try {
			request = (call.url.protocol === 'https:' ? requestTls : requestPlain)(call.url, {
				method: call.method,
				agent: false,
				headers: { ...call.headers, ...(call.body ? { 'Content-Length': String(call.body.length) } : {}) },
				...(call.signal ? { signal: call.signal } : {}),
				...(call.ca ? { ca: call.ca } : {}),
				...(call.lookup ? { lookup: call.lookup } : {}),
			});
		} catch (error) {
			// A header that HTTP cannot carry, or an address that is none.
			return resolve(fail(unreachable(messageOf(error))));
		}
		request.on('response', (response) => {
			// Broken off before or while its body is read; the reader learns it from `complete`.
			response.on('error', () => undefined);
			const status = response.statusCode ?? 0;
			if (status >= 200 && status <= 599) return resolve(ok(response));
			response.destroy();
			resolve(fail({ code: 'odd_status', message: `answered with the status ${status}` }));
		});
		request.on('upgrade', (_response, socket) => {
			socket.destroy();
			resolve(fail({ code: 'odd_status', message: 'answered with a switch of protocols that was not asked for' }));
		});
		request.on('error', (error) => resolve(fail(failureOf(error))));
		// Always the last event; some ends have no error before it.
		request.on('close', () => resolve(fail(unreachable('the connection was closed without an answer'))));
		request.end(call.body);
	});
}

/** Reads the body of an answer. @returns it whole; a failure has closed the connection */
export function readAnswer(response: IncomingMessage, largestBytes: number): Promise<Result<Buffer, HttpFailure>> {
	return new Promise((resolve) => {
		// Broken between its head and this call: no event follows.
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
			if (size + chunk.length > body.length) body = grown(body, size, size + chunk.length);
			chunk.copy(body, size);
			size += chunk.length;
		});
		response.on('error', () => resolve(fail(unreachable('the answer was cut off'))));
		response.on('close', () => resolve(response.complete ? ok(body.subarray(0, size)) : fail(unreachable('the answer was cut off'))));
	});
}

function grown(body: Buffer, size: number, needed: number): Buffer {
	const larger = Buffer.allocUnsafe(Math.max(needed, 2 * body.length, FIRST_BYTES));
	body.copy(larger, 0, 0, size);
	return larger;
}

/** One request and its whole answer. */
export async function httpCall(call: HttpCall): Promise<Result<HttpAnswer, HttpFailure>> {
	const ending = new AbortController();
	let timedOut = false;
	// A timer that ends with the call: AbortSignal.timeout would keep every finished call in memory until its limit.
	const timer = setTimeout(() => {
		timedOut = true;
		ending.abort();
	}, call.limitMs);
	const giveUp = (): void => ending.abort();
	if (call.signal?.aborted) giveUp();
	call.signal?.addEventListener('abort', giveUp, { once: true });
	try {
		const opened = await openHttp({ ...call, signal: ending.signal });
		const body = opened.ok ? await readAnswer(opened.value, call.largestBytes) : opened;
		if (opened.ok && body.ok) return ok({ status: opened.value.statusCode ?? 0, headers: opened.value.headers, body: body.value });
		if (timedOut) return fail({ code: 'timeout', message: `no answer within ${call.limitMs} ms` });
		return body.ok ? fail(unreachable('no answer')) : body;
	} finally {
		clearTimeout(timer);
		call.signal?.removeEventListener('abort', giveUp);
	}
}
