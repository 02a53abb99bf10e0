import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { openHttp } from './http-call.ts';
import { reachOf } from './reachable.ts';

/**
 * Films and pictures are often stored on another host, to which the server redirects. More
 * redirects than this are treated as a loop.
 */
const MOST_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/**
 * Maximum length of an address in characters. The longest addresses in use are those of QR codes
 * with a signature in the query.
 */
const LONGEST_ADDRESS = 4_096;

/**
 * Starts a GET of a file whose address the back office gave. The address is absolute, or relative
 * to the back office's address. No host gets a token or cookie. Follows up to three redirects, but
 * only to http(s) addresses at hosts that `reachable.ts` allows. Resolves with the response, whose
 * body is unread. Rejects with an error that gives the reason. `signal` cancels the request and the
 * reading of the body.
 */
export type Download = (address: string, options: { headers?: Record<string, string>; signal: AbortSignal }) => Promise<IncomingMessage>;

/**
 * @param backOffice address and certificate authority. This authority is used only for the back
 * office's host; the public authorities are used for all other hosts
 */
export function downloader(backOffice: { url: string; ca_file?: string | undefined }): Download {
	const own = new URL(backOffice.url);
	const ca = backOffice.ca_file ? readFileSync(backOffice.ca_file) : undefined;
	const reach = reachOf(own);

	async function get(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<IncomingMessage> {
		if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error(`${url.protocol} is not http(s)`);
		const problem = reach.problem(url);
		if (problem !== null) throw new Error(problem);
		const opened = await openHttp({
			url,
			method: 'GET',
			headers,
			signal,
			ca: url.hostname === own.hostname ? ca : undefined,
			lookup: reach.lookup(url),
		});
		if (!opened.ok) throw new Error(opened.error.message);
		return opened.value;
	}

	return async (address, { headers: asked = {}, signal }) => {
		if (address.length > LONGEST_ADDRESS) throw new Error(`its address is longer than ${LONGEST_ADDRESS} characters`);
		// Compression is not accepted, because the received bytes are stored and forwarded unchanged.
		const headers = { 'Accept-Encoding': 'identity', ...asked };
		let url = new URL(address, own);
		for (let redirects = 0; ; redirects += 1) {
			const response = await get(url, headers, signal);
			const { location } = response.headers;
			if (!REDIRECTS.has(response.statusCode ?? 0) || location === undefined) return response;
			response.destroy();
			if (redirects === MOST_REDIRECTS) throw new Error(`more than ${MOST_REDIRECTS} redirects`);
			url = new URL(location, url);
		}
	};
}
