import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { backOfficeClient } from '../back-office/client.ts';
import { type HttpCall, httpCall } from './http-call.ts';

const LIMIT_MS = 400;
const LARGEST = 10_000;

let server: Server;
const open = new Set<Socket>();
afterEach(() => {
	for (const socket of open) socket.destroy();
	server.close();
});

/** A server that handles every connection with `answer`. @returns its address */
async function serving(answer: (socket: Socket) => void): Promise<string> {
	server = createServer((socket) => {
		open.add(socket);
		socket.on('error', () => undefined);
		socket.once('data', () => answer(socket));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

const call = (url: string, more: Partial<HttpCall> = {}) =>
	httpCall({ url: new URL(url), method: 'GET', headers: {}, limitMs: LIMIT_MS, largestBytes: LARGEST, ...more });

/** Writes the bytes and leaves the connection open. */
const says =
	(text: string | Buffer) =>
	(socket: Socket): void =>
		void socket.write(text);
const saysAndCloses =
	(text: string | Buffer) =>
	(socket: Socket): void =>
		void socket.end(text);
/** Writes `begin`, and then repeats `more` until the connection is closed. */
const endless =
	(begin: string, more: string | Buffer, everyMs = 0) =>
	(socket: Socket): void => {
		socket.write(begin);
		const write = (): void => {
			if (socket.destroyed) return;
			if (everyMs > 0 || socket.writableLength < 1_000_000) socket.write(more);
			setTimeout(write, everyMs);
		};
		write();
	};

const OK = 'HTTP/1.1 200 OK\r\n';

test.each<[string, (socket: Socket) => void, string]>([
	['the status 000', says('HTTP/1.1 000 Nothing\r\nContent-Length: 2\r\n\r\n{}'), 'odd_status'],
	['the status 099', says('HTTP/1.1 099 Odd\r\nContent-Length: 2\r\n\r\n{}'), 'odd_status'],
	['the status 600', says('HTTP/1.1 600 Odd\r\nContent-Length: 2\r\n\r\n{}'), 'odd_status'],
	['the status 999', says('HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\n{}'), 'odd_status'],
	['status 101 with another protocol', says('HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'), 'odd_status'],
	['status 101 without a protocol', says('HTTP/1.1 101 Switching\r\n\r\n'), 'odd_status'],
	['status 101 followed by a close', saysAndCloses('HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n{}'), 'odd_status'],
	['a flood of answers with status 100', endless('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000)), 'odd_answer'],
	['status 100 without a final answer', says('HTTP/1.1 100 Continue\r\n\r\n'), 'timeout'],
	['status 103 sent repeatedly', endless('', 'HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n', 10), 'timeout'],
	['a head cut off', saysAndCloses(`${OK}Content-Le`), 'unreachable'],
	['a body cut off', saysAndCloses(`${OK}Content-Length: 99\r\n\r\n{}`), 'unreachable'],
	['a chunk cut off', saysAndCloses(`${OK}Transfer-Encoding: chunked\r\n\r\nff\r\n{}`), 'unreachable'],
	['a close without an answer', saysAndCloses(''), 'unreachable'],
	['silence', () => undefined, 'timeout'],
	['a body without end', endless(`${OK}\r\n`, Buffer.alloc(1_000, 0x20)), 'odd_answer'],
	['a huge declared length', says(`${OK}Content-Length: 99999999999\r\n\r\n${' '.repeat(20_000)}`), 'odd_answer'],
	['headers without end', endless(OK, `X-More: ${'x'.repeat(1_000)}\r\n`), 'odd_answer'],
	['one huge header', says(`${OK}X-Huge: ${'x'.repeat(40_000)}\r\n\r\n`), 'odd_answer'],
	['a body sent slowly, byte by byte', endless(`${OK}Content-Length: 1000\r\n\r\n`, 'x', 20), 'timeout'],
	['a header sent slowly, byte by byte', endless(OK, 'x', 20), 'timeout'],
	['a length that is not a number', says(`${OK}Content-Length: many\r\n\r\n{}`), 'odd_answer'],
	['two lengths', says(`${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`), 'odd_answer'],
	['a bad chunk', says(`${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`), 'unreachable'],
	['a protocol other than HTTP', says('SSH-2.0-OpenSSH_10.0\r\n'), 'odd_answer'],
	['zero bytes', says(Buffer.alloc(100)), 'odd_answer'],
	['a null byte in a header', says(`${OK}X: a\0b\r\n\r\n`), 'odd_answer'],
])('%s makes the call fail within its time limit', async (_what, answer, code) => {
	const begun = performance.now();
	const answered = await call(await serving(answer));
	expect(answered).toMatchObject({ ok: false, error: { code, message: expect.stringMatching(/./) } });
	expect(performance.now() - begun).toBeLessThan(LIMIT_MS + 3_000);
});

test.each<[string, (socket: Socket) => void, { status: number; body: string }]>([
	['204 with a body', saysAndCloses('HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n{}'), { status: 204, body: '' }],
	['304', saysAndCloses('HTTP/1.1 304 Not Modified\r\n\r\n'), { status: 304, body: '' }],
	['a redirect', saysAndCloses('HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\nx'), { status: 302, body: 'x' }],
	['200 after early hints', saysAndCloses(`HTTP/1.1 103 Early Hints\r\n\r\n${OK}\r\nx`), { status: 200, body: 'x' }],
	['an HTTP/1.0 answer that ends with the connection', saysAndCloses('HTTP/1.0 200 OK\r\n\r\nx'), { status: 200, body: 'x' }],
	['200 followed by another answer', saysAndCloses(`${OK}Content-Length: 1\r\n\r\nx${OK}\r\ny`), { status: 200, body: 'x' }],
	['bytes that are not UTF-8', saysAndCloses(`${OK}\r\n\x80`), { status: 200, body: '\u0080' }],
])('%s counts as an answer', async (_what, answer, expected) => {
	const answered = await call(await serving(answer));
	if (!answered.ok) throw new Error(answered.error.message);
	expect({ status: answered.value.status, body: answered.value.body.toString() }).toEqual(expected);
});

test('a body sent byte by byte is refused before it uses much memory', async () => {
	const chunks = '1\r\nx\r\n'.repeat(100_000);
	const url = await serving(saysAndCloses(`${OK}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`));
	expect(await call(url, { largestBytes: 1_000_000, limitMs: 20_000 })).toMatchObject({
		ok: false,
		error: { code: 'odd_answer', message: expect.stringMatching('pieces') },
	});
});

test('an invalid request header or an abort makes the call fail', async () => {
	const url = await serving(() => undefined);
	expect(await call(url, { headers: { Authorization: 'Token \ud800' } })).toMatchObject({ ok: false, error: { code: 'unreachable' } });
	expect(await call(url, { signal: AbortSignal.abort() })).toMatchObject({ ok: false, error: { code: 'unreachable' } });
	const ending = new AbortController();
	const answered = call(url, { signal: ending.signal });
	setTimeout(() => ending.abort(), 50);
	expect(await answered).toMatchObject({ ok: false, error: { code: 'unreachable' } });
});

test.each([
	['nested too deeply to parse', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
	['with millions of values', `[${'[],'.repeat(1_000_000)}[]]`],
])('a back office answer %s is refused', async (_what, json) => {
	const url = await serving(saysAndCloses(`${OK}Content-Type: application/json\r\n\r\n${json}`));
	const answered = await backOfficeClient({ url, timeout_ms: 5_000 })({ method: 'GET', path: '/', headers: {} });
	expect(answered).toMatchObject({ ok: false, error: { code: 'odd_answer' } });
});

test('response headers that cannot be forwarded to the screen are dropped', async () => {
	const odd = `${OK}Content-Type: text/html\x80\r\nSet-Cookie: csrftoken=\xff\r\nSet-Cookie: csrftoken=a; Path=/\r\nContent-Length: 0\r\n\r\n`;
	const url = await serving(saysAndCloses(Buffer.from(odd, 'latin1')));
	expect(await backOfficeClient({ url, timeout_ms: 5_000 })({ method: 'GET', path: '/', headers: {} })).toMatchObject({
		ok: true,
		value: { contentType: 'application/octet-stream', setCookie: ['csrftoken=a; Path=/'] },
	});
});

test('a compressed answer is refused, because it cannot be read', async () => {
	const url = await serving(saysAndCloses(`${OK}Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc`));
	const answered = await backOfficeClient({ url, timeout_ms: 5_000 })({ method: 'POST', path: '/', headers: {} });
	expect(answered).toMatchObject({ ok: false, error: { code: 'odd_answer', message: 'the answer is compressed: gzip' } });
});

test('a call that fails before the connection exists is reported as unsent', async () => {
	const noName = await call('http://nowhere.example', { lookup: () => undefined });
	expect(noName).toMatchObject({ ok: false, error: { code: 'timeout', unsent: true } });
	const url = await serving((socket) => socket.destroy());
	expect(await call(url)).toEqual({ ok: false, error: { code: 'unreachable', message: expect.any(String) } });
	// The server does not speak TLS.
	expect(await call(url.replace('http:', 'https:'))).toMatchObject({ ok: false, error: { unsent: true } });
	server.close();
	for (const socket of open) socket.destroy();
	expect(await call(url)).toMatchObject({ ok: false, error: { code: 'unreachable', unsent: true } });
});

test('a call that times out after the connection was made is not reported as unsent', async () => {
	expect(await call(await serving(() => undefined))).toEqual({ ok: false, error: { code: 'timeout', message: expect.any(String) } });
});
