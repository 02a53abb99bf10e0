// @module-tag deep
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventId } from '../../../daemon/src/log/events.ts';
import { bytes, json, type RawOffice, startRawOffice } from '../../simulators/back-office/raw-office.ts';
import { type Daemon, freePort, startDaemon } from '../../support/daemon.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';

const MB = 1024 * 1024;
const LOOKUP = '/payment/api/v1/get-invoice-info/';
const PATHS: [string, string][] = [
	['POST', '/auth/login-outlet/'],
	['POST', '/payment/api/v1/login-pin-screen/'],
	['GET', '/payment/api/v1/payment-group/'],
	['POST', '/payment/api/v1/resend-callback/7'],
	['POST', LOOKUP],
	['POST', '/payment/api/v1/payment/'],
	['GET', '/payment/api/v1/master-va/'],
	['POST', '/payment/api/v1/cancel-payment/'],
];

/** One daemon serves all tests, one after the other. */
let directory: string;
let office: RawOffice;
let daemon: Daemon;
let ended = false;
let token = '';
/** Session key of a page on which the PIN was entered. */
let session = '';
let logins = 0;

beforeAll(async () => {
	directory = temporaryFolder('kiosk');
	office = await startRawOffice();
	await start();
	await logIn();
});
afterAll(async () => {
	await daemon.kill();
	await office.stop();
	rmSync(directory, { recursive: true, force: true });
});

/** Logs in with a new token, so that the live socket reopens at once. */
async function logIn(): Promise<void> {
	logins += 1;
	token = `outlet-token-${logins}`;
	office.answer('login-outlet', json({ token, development: false }));
	const answer = await call('POST', '/auth/login-outlet/', { username: 'a', password: 'b' });
	expect(answer.status).toBe(200);
	session = JSON.parse(answer.text).token;
	office.answer('login-pin', json({ success: true }));
	expect((await call('POST', '/payment/api/v1/login-pin-screen/', { pin: '1' })).status).toBe(200);
}

/** @returns a function that returns the log lines of this event since `from` was called */
function from(id: EventId): () => ReturnType<Daemon['events']> {
	const before = daemon.events(id).length;
	return () => daemon.events(id).slice(before);
}

async function start(): Promise<void> {
	const socketUrl = `${office.url.replace('http', 'ws')}/ws/{token}/`;
	daemon = await startDaemon({
		directory,
		port: await freePort(),
		settings: `[back_office]\nurl = "${office.url}"\nsocket_url = "${socketUrl}"\ntimeout_ms = 2000\n`,
	});
	ended = false;
	void daemon.ended.then(() => {
		ended = true;
	});
}

async function call(method: string, path: string, value: object = {}): Promise<{ status: number; text: string }> {
	const body = new FormData();
	body.set('formData', JSON.stringify(value));
	const headers = { Authorization: `Token ${session}` };
	const response = await fetch(daemon.url + path, { method, headers, ...(method === 'POST' ? { body } : {}) });
	return { status: response.status, text: await response.text() };
}

const storedLogIn = (): string => readFileSync(join(directory, 'journal', 'outlet-token.json'), 'utf8');

/** Checks that the daemon still runs, answers, and has logged no failed handler. */
async function isWell(): Promise<void> {
	expect((await fetch(`${daemon.service}/health`)).status).toBeLessThan(600);
	expect(ended).toBe(false);
	expect(daemon.events('screen.handler_failed')).toEqual([]);
}

const INVOICE = { id: 7, noinvoice: 'INV/7', total: 137_500, is_paid: false, list_pembayaran: [], list_invoice: [] };

test('the page gets a refusal for every call that the server answers with an invalid HTTP status', async () => {
	for (const status of ['000', '001', '099', '600', '999']) {
		office.answer('/', json({ token: 'x', results: [] }, `HTTP/1.1 ${status} Odd`));
		for (const [method, path] of status === '000' ? PATHS : PATHS.slice(4, 6)) {
			const answer = await call(method, path, path === LOOKUP ? { noinvoice: '1' } : { id: 1, username: 'a' });
			expect([path, status, answer.status, JSON.parse(answer.text).code]).toEqual([path, status, 502, 'back_office_odd_status']);
		}
	}
	await isWell();
});

const typed = (type: string, body: Buffer): Parameters<RawOffice['answer']>[1] =>
	bytes(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`, body);

test('whatever encoding the server names, an invoice reaches the page only in the form in which the daemon has read it', async () => {
	const invoice = { ...INVOICE, id: 700, noinvoice: 'INV/700', is_paid: true };
	const paid = JSON.stringify({ results: invoice });
	office.answer(LOOKUP, typed('application/json; charset=utf-16le', Buffer.from(paid, 'utf16le')));
	expect(await call('POST', LOOKUP, { noinvoice: '1' })).toEqual({ status: 200, text: '{}' });
	office.answer(LOOKUP, typed('application/json; charset=shift_jis', Buffer.from(`\ufeff${paid}`)));
	const body = new FormData();
	body.set('formData', JSON.stringify({ noinvoice: '1' }));
	const response = await fetch(daemon.url + LOOKUP, { method: 'POST', headers: { Authorization: `Token ${session}` }, body });
	expect(response.headers.get('content-type')).toBe('application/json');
	expect(Buffer.from(await response.arrayBuffer()).toString('latin1')).toBe(paid);
	const opened = await call('POST', '/payment/api/v1/open-machine/', invoice);
	expect(JSON.parse(opened.text)).toMatchObject({ is_paid: true });
	await isWell();
});

test.each<[string, Parameters<RawOffice['answer']>[1]]>([
	['101 and nothing', bytes('HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')],
	[
		'101 with a connection that stays open',
		(socket) => void socket.write('HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
	],
	['100 for ever', (socket) => void socket.write('HTTP/1.1 100 Continue\r\n\r\n')],
	['a head cut off', bytes('HTTP/1.1 200 OK\r\nContent-')],
	['a body cut off', bytes('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"results":')],
	['silence', () => undefined],
	['JSON nested 200,000 deep', json(`{"results":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)],
	['JSON with two million values', json(`{"results":[${'{},'.repeat(2_000_000)}{}]}`)],
	['bytes that are not UTF-8', json(Buffer.from('{"results":"\xff\xfe"}', 'latin1').toString('latin1'))],
	[
		'an unpaired surrogate in every text',
		json('{"results":{"id":7,"noinvoice":"\\ud800","total":1,"konsumen_name":"\\udfff"},"logo":"\\ud83d"}'),
	],
	['an invalid content type', bytes(Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: \xff\xfe\r\nContent-Length: 2\r\n\r\n{}', 'latin1'))],
	['invalid cookies', bytes(Buffer.from('HTTP/1.1 200 OK\r\nSet-Cookie: csrftoken=\xff\r\nContent-Length: 2\r\n\r\n{}', 'latin1'))],
	['204 with a body', json({ results: INVOICE }, 'HTTP/1.1 204 No Content')],
	['304', json({ results: INVOICE }, 'HTTP/1.1 304 Not Modified')],
	['a redirect into the kiosk', bytes('HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n')],
])('with %s as each answer of the server, the daemon keeps running and answers its page', async (_what, answer) => {
	office.answer('/', answer);
	await Promise.all(
		PATHS.slice(2, 8).map(async ([method, path]) => expect((await call(method, path, { noinvoice: '1' })).status).toBeGreaterThan(199)),
	);
	office.answer('master-va', json({ results: [] }));
	expect((await call('GET', '/payment/api/v1/master-va/')).status).toBe(200);
	await isWell();
});

test.each(['\\ud800', 'a\\r\\nX-More: 1', 'spaced out', '..', '', 'x'.repeat(5_000), 'töken'])(
	'a log-in with the token "%s" is refused and the token is not kept',
	async (token) => {
		office.answer('login-outlet', json(`{"token":"${token}","development":false}`));
		const odd = from('back_office.odd_answer');
		const loggedIn = from('session.logged_in');
		const stored = storedLogIn();
		await call('POST', '/auth/login-outlet/', { username: 'a', password: 'b' });
		await until(() => expect(odd()).toMatchObject([{ call: 'login' }]));
		expect(loggedIn()).toEqual([]);
		expect(storedLogIn()).toBe(stored);
		await isWell();
	},
);

test.each([
	'{"token":"\\ud800","development":false}',
	'{"token":"a\\nb","development":false}',
	'{"token":',
	'[]',
	'',
	// The error of `JSON.parse` would quote this text.
	'sandi99-of-the-outlet',
	'{"token":"sandi99-of-the-outlet',
	'{"token":"sandi99-of-the-outlet","development":false}',
	'{"token":"sandi99-of-the-outlet\\n","development":false,"outlet":"a","server":"a","socket":"a","ca":""}',
])(
	'if the stored log-in is the invalid text %j, the started daemon reports the file without quoting it, and staff can log in',
	async (stored) => {
		await daemon.stop();
		writeFileSync(join(directory, 'journal', 'outlet-token.json'), stored);
		await start();
		expect(daemon.events('session.stored_unusable')).toHaveLength(1);
		const seen = [JSON.stringify(daemon.log), await (await fetch(`${daemon.service}/health`)).text()];
		for (const path of ['/', '/kiosk/settings', '/kiosk/visit']) seen.push(JSON.stringify(await call('GET', path)));
		// The first call of the list, the log-in, is made below.
		for (const [method, path] of PATHS.slice(1)) seen.push(JSON.stringify(await call(method, path, { noinvoice: '1', username: 'a' })));
		for (const text of seen) expect(text).not.toContain('sandi99');
		await isWell();
		await logIn();
		expect(daemon.events('session.logged_in')).toHaveLength(1);
	},
);

test('24 pictures and picture addresses of 7.5 MB each do not fill the memory', async () => {
	for (let at = 0; at < 24; at += 1) {
		const picture = `data:image/png;base64,é${String(at).padEnd(7.5 * MB, 'A')}`;
		const named = `https://pictures.example/${String(at).padEnd(7.5 * MB, 'a')}`;
		const results =
			at % 2 === 0 ? { ...INVOICE, qr_url: picture } : { ...INVOICE, qr_url: named, json_data: { url: 'https://x.example/' } };
		office.answer(LOOKUP, json({ results: { ...results, id: at }, logo: '' }));
		expect((await call('POST', LOOKUP, { noinvoice: '1' })).status).toBe(200);
	}
	await isWell();
	const resident = Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${daemon.pid}/status`, 'utf8'))?.[1]) * 1024;
	expect(resident).toBeLessThan(250 * MB);
});

test('if the server sends a megabyte in place of a flag, the value is logged only in short form and not kept', async () => {
	const odd = from('back_office.odd_answer');
	const stored = storedLogIn();
	office.answer('login-outlet', json({ token: 'x', development: 'x'.repeat(MB) }));
	await call('POST', '/auth/login-outlet/', { username: 'a', password: 'b' });
	await until(() => expect(odd()).toHaveLength(1));
	expect(JSON.stringify(odd()).length).toBeLessThan(1_000);
	expect(storedLogIn()).toBe(stored);
	for (const { name } of readdirSync(join(directory, 'journal'), { withFileTypes: true }).filter((entry) => entry.isFile()))
		expect([name, readFileSync(join(directory, 'journal', name), 'latin1').includes('x'.repeat(1_000))]).toEqual([name, false]);
	expect(JSON.stringify(daemon.log)).not.toContain('x'.repeat(1_000));
});

const UPGRADED = (request: string): string => {
	const key = /sec-websocket-key: (\S+)/i.exec(request)?.[1] ?? '';
	const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
	return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: echo-protocol\r\n\r\n`;
};
const frame = (first: number, payload: Buffer): Buffer => {
	const head =
		payload.length < 126
			? Buffer.from([first, payload.length])
			: payload.length < 65_536
				? Buffer.from([first, 126, payload.length >> 8, payload.length & 255])
				: Buffer.concat([Buffer.from([first, 127, 0, 0, 0, 0]), uint32(payload.length)]);
	return Buffer.concat([head, payload]);
};
const uint32 = (value: number): Buffer => {
	const four = Buffer.alloc(4);
	four.writeUInt32BE(value);
	return four;
};
/** First byte of the answer to a ping. */
const PONG = 0x8a;
const text = (words: string): Buffer => frame(0x81, Buffer.from(words));
const open =
	(...frames: Buffer[]) =>
	(socket: Socket, request: string): void => {
		socket.write(UPGRADED(request));
		for (const one of frames) socket.write(one);
	};

test.each<[string, Parameters<RawOffice['answer']>[1]]>([
	['a refusal', json({}, 'HTTP/1.1 403 Forbidden')],
	['the status 000', json({}, 'HTTP/1.1 000 Odd')],
	['the status 999', json({}, 'HTTP/1.1 999 Odd')],
	['a redirect into the kiosk', bytes('HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:1/\r\n\r\n')],
	['an answer that is not HTTP', bytes('SSH-2.0-x\r\n')],
	['a wrong key', bytes('HTTP/1.1 101 S\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n')],
	['another protocol', bytes('HTTP/1.1 101 S\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n')],
	[
		'an extension',
		(socket, request) => void socket.write(UPGRADED(request).replace('\r\n\r\n', '\r\nSec-WebSocket-Extensions: x\r\n\r\n')),
	],
	['reserved bits', open(frame(0xf1, Buffer.from('{}')))],
	['an unknown opcode', open(frame(0x83, Buffer.from('{}')))],
	['a masked frame', open(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x7b, 0x7d]))],
	['a frame of 2^63 bytes', open(Buffer.from([0x81, 127, 0x7f, 255, 255, 255, 255, 255, 255, 255]))],
	['a message that is too long', open(text(`"${'x'.repeat(300_000)}"`))],
	['text that is not UTF-8', open(frame(0x81, Buffer.from([0xff, 0xfe])))],
	['a continuation frame without a first frame', open(frame(0x80, Buffer.from('x')))],
	['an invalid close frame', open(frame(0x88, Buffer.from([0xff])))],
	['a ping that is too long', open(frame(0x89, Buffer.alloc(126)))],
])('with %s on the live socket the daemon keeps running and reconnects after about 2 s or later', async (_what, answer) => {
	const times: number[] = [];
	office.answer('/ws/', (socket, request) => {
		times.push(performance.now());
		answer(socket, request);
	});
	await logIn();
	await until(() => expect(times.length).toBeGreaterThan(1));
	const [first = 0, second = 0] = times;
	expect(second - first).toBeGreaterThan(1_900);
	await isWell();
});

test('after malformed messages the live socket stays open and the daemon continues', async () => {
	const shapes = [
		'',
		'{',
		'null',
		'7',
		'{"text":null}',
		'{"text":{"type":7}}',
		`{"text":{"type":"x","deep":${'['.repeat(60_000)}${']'.repeat(60_000)}}}`,
		JSON.stringify({ text: `{"type":"x","deep":${'['.repeat(60_000)}${']'.repeat(60_000)}}` }),
		'{"text":{"type":"payment_notification","id":{}}}',
		'{"text":{"type":"payment_notification","id":"\\ud800","is_paid":true}}',
		'{"text":{"type":"\\ud800","__proto__":{"a":1}}}',
		'{"text":{"type":"payment_notification","id":7,"is_paid":"maybe"}}',
	];
	const malformed = open(...shapes.map(text), frame(0x82, Buffer.from([0xff])), frame(0x89, Buffer.from('x')));
	const answered: number[] = [];
	office.answer('/ws/', (socket, request) => {
		socket.on('data', ([first]) => answered.push(first ?? 0));
		malformed(socket, request);
	});
	const odd = from('socket.odd_message');
	await logIn();
	// The ping is the last message, so its answer proves that the socket is still open.
	await until(() => expect(answered).toContain(PONG));
	await until(() => expect(odd().length).toBeGreaterThan(5));
	await isWell();
});
