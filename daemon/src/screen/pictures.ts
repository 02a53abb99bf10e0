import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BackOfficePaths } from '../../contract/kiosk-api.ts';
import type { Clock } from '../clock.ts';
import type { Download } from '../download.ts';
import type { Log } from '../log/log.ts';
import { messageOf } from '../result.ts';
import { refuse } from './http.ts';
import type { Handler } from './server.ts';

const PATH = '/kiosk/picture';
const LARGEST_PICTURE_BYTES = 2 * 1024 * 1024;
/** From asking to the last byte. */
const LIMIT_MS = 10_000;
/** More than all pages of the staff's list and the customers of an hour have. */
const MOST_KNOWN = 300;
/** How deep an answer is looked through; those of the specification are a third of it. */
const DEEPEST = 12;

/** Calls whose answers name pictures. */
const NAMING: ReadonlySet<keyof BackOfficePaths> = new Set([
	'invoice_info',
	'payment_group',
	'payment',
	'create_va',
	'create_va_hutang_lain',
	'master_va',
]);
const WEB = /^https?:\/\//i;

/**
 * Fetches pictures of other hosts for the screen, whose policy allows it no other host than this one: GET
 * /kiosk/picture?url=… of an address that the back office itself has named.
 */
export interface Pictures {
	/** Remembers which pictures an answer of the back office names. */
	learn(call: keyof BackOfficePaths, answer: Buffer): void;
	/** The bytes of a picture that the back office has named. Rejects for any other address, and where none comes. */
	read(url: string, signal: AbortSignal): Promise<Buffer>;
	handler: Handler;
}

export function openPictures(parts: { download: Download; clock: Clock; log: Log }): Pictures {
	/** In the order in which they were named last. */
	const known = new Set<string>();

	async function pass(url: string, response: ServerResponse): Promise<void> {
		const ending = new AbortController();
		const cancelLimit = parts.clock.after(LIMIT_MS, () => ending.abort(new Error(`no picture within ${LIMIT_MS} ms`)));
		response.on('close', () => ending.abort());
		try {
			const { type, bytes } = await fetchPicture(parts.download, url, ending.signal);
			response.writeHead(200, { 'Content-Type': type, 'Content-Length': bytes.length, 'Cache-Control': 'private, max-age=300' });
			response.end(bytes);
		} catch (error) {
			if (response.destroyed) return;
			const reason = messageOf(ending.signal.aborted ? ending.signal.reason : error);
			// The address alone may carry what a customer pays with.
			parts.log.event('screen.picture_failed', { host: new URL(url).host, reason });
			refuse(response, 502, 'no_picture', reason);
		} finally {
			cancelLimit();
		}
	}

	return {
		learn(call, answer) {
			if (!NAMING.has(call)) return;
			for (const url of picturesIn(parsed(answer.toString('utf8')))) {
				known.delete(url);
				known.add(url);
			}
			for (const oldest of known) {
				if (known.size <= MOST_KNOWN) break;
				known.delete(oldest);
			}
		},
		async read(url, signal) {
			if (!known.has(url)) throw new Error('the back office has not named it');
			return (await fetchPicture(parts.download, url, signal)).bytes;
		},
		async handler(request, response, path) {
			if (path !== PATH || request.method !== 'GET') return false;
			const url = askedFor(request);
			if (known.has(url)) await pass(url, response);
			else refuse(response, 404, 'not_found', 'the back office has not named this picture');
			return true;
		},
	};
}

const askedFor = (request: IncomingMessage): string => new URL(request.url ?? '', 'http://localhost').searchParams.get('url') ?? '';

/** Web addresses under `qr_url` and `logo` anywhere, and everywhere in `json_data`, which some servers send as JSON in a string. */
export function picturesIn(answer: unknown, anywhere = false, depth = 0): string[] {
	if (typeof answer !== 'object' || answer === null || depth > DEEPEST) return [];
	return Object.entries(answer).flatMap(([key, value]) => {
		const inside = anywhere || key === 'json_data';
		if (typeof value !== 'string') return picturesIn(value, inside, depth + 1);
		if (WEB.test(value)) return (inside || key === 'qr_url' || key === 'logo') && URL.canParse(value) ? [value] : [];
		return key === 'json_data' ? picturesIn(parsed(value), true, depth + 1) : [];
	});
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

/** Rejects with an error that says what is wrong with it. */
async function fetchPicture(download: Download, url: string, signal: AbortSignal): Promise<{ type: string; bytes: Buffer }> {
	const response = await download(url, { headers: { Accept: 'image/*' }, signal });
	try {
		if (response.statusCode !== 200) throw new Error(`its server answers ${response.statusCode}`);
		const type = response.headers['content-type'] ?? 'nothing';
		if (!/^image\/[\w.+-]+\s*(;|$)/i.test(type)) throw new Error(`it is ${type}, not a picture`);
		const chunks: Buffer[] = [];
		let size = 0;
		for await (const chunk of response as AsyncIterable<Buffer>) {
			size += chunk.length;
			if (size > LARGEST_PICTURE_BYTES) throw new Error(`it is larger than ${LARGEST_PICTURE_BYTES} bytes`);
			chunks.push(chunk);
		}
		if (!response.complete) throw new Error('it was cut off');
		return { type, bytes: Buffer.concat(chunks) };
	} finally {
		response.destroy();
	}
}
