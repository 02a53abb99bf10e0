/** Helpers of the HTTP servers: read bodies within limits, answer requests and refuse requests. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseBoundedJson } from '@kiosk/contract/bounded-json';
import * as v from 'valibot';
import { fail, ok, type Result } from '../base/result.ts';
import { growBuffer } from './http-call.ts';

/**
 * Answers a request. `path` has no query.
 * @returns false if the request is not for this handler
 */
export type Handler = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<boolean> | boolean;

/** Maximum size of a body. The screen's largest body is the data of a long invoice, about 20 kB. */
const LARGEST_BODY_BYTES = 512 * 1024;

/**
 * A body that is too large is still read up to this size, because a sender reads the refusal only
 * after it has sent the body.
 */
const LARGEST_REFUSED_BYTES = 16 * 1024 * 1024;

/** Maximum number of pieces of a body: a body sent byte by byte would keep the process busy. */
const MOST_PIECES = 8_192;
/**
 * Maximum number of parts of a form; the screen sends one. Reading thousands of them would take
 * seconds.
 */
const MOST_PARTS = 20;

/** How long after its answer the daemon waits for the rest of a body. */
const REST_MS = 250;

/**
 * Longest reason, characters. A reason is logged, and the log throttle keeps it in memory for a
 * minute.
 */
const LONGEST_REASON = 200;

/**
 * Content Security Policy: a page may load its own files and call its own origin. Inline styles and
 * scripts without a listed hash, frames, forms and other hosts are blocked.
 * @param hashes sources for the page's inline styles and scripts, e.g. 'sha256-…' in quotes
 */
export function contentPolicy(hashes: { scripts: readonly string[]; styles: readonly string[] }): string {
	const scripts = ["'self'", ...hashes.scripts].join(' ');
	const styles = ["'self'", ...hashes.styles].join(' ');
	return (
		`default-src 'none'; script-src ${scripts}; style-src ${styles}; img-src 'self' data:; media-src 'self'; font-src 'self'; connect-src 'self'; ` +
		"frame-ancestors 'none'; form-action 'none'; base-uri 'none'; require-trusted-types-for 'script'"
	);
}

const SECURITY_HEADERS: Record<string, string> = {
	'Content-Security-Policy': contentPolicy({ scripts: [], styles: [] }),
	'Cross-Origin-Opener-Policy': 'same-origin',
	'Cross-Origin-Resource-Policy': 'same-origin',
	'X-Content-Type-Options': 'nosniff',
	'Referrer-Policy': 'no-referrer',
	'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=(), payment=()',
};

export function secure(response: ServerResponse): void {
	for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
}

/**
 * If a body has not ended soon after the answer, closes the connection. Node would otherwise read
 * the rest, which may be endless, and would be busy all the time.
 */
export function closeUnread(request: IncomingMessage, response: ServerResponse): void {
	response.on('finish', () => {
		if (request.complete) return;
		// The rest of a well-formed body may still be in transit. If the connection closed earlier, the
		// sender might lose the answer.
		setTimeout(() => {
			if (!request.complete) request.destroy();
		}, REST_MS).unref();
	});
}

export type BodyError = { code: 'too_large' | 'cut_off' };

/**
 * Reads a body. If this fails, answer with `refuseBody`; `closeUnread` then closes the connection.
 * @param largest maximum size, bytes
 */
export function readBody(request: IncomingMessage, largest = LARGEST_BODY_BYTES): Promise<Result<Buffer, BodyError>> {
	return new Promise((resolve) => {
		// Collects the pieces in one buffer: each separate piece has overhead, so a body sent byte by
		// byte would take a hundred times its size in memory.
		let body: Buffer = Buffer.alloc(0);
		let size = 0;
		let pieces = 0;
		request.on('data', (chunk: Buffer) => {
			size += chunk.length;
			pieces += 1;
			if (size > LARGEST_REFUSED_BYTES || pieces > MOST_PIECES) {
				body = Buffer.alloc(0);
				resolve(fail({ code: 'too_large' }));
			} else if (size <= largest) {
				if (size > body.length) body = growBuffer(body, size - chunk.length, size);
				chunk.copy(body, size - chunk.length);
			} else body = Buffer.alloc(0);
		});
		request.on('end', () => resolve(size > largest ? fail({ code: 'too_large' }) : ok(body.subarray(0, size))));
		request.on('error', () => resolve(fail({ code: 'cut_off' })));
		request.on('close', () => resolve(fail({ code: 'cut_off' })));
	});
}

export function answerJson(response: ServerResponse, status: number, value: unknown): void {
	response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
	response.end(JSON.stringify(value));
}

/**
 * Refuses a request with `{code, reason}`. The screen chooses its wording by `code`; `reason` is
 * for the technician. There is no `message`, because the screen would show it unchanged.
 */
export const refuse = (response: ServerResponse, status: number, code: string, reason: string): void =>
	answerJson(response, status, { code, reason });

/** Refuses a request whose body could not be read. @param largest as for `readBody` */
export function refuseBody(response: ServerResponse, { code }: BodyError, largest = LARGEST_BODY_BYTES): void {
	if (code === 'too_large') refuse(response, 413, code, `the body has more than ${largest} bytes, or too many pieces`);
	else refuse(response, 400, code, 'the request was cut off');
}

/** Parses JSON and checks it by a schema. The error names the first field that does not match. */
export function parseJson<const S extends v.GenericSchema>(
	schema: S,
	body: Buffer | string,
): Result<v.InferOutput<S>, { code: 'bad_request'; reason: string }> {
	let json: unknown;
	try {
		json = parseBoundedJson(String(body));
	} catch {
		return fail({ code: 'bad_request', reason: 'the body is not JSON' });
	}
	const parsed = v.safeParse(schema, json);
	if (parsed.success) return ok(parsed.output);
	const [issue] = parsed.issues;
	// The reason is cut, because the library quotes the received value, which may be very long.
	return fail({ code: 'bad_request', reason: `${v.getDotPath(issue) ?? 'body'}: ${issue.message}`.slice(0, LONGEST_REASON) });
}

/**
 * Reads the JSON body of a request and checks it by a schema.
 * @returns the JSON's value; null if the request was refused
 */
export async function readJson<const S extends v.GenericSchema>(
	schema: S,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<v.InferOutput<S> | null> {
	const body = await readBody(request);
	if (!body.ok) {
		refuseBody(response, body.error);
		return null;
	}
	const parsed = parseJson(schema, body.value);
	if (parsed.ok) return parsed.value;
	refuse(response, 400, parsed.error.code, parsed.error.reason);
	return null;
}

/** @returns the JSON in the field `formData` of a multipart or URL-encoded body, or null */
export async function formDataField(body: Buffer, contentType: string): Promise<string | null> {
	if (hasManyParts(body)) return null;
	try {
		const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': contentType } }).formData();
		const [field, ...others] = form.getAll('formData');
		// A field that occurs twice is refused, because another parser may use the other value.
		return typeof field === 'string' && others.length === 0 ? field : null;
	} catch {
		return null;
	}
}

function hasManyParts(body: Buffer): boolean {
	const heads = body.toString('latin1').matchAll(/content-disposition/gi);
	for (let parts = 0; parts <= MOST_PARTS; parts += 1) if (heads.next().done) return false;
	return true;
}
