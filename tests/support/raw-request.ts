import { request } from 'node:http';
import WebSocket from 'ws';

export interface RawAnswer {
	status: number;
	headers: Record<string, string | string[] | undefined>;
	body: string;
}

/**
 * Sends a request with exactly this path and these headers. `fetch` would normalise the path and
 * forbids some headers.
 * @param origin such as `http://127.0.0.1:8080`
 */
export function rawRequest(
	origin: string,
	method: string,
	path: string,
	headers: Record<string, string> = {},
	body = '',
): Promise<RawAnswer> {
	const { hostname, port } = new URL(origin);
	return new Promise((resolve, reject) => {
		const sent = request({ hostname, port, path, method, headers, agent: false }, (response) => {
			let text = '';
			response.setEncoding('utf8').on('data', (part) => {
				text += part;
			});
			response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
		});
		sent.on('error', reject).end(body);
	});
}

/** @returns 101 if the live socket is opened, otherwise the HTTP status of the refusal */
export function upgradeStatus(
	origin: string,
	path: string,
	options: WebSocket.ClientOptions = {},
	protocols: readonly string[] = ['echo-protocol'],
): Promise<number> {
	return new Promise((resolve) => {
		const socket = new WebSocket(origin.replace('http', 'ws') + path, [...protocols], options);
		socket.on('open', () => {
			socket.terminate();
			resolve(101);
		});
		socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
		socket.on('error', () => undefined);
	});
}
