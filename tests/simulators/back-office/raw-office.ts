import { createServer, type Socket } from 'node:net';
import { listen } from '../listen.ts';

/** Answers one request with bytes on the socket. */
export type RawAnswer = (socket: Socket, request: string) => void;

/** A back office without an HTTP server: a TCP server that writes any bytes. */
export interface RawOffice {
	/** e.g. http://127.0.0.1:40123 */
	url: string;
	/** The latest request lines, e.g. "GET /ws/abc/ HTTP/1.1". */
	asked: string[];
	/**
	 * Sets the answer to requests whose request line contains this text. If several match, the answer
	 * set last applies.
	 */
	answer(text: string, answer: RawAnswer): void;
	stop(): Promise<void>;
}

const MOST_ASKED = 1_000;

/** @returns an answer that sends these bytes and then closes the connection */
export const bytes =
	(...parts: (string | Buffer)[]): RawAnswer =>
	(socket) => {
		for (const part of parts) socket.write(part);
		socket.end();
	};

/** @returns a complete HTTP answer with JSON; `head` is its status line, e.g. "HTTP/1.1 099 Odd" */
export const json = (value: unknown, head = 'HTTP/1.1 200 OK'): RawAnswer => {
	const body = typeof value === 'string' ? value : JSON.stringify(value);
	return bytes(`${head}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`, body);
};

export async function startRawOffice(): Promise<RawOffice> {
	const answers: [string, RawAnswer][] = [];
	const asked: string[] = [];
	const server = createServer((socket) => {
		let request = '';
		let answered = false;
		socket.on('data', (chunk) => {
			request += chunk.toString('latin1');
			if (answered || !whole(request)) return;
			answered = true;
			const line = request.split('\r\n')[0] ?? '';
			asked.push(line);
			if (asked.length > MOST_ASKED) asked.shift();
			const answer = answers.findLast(([text]) => line.includes(text))?.[1] ?? json({}, 'HTTP/1.1 404 Not Found');
			answer(socket, request);
		});
	});
	const { port, close } = await listen(server, 0);
	return {
		url: `http://127.0.0.1:${port}`,
		asked,
		answer: (text, answer) => void answers.push([text, answer]),
		stop: close,
	};
}

function whole(request: string): boolean {
	const [head = '', body] = request.split(/\r\n\r\n([\s\S]*)/);
	const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
	return body !== undefined && body.length >= length;
}
