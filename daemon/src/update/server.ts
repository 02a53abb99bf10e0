/**
 * The owner's update server: a folder of static files. A redirect is a failure, so every request
 * goes to that folder.
 */

import type { IncomingMessage } from 'node:http';
import { Agent as PlainAgent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { fail, ok, type Result } from '../base/result.ts';
import { openHttp, readAnswer } from '../http/http-call.ts';

export interface FetchFailure {
	/**
	 * `unreachable`: no connection, or cut off. `stalled`: silent or too slow. `status`: not found or
	 * an error. `redirect`: the server answers with a redirect. `length`: an unexpected length, part
	 * or encoding. `no_range`: the server sends only whole files or refuses the range. `checksum`:
	 * other bytes than published. `disk`: cannot be written.
	 */
	code: 'unreachable' | 'stalled' | 'status' | 'redirect' | 'length' | 'no_range' | 'checksum' | 'disk';
	message: string;
}

/** Bytes of a file: the first byte, and the byte after the last byte. */
export interface Range {
	from: number;
	to: number;
}

export interface UpdateServer {
	/**
	 * Opens a published file; the caller reads the body.
	 * @param bytes published length of the whole file
	 * @param range null for the whole file
	 */
	open(name: string, bytes: number, range: Range | null, signal: AbortSignal): Promise<Result<IncomingMessage, FetchFailure>>;
	/** @returns the bytes of a small file whose length is not published */
	read(name: string, largestBytes: number, signal: AbortSignal): Promise<Result<Buffer, FetchFailure>>;
	/** Closes all connections. */
	close(): void;
}

/**
 * @param url of the folder, which ends in "/"
 * @param ca certificate authority; null for the public authorities
 */
export function updateServer({ url, ca }: { url: string; ca: Buffer | null }): UpdateServer {
	const folder = new URL(url);
	// Connections are kept open: a root is fetched in hundreds of parts, and each new TLS connection
	// would cost several round trips.
	const agent =
		folder.protocol === 'https:' ? new TlsAgent({ keepAlive: true, maxSockets: 1 }) : new PlainAgent({ keepAlive: true, maxSockets: 1 });

	async function get(name: string, headers: Record<string, string>, signal: AbortSignal): Promise<Result<IncomingMessage, FetchFailure>> {
		// Names come from a parsed manifest or the settings; a name that leaves the folder is a bug.
		if (!/^[\w.,+-]+$/.test(name)) throw new Error(`${name} is not the name of a published file`);
		const call = {
			url: new URL(encodeURIComponent(name), folder),
			method: 'GET',
			// A compressed body would not match the published hash.
			headers: { 'Accept-Encoding': 'identity', ...headers },
			signal,
			agent,
			...(ca === null ? {} : { ca }),
		};
		const first = await openHttp(call);
		// The server may have closed the reused connection while it was idle.
		const opened = !first.ok && first.error.reused && !signal.aborted ? await openHttp(call) : first;
		if (!opened.ok)
			return signal.aborted ? fail(reasonOf(signal)) : fail({ code: 'unreachable', message: `${name}: ${opened.error.message}` });
		const problem = problemOf(name, opened.value);
		if (problem === null) return opened;
		opened.value.destroy();
		return fail(problem);
	}

	return {
		async open(name, bytes, range, signal) {
			const opened = await get(name, range === null ? {} : { Range: `bytes=${range.from}-${range.to - 1}` }, signal);
			if (!opened.ok) return opened;
			const problem = problemOfLength(name, opened.value, bytes, range);
			if (problem === null) return opened;
			opened.value.destroy();
			return fail(problem);
		},
		async read(name, largestBytes, signal) {
			const opened = await get(name, {}, signal);
			if (!opened.ok) return opened;
			if (opened.value.statusCode !== 200) {
				opened.value.destroy();
				return fail({ code: 'status', message: `${name}: the server answers ${opened.value.statusCode}` });
			}
			const body = await readAnswer(opened.value, largestBytes);
			if (body.ok) return ok(body.value);
			if (signal.aborted) return fail(reasonOf(signal));
			return fail({ code: body.error.code === 'odd_answer' ? 'length' : 'unreachable', message: `${name}: ${body.error.message}` });
		},
		close: () => agent.destroy(),
	};
}

/** @returns the signal's reason as a failure */
export const reasonOf = (signal: AbortSignal): FetchFailure =>
	signal.reason instanceof Error ? { code: 'unreachable', message: signal.reason.message } : (signal.reason as FetchFailure);

function problemOf(name: string, { statusCode = 0, headers }: IncomingMessage): FetchFailure | null {
	if (statusCode >= 300 && statusCode < 400)
		return {
			code: 'redirect',
			message: `${name}: the server answers with a redirect, which the kiosk does not follow; publish the files in the folder itself`,
		};
	if (statusCode === 416) return { code: 'no_range', message: `${name}: the server refuses to send the rest of the file` };
	if (statusCode !== 200 && statusCode !== 206) return { code: 'status', message: `${name}: the server answers ${statusCode}` };
	const encoding = headers['content-encoding'] ?? 'identity';
	return encoding === 'identity' ? null : { code: 'length', message: `${name}: the server sends it as ${encoding} without being asked` };
}

function problemOfLength(name: string, { statusCode, headers }: IncomingMessage, bytes: number, range: Range | null): FetchFailure | null {
	const announced = headers['content-length'] === undefined ? null : Number(headers['content-length']);
	if (range !== null && statusCode === 200) return { code: 'no_range', message: `${name}: the server sends only whole files` };
	const expected = range === null ? bytes : range.to - range.from;
	if (announced !== null && announced !== expected)
		return { code: 'length', message: `${name}: the server announces ${announced} bytes, ${expected} are published` };
	if (range === null)
		return statusCode === 200 ? null : { code: 'length', message: `${name}: the server sends a part without being asked` };
	const wanted = `bytes ${range.from}-${range.to - 1}/${bytes}`;
	const sent = headers['content-range'];
	return sent === wanted
		? null
		: { code: 'length', message: `${name}: the server sends ${sent ?? 'an unnamed part'} instead of ${wanted}` };
}
