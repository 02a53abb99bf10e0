import { type IncomingHttpHeaders, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';

export interface HttpCall {
	url: URL;
	method: string;
	headers: Record<string, string>;
	body?: Buffer | undefined;
	/** The whole call, from the first byte to the last, ends within this. */
	limitMs: number;
	largestBytes: number;
	/** Ends the call early. */
	signal?: AbortSignal | undefined;
	/** Certificate authority, PEM, in place of the machine's own. */
	ca?: Buffer | undefined;
}

export interface HttpAnswer {
	status: number;
	headers: IncomingHttpHeaders;
	body: Buffer;
}

/** The limit of a call passed; whether the other side acted is unknown. */
export class CallTimeout extends Error {
	constructor(limitMs: number) {
		super(`no answer within ${limitMs} ms`);
	}
}

/**
 * One HTTP(S) request on a connection of its own. Redirects are not followed and no proxy is asked: what carries a token or
 * a receipt goes to the named address or to nobody. Rejects with CallTimeout, or with an error that says what failed.
 */
export function httpCall(call: HttpCall): Promise<HttpAnswer> {
	return new Promise((resolve, reject) => {
		const open = call.url.protocol === 'https:' ? requestTls : requestPlain;
		const request = open(call.url, {
			method: call.method,
			agent: false,
			headers: { ...call.headers, ...(call.body ? { 'Content-Length': String(call.body.length) } : {}) },
			...(call.signal ? { signal: call.signal } : {}),
			...(call.ca ? { ca: call.ca } : {}),
		});
		// A timer that ends with the call: AbortSignal.timeout would keep every finished call in memory until its limit.
		const timer = setTimeout(() => request.destroy(new CallTimeout(call.limitMs)), call.limitMs);
		request.on('close', () => clearTimeout(timer));
		request.on('error', (error) => reject(error));
		request.on('response', (response) => {
			const chunks: Buffer[] = [];
			let size = 0;
			response.on('data', (chunk: Buffer) => {
				size += chunk.length;
				if (size > call.largestBytes) request.destroy(new Error(`the answer is longer than ${call.largestBytes} bytes`));
				else chunks.push(chunk);
			});
			response.on('error', reject);
			response.on('close', () => {
				if (!response.complete) reject(new Error('the answer was cut off'));
				else resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
			});
		});
		request.end(call.body);
	});
}
