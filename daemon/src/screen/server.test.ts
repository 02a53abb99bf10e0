import { once } from 'node:events';
import type { Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { freePort } from '../../../tests/support/daemon.ts';
import type { OutletToken } from '../back-office/token.ts';
import { systemClock } from '../base/clock.ts';
import type { Handler } from '../http/handler.ts';
import type { Log } from '../log/log.ts';
import { type ScreenHub, startScreenHub } from './hub.ts';
import { screenServer } from './server.ts';
import type { ScreenSessions } from './sessions.ts';

/** Longer than an answer takes; without the guard none comes. */
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
async function start(handlers: readonly Handler[]): Promise<void> {
	hub = startScreenHub({
		clock: systemClock,
		log,
		greeting: () => [],
		seenBy: (text) => text,
		onCount: () => {},
		onMessage: () => {},
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
])('a handler that %s is answered with 500 and logged once, and the next request is answered', async (_how, broken) => {
	await start([
		(request, response, path) => path === '/broken' && broken(request, response, path),
		(_request, response, path) => path === '/well' && Boolean(response.end('well')),
	]);
	const answer = await call('/broken');
	expect([answer.status, await answer.json()]).toEqual([500, { code: 'fault', reason: expect.stringContaining('its log') }]);
	expect(faults).toEqual([{ error: 'TypeError', message: 'no such field', place: expect.any(String), count: 1 }]);
	expect(await (await call('/well')).text()).toBe('well');
});

test('an answer that fails halfway is cut off, so that the page does not take it for complete', async () => {
	await start([
		(_request, response) => {
			response.writeHead(200, { 'Content-Length': 10 }).write('half');
			return fail('the rest is missing');
		},
	]);
	// A TimeoutError would mean that the connection stays open.
	await expect(call('/').then((answer) => answer.text())).rejects.toThrow(TypeError);
	expect(faults).toMatchObject([{ message: 'the rest is missing', count: 1 }]);
});
