import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { formDataField, readBody } from './handler.ts';

const LARGEST = 300_000;

/** Sends these bytes after the head of a request. @returns how `readBody` reads it */
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

test('a body in pieces is read whole', async () => {
	expect(await readAs(`${chunks('{"a"', 1)}${chunks(':', 1)}${chunks('1}', 1)}${END}`)).toBe('{"a":1}');
	const large = 'ab'.repeat(10_000);
	expect(await readAs(`${chunks(large, 10)}${END}`)).toBe(large.repeat(10));
});

test('a body that is too large, or comes byte by byte, is refused', async () => {
	expect(await readAs(`${chunks('x'.repeat(1_000), 301)}${END}`)).toBe('too_large');
	expect(await readAs(chunks('x', 10_000))).toBe('too_large');
});

test('a form is read unless it has more parts than any page sends', async () => {
	const part = (name: string, value: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
	const read = (body: string) => formDataField(Buffer.from(body), 'multipart/form-data; boundary=b');
	expect(await read(`${part('formData', '{"pin":"1"}')}--b--\r\n`)).toBe('{"pin":"1"}');
	expect(await read(`${part('x', '').repeat(9_000)}${part('formData', '{}')}--b--\r\n`)).toBeNull();
});
