import { once } from 'node:events';
import { createServer, request as requestPlain } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { closeUnread, formDataField, readBody, refuseBody } from './handler.ts';

const LARGEST = 300_000;

/**
 * Sends these bytes as the body of a request. @returns the body, or the error code, of `readBody`
 */
async function readAs(bytes: string): Promise<unknown> {
	const server = createServer().listen(0, '127.0.0.1');
	onTestFinished(() => void server.close());
	await once(server, 'listening');
	const address = server.address();
	const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
	socket.on('error', () => undefined);
	onTestFinished(() => void socket.destroy());
	socket.write(`POST / HTTP/1.1\r\nHost: kiosk\r\nTransfer-Encoding: chunked\r\n\r\n${bytes}`);
	const [request] = await once(server, 'request');
	const body = await readBody(request, LARGEST);
	return body.ok ? String(body.value) : body.error.code;
}

const chunks = (piece: string, times: number) => `${piece.length.toString(16)}\r\n${piece}\r\n`.repeat(times);
const END = '0\r\n\r\n';

test('a body that arrives in pieces is read completely', async () => {
	expect(await readAs(`${chunks('{"a"', 1)}${chunks(':', 1)}${chunks('1}', 1)}${END}`)).toBe('{"a":1}');
	const large = 'ab'.repeat(10_000);
	expect(await readAs(`${chunks(large, 10)}${END}`)).toBe(large.repeat(10));
});

test('a body is refused if it is too large or arrives byte by byte', async () => {
	expect(await readAs(`${chunks('x'.repeat(1_000), 301)}${END}`)).toBe('too_large');
	expect(await readAs(chunks('x', 10_000))).toBe('too_large');
});

/** @returns the answer that an ordinary HTTP client receives when it sends this many bytes */
async function answerTo(bytes: number): Promise<{ status: number | undefined; body: unknown }> {
	const server = createServer(async (request, response) => {
		closeUnread(request, response);
		const body = await readBody(request);
		if (body.ok) response.end(JSON.stringify(body.value.length));
		else refuseBody(response, body.error);
	}).listen(0, '127.0.0.1');
	onTestFinished(() => void server.close());
	await once(server, 'listening');
	const address = server.address();
	const sent = requestPlain({ port: typeof address === 'object' && address ? address.port : 0, method: 'POST', agent: false });
	sent.end(Buffer.alloc(bytes));
	const [answer] = await once(sent, 'response');
	let text = '';
	for await (const part of answer) text += part;
	return { status: answer.statusCode, body: JSON.parse(text) };
}

test.each([600_000, 8_000_000])('a client that sends too large a body (%d bytes) receives the refusal', async (bytes) => {
	const reason = 'the body has more than 524288 bytes, or too many pieces';
	expect(await answerTo(bytes)).toEqual({ status: 413, body: { code: 'too_large', reason } });
});

test('a body at the limit is accepted', async () => {
	expect(await answerTo(512 * 1024)).toEqual({ status: 200, body: 512 * 1024 });
});

test('if a body does not end, the server answers and then closes the connection', async () => {
	const server = createServer(async (request, response) => {
		closeUnread(request, response);
		const body = await readBody(request);
		if (!body.ok) refuseBody(response, body.error);
	}).listen(0, '127.0.0.1');
	onTestFinished(() => void server.close());
	await once(server, 'listening');
	const address = server.address();
	const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
	socket.on('error', () => undefined);
	socket.write('POST / HTTP/1.1\r\nHost: kiosk\r\nContent-Length: 999999999999\r\n\r\n');
	const piece = Buffer.alloc(64 * 1024);
	const send = (): void => {
		while (!socket.destroyed && socket.write(piece));
	};
	socket.on('drain', send);
	send();
	let answer = '';
	socket.on('data', (part) => {
		answer += part;
	});
	await new Promise((closed) => void socket.on('close', closed));
	expect(answer).toMatch(/^HTTP\/1\.1 413 /);
});

test('a form is read; a form with thousands of parts is refused', async () => {
	const part = (name: string, value: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
	const read = (body: string) => formDataField(Buffer.from(body), 'multipart/form-data; boundary=b');
	expect(await read(`${part('formData', '{"pin":"1"}')}--b--\r\n`)).toBe('{"pin":"1"}');
	expect(await read(`${part('x', '').repeat(9_000)}${part('formData', '{}')}--b--\r\n`)).toBeNull();
});
