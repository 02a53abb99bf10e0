import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseBoundedJson } from '@kiosk/contract/bounded-json';
import type { BackOfficePaths } from '@kiosk/contract/kiosk-api';
import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/result.ts';
import type { Download } from '../http/download.ts';
import { type Handler, refuse } from '../http/handler.ts';
import { readAnswer } from '../http/http-call.ts';
import type { Log } from '../log/log.ts';

const PATH = '/kiosk/picture';
const LARGEST_PICTURE_BYTES = 2 * 1024 * 1024;
/** Maximum duration of a download, from the request to the last byte. */
const LIMIT_MS = 10_000;
/**
 * Maximum number of known addresses: more than the staff list and the customers of an hour need.
 */
const MOST_KNOWN = 300;
/**
 * Longest accepted address in characters. Together with MOST_KNOWN this limits memory to about 2
 * MB.
 */
const LONGEST_ADDRESS = 4_096;
/**
 * Limit of concurrent downloads. Each may hold a complete picture in memory. The kiosk's own page
 * needs no more: a browser opens at most six connections to one origin.
 */
const MOST_AT_ONCE = 6;
/**
 * Depth to which an answer is searched. No answer of the specification has an address this deep.
 */
const DEEPEST = 12;

/** Calls whose answers contain addresses of pictures. */
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
 * GET /kiosk/picture?url=…: downloads a picture for the screen, whose Content Security Policy
 * forbids other hosts. Only addresses from the back office's answers are allowed.
 */
export interface Pictures {
	/** Allows the addresses in an answer of the back office. */
	learn(call: keyof BackOfficePaths, answer: Buffer): void;
	/**
	 * @returns the bytes of a picture. Rejects if the address is not allowed or the download fails.
	 */
	read(url: string, signal: AbortSignal): Promise<Buffer>;
	handler: Handler;
}

export function openPictures(deps: { download: Download; clock: Clock; log: Log }): Pictures {
	/** Allowed addresses, the most recently received last. */
	const known = new Set<string>();
	let open = 0;

	async function pass(url: string, response: ServerResponse): Promise<void> {
		const ending = new AbortController();
		const cancelLimit = deps.clock.after(LIMIT_MS, () => ending.abort(new Error(`no picture within ${LIMIT_MS} ms`)));
		response.on('close', () => ending.abort());
		try {
			const { type, bytes } = await fetchPicture(deps.download, url, ending.signal);
			response.writeHead(200, { 'Content-Type': type, 'Content-Length': bytes.length, 'Cache-Control': 'private, max-age=300' });
			response.end(bytes);
		} catch (error) {
			if (response.destroyed) return;
			const reason = messageOf(ending.signal.aborted ? ending.signal.reason : error);
			// Only the host is logged: anyone with the full address may be able to load the QR code.
			deps.log.event('screen.picture_failed', { host: new URL(url).host, reason });
			refuse(response, 502, 'no_picture', reason);
		} finally {
			cancelLimit();
		}
	}

	return {
		learn(call, answer) {
			if (!NAMING.has(call)) return;
			for (const url of picturesIn(parsed(answer.toString('utf8')))) {
				if (url.length > LONGEST_ADDRESS) continue;
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
			return (await fetchPicture(deps.download, url, signal)).bytes;
		},
		async handler(request, response, path) {
			if (path !== PATH || request.method !== 'GET') return false;
			const url = askedFor(request);
			if (!known.has(url)) refuse(response, 404, 'not_found', 'the back office has not named this picture');
			else if (open >= MOST_AT_ONCE) refuse(response, 503, 'too_many_calls', `${MOST_AT_ONCE} pictures are being fetched already`);
			else {
				open += 1;
				await pass(url, response).finally(() => (open -= 1));
			}
			return true;
		},
	};
}

const askedFor = (request: IncomingMessage): string => new URL(request.url ?? '', 'http://localhost').searchParams.get('url') ?? '';

/**
 * @returns the web addresses in all fields `qr_url` and `logo`, and in every field of `json_data`.
 * Some servers send `json_data` as a JSON string.
 */
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
		return parseBoundedJson(text);
	} catch {
		return null;
	}
}

/** Downloads a picture. Rejects with the reason. */
async function fetchPicture(download: Download, url: string, signal: AbortSignal): Promise<{ type: string; bytes: Buffer }> {
	const response = await download(url, { headers: { Accept: 'image/*' }, signal });
	try {
		if (response.statusCode !== 200) throw new Error(`its server answers ${response.statusCode}`);
		const type = response.headers['content-type'] ?? 'nothing';
		if (!/^image\/[\w.+-]{1,80}\s*(;[\x20-\x7e]{0,120})?$/i.test(type)) throw new Error(`it is ${type.slice(0, 80)}, not a picture`);
		const body = await readAnswer(response, LARGEST_PICTURE_BYTES);
		if (!body.ok) throw new Error(body.error.message);
		return { type, bytes: body.value };
	} finally {
		response.destroy();
	}
}
