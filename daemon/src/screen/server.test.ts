import { once } from 'node:events';
import type { Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import { freePort } from '../../../tests/support/daemon.ts';
import { until } from '../../../tests/support/until.ts';
import type { OutletToken } from '../back-office/token.ts';
import { systemClock } from '../base/clock.ts';
import type { Handler } from '../http/handler.ts';
import type { Log } from '../log/log.ts';
import { type ScreenHub, type ScreenHubDeps, startScreenHub } from './hub.ts';
import { screenServer } from './server.ts';
import type { ScreenSessions } from './sessions.ts';

/** Longer than any answer takes. A test fails if no answer comes within this time. */
const ANSWER_MS = 5_000;

const faults: Record<string, unknown>[] = [];
const log: Log = { event: (id, fields) => void (id === 'screen.handler_failed' && faults.push({ ...fields })) };
let server: Server;
let hub: ScreenHub;
let address: string;

afterEach(() => {
	hub.stop();
	server.closeAllConnections();
	server.close();
	faults.length = 0;
});

/** Starts the server on a free port. */
async function start(handlers: readonly Handler[], screen: Partial<Pick<ScreenHubDeps, 'greeting' | 'onMessage'>> = {}): Promise<void> {
	hub = startScreenHub({
		clock: systemClock,
		log,
		greeting: () => [],
		seenBy: (text) => text,
		onCount: () => {},
		onMessage: () => {},
		...screen,
	});
	const sessions = { withKey: () => ({ id: 'session' }) } as unknown as ScreenSessions;
	const token = { current: () => ({}) } as unknown as OutletToken;
	const port = await freePort();
	address = `127.0.0.1:${port}`;
	server = screenServer({ listen: address, handlers, hub, sessions, token, log });
	server.listen(port, '127.0.0.1');
	await once(server, 'listening');
}

const call = (path: string): Promise<Response> => fetch(`http://${address}${path}`, { signal: AbortSignal.timeout(ANSWER_MS) });

const fail = (words: string): never => {
	throw new TypeError(words);
};

test.each<[string, Handler]>([
	['throws', () => fail('no such field')],
	['rejects', async () => fail('no such field')],
	['rejects later', (_request, _response, _path) => new Promise((_, reject) => setImmediate(() => reject(new TypeError('no such field'))))],
])('if a handler %s, the page gets status 500, the fault is logged once, and the next request is answered', async (_how, broken) => {
	await start([
		(request, response, path) => path === '/broken' && broken(request, response, path),
		(_request, response, path) => path === '/well' && Boolean(response.end('well')),
	]);
	const answer = await call('/broken');
	expect([answer.status, await answer.json()]).toEqual([500, { code: 'fault', reason: expect.stringContaining('its log') }]);
	expect(faults).toEqual([{ error: 'TypeError', message: 'no such field', place: expect.any(String), count: 1 }]);
	expect(await (await call('/well')).text()).toBe('well');
});

test('if a handler fails in the middle of a response, the connection is closed and the page gets an error', async () => {
	await start([
		(_request, response) => {
			response.writeHead(200, { 'Content-Length': 10 }).write('half');
			return fail('the rest is missing');
		},
	]);
	// A TimeoutError instead would mean that the connection stayed open.
	await expect(call('/').then((answer) => answer.text())).rejects.toThrow(TypeError);
	expect(faults).toMatchObject([{ message: 'the rest is missing', count: 1 }]);
});

function openPage(): WebSocket {
	const page = new WebSocket(`ws://${address}/ws/key`, 'echo-protocol');
	return page.on('error', () => {});
}
const isIn = (page: WebSocket, state: number) => until(() => expect(page.readyState).toBe(state), ANSWER_MS);

test('if the handling of a message fails, the fault is logged and the page is disconnected; the page may reconnect', async () => {
	const heard: unknown[] = [];
	await start([], {
		onMessage(message) {
			heard.push(message.message);
			if (heard.length === 1) fail('a sale without an invoice');
		},
	});
	const first = openPage();
	await isIn(first, WebSocket.OPEN);
	first.send('{"message":"ping"}');
	await isIn(first, WebSocket.CLOSED);
	expect(faults).toMatchObject([{ error: 'TypeError', message: 'a sale without an invoice', count: 1 }]);

	const second = openPage();
	await isIn(second, WebSocket.OPEN);
	second.send('{"message":"ping"}');
	await until(() => expect(heard).toEqual(['ping', 'ping']));
	expect([faults.length, second.readyState]).toEqual([1, WebSocket.OPEN]);
});

test('if the greeting of a page fails, the fault is logged and only that page is disconnected', async () => {
	let works = true;
	await start([], { greeting: () => (works ? [] : fail('no greeting')) });
	const first = openPage();
	await isIn(first, WebSocket.OPEN);
	works = false;
	await isIn(openPage(), WebSocket.CLOSED);
	expect(faults).toMatchObject([{ message: 'no greeting', count: 1 }]);
	expect([first.readyState, hub.screens()]).toEqual([WebSocket.OPEN, 1]);
});
