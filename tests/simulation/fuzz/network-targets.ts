/**
 * Feeds raw bytes of HTTP answers and WebSocket frames to the daemon's clients over real sockets.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { Id } from '@kiosk/contract/back-office';
import { backOfficeClient } from '../../../daemon/src/back-office/client.ts';
import { openSocket, startLiveLink } from '../../../daemon/src/back-office/live-link.ts';
import type { OutletToken } from '../../../daemon/src/back-office/token.ts';
import type { Clock } from '../../../daemon/src/base/clock.ts';
import { Secret } from '../../../daemon/src/base/secret.ts';
import { downloader } from '../../../daemon/src/http/download.ts';
import { readAnswer } from '../../../daemon/src/http/http-call.ts';
import type { Reach, Target } from './engine.ts';

/** Time limit of a call or download, ms. */
const LIMIT_MS = 150;
/** On a busy computer a call may take longer than its limit, by at most this time, ms. */
const SLACK_MS = 10_000;
const LARGEST_BYTES = 2 * 1024 * 1024;
const FAILURES: readonly string[] = ['timeout', 'unreachable', 'odd_status', 'odd_answer'];

/** A TCP server on loopback that answers each connection after its request. */
function rawServer(answer: (socket: Socket, request: string) => void): { port: () => Promise<number>; stop: () => void } {
	let server: Server | null = null;
	const open = new Set<Socket>();
	return {
		async port() {
			if (server === null) {
				server = createServer((socket) => {
					open.add(socket);
					socket.on('close', () => open.delete(socket));
					socket.on('error', () => undefined);
					socket.once('data', (request) => answer(socket, request.toString('latin1')));
				}).listen(0, '127.0.0.1');
				await once(server, 'listening');
			}
			const address = server.address();
			return typeof address === 'object' && address ? address.port : 0;
		},
		stop() {
			for (const socket of open) socket.destroy();
			server?.close();
		},
	};
}

async function within<T>(what: string, ms: number, settled: Promise<T>): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error(`${what} has not settled within ${ms} ms`)), ms);
	});
	try {
		return await Promise.race([settled, late]);
	} finally {
		clearTimeout(timer);
	}
}

/** @returns the message without values of the input, so that few different messages remain */
const worded = (sentence: string): string => sentence.replace(/\d+/g, '0').slice(0, 60);

let http: Buffer = Buffer.alloc(0);
/** If the input has an odd number of bytes, the connection stays open. */
const httpServer = rawServer((socket) => {
	socket.write(http);
	if (http.length % 2 === 0) socket.end();
});

const httpAnswers: Target = {
	name: 'http-answers',
	slow: true,
	words: [
		'HTTP/1.1 ',
		'200 OK\r\n',
		'101 Switching Protocols\r\n',
		'000 ',
		'099 ',
		'304 ',
		'302 Found\r\nLocation: ',
		'Content-Length: ',
		'Transfer-Encoding: chunked\r\n',
		'Connection: Upgrade\r\nUpgrade: websocket\r\n',
		'Content-Type: application/json\r\n',
		'Set-Cookie: csrftoken=',
		'\r\n\r\n',
		'\r\n',
		'5\r\nhello\r\n',
		'0\r\n\r\n',
		'http://127.0.0.1/',
		'\xff',
		'\x00',
		'{"results":',
	],
	async run(input) {
		http = input;
		const url = `http://127.0.0.1:${await httpServer.port()}`;
		return [await called(url), await downloaded(url)];
	},
	stop: () => httpServer.stop(),
};

async function called(url: string): Promise<string> {
	const call = backOfficeClient({ url, timeout_ms: LIMIT_MS });
	const answer = await within('a call', LIMIT_MS + SLACK_MS, call({ method: 'GET', path: '/', headers: {} }));
	if (!answer.ok) {
		if (!FAILURES.includes(answer.error.code)) throw new Error(`it fails with ${answer.error.code}`);
		return `${answer.error.code} ${worded(answer.error.message)}`;
	}
	const { status, contentType, setCookie } = answer.value;
	if (status < 200 || status > 599) throw new Error(`the status ${status} is passed on`);
	if (![contentType, ...setCookie].every((header) => /^[\x20-\x7e]+$/.test(header))) throw new Error('an invalid header is passed on');
	return `${Math.floor(status / 100)}xx`;
}

async function downloaded(url: string): Promise<string> {
	const ending = new AbortController();
	const timer = setTimeout(() => ending.abort(), LIMIT_MS);
	try {
		const response = await within('a download', LIMIT_MS + SLACK_MS, downloader({ url })(url, { signal: ending.signal }));
		const body = await within('a body', LIMIT_MS + SLACK_MS, readAnswer(response, LARGEST_BYTES));
		return body.ok ? 'downloaded' : `not downloaded: ${worded(body.error.message)}`;
	} catch (error) {
		if (!(error instanceof Error) || /settled/.test(error.message)) throw error;
		return worded(error.message);
	} finally {
		clearTimeout(timer);
	}
}

let frames: Buffer = Buffer.alloc(0);
/**
 * An input that begins like an HTTP answer is the handshake itself; any other input follows a valid
 * handshake.
 */
const socketServer = rawServer((socket, request) => {
	if (!frames.toString('latin1', 0, 5).startsWith('HTTP/')) socket.write(handshake(request));
	socket.end(frames);
});

function handshake(request: string): string {
	const key = /sec-websocket-key: (\S+)/i.exec(request)?.[1] ?? '';
	// RFC 6455, 4.2.2.
	const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
	const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade', `Sec-WebSocket-Accept: ${accept}`];
	return `${[...lines, 'Sec-WebSocket-Protocol: echo-protocol'].join('\r\n')}\r\n\r\n`;
}

const session = { token: new Secret('t'), development: false, refused: false };
const token = { current: () => session, onChange: () => {} } as unknown as OutletToken;
/** The clock stands still, so the result depends only on the bytes. */
const clock: Clock = { now: () => 0, wall: () => new Date(0), after: () => () => {} };

const socketFrames: Target = {
	name: 'socket-frames',
	slow: true,
	words: [
		'HTTP/1.1 101 Switching Protocols\r\n',
		'HTTP/1.1 403 Forbidden\r\n\r\n',
		'\x81\x02{}',
		'\x81\x7e\x00\x80',
		'\x82\x01\xff',
		'\x88\x02\x03\xe8',
		'\x89\x00',
		'\x8a\x01x',
		'\x01\x01{',
		'\x80\x01}',
		'\x81\x7f\x00\x00\x00\x01\x00\x00\x00\x00',
		'\xc1',
		'{"text":{"type":"payment_notification","id":7}}',
	],
	async run(input) {
		frames = input;
		const reached: string[] = [];
		let lost = () => {};
		const over = new Promise<void>((resolve) => {
			lost = resolve;
		});
		const link = startLiveLink({
			url: `ws://127.0.0.1:${await socketServer.port()}/ws/{token}/`,
			open: openSocket(undefined),
			token,
			clock,
			log: {
				event(id, fields) {
					// The link only logs an exception. Here the exception must fail the run.
					if (id === 'screen.handler_failed') throw new Error(JSON.stringify(fields));
					reached.push(worded(`${id} ${'reason' in fields ? fields.reason : ''}`));
					if (id === 'socket.lost') lost();
				},
			},
			random: () => 0,
			isNonCashShown: () => false,
			onChanged: () => {},
			relay(text) {
				if (text.type.startsWith('kiosk_')) throw new Error(`${text.type} is passed on, but only the kiosk may send it`);
				JSON.stringify({ text });
			},
			onPaid: (id: Id) => JSON.stringify(id) !== '',
		});
		try {
			await within('the loss of the socket', SLACK_MS, over);
			if (link.isConnected()) throw new Error('a closed socket counts as open');
		} finally {
			link.stop();
		}
		return reached satisfies Reach;
	},
	stop: () => socketServer.stop(),
};

export const NETWORK_TARGETS: readonly Target[] = [httpAnswers, socketFrames];
