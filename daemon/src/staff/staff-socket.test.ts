import { mkdtempSync, rmSync } from 'node:fs';
import { request, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { until } from '../../../tests/support/until.ts';
import type { CashDesk } from '../cash/cash-desk.ts';
import type { Handler } from '../http/handler.ts';
import type { Log } from '../log/log.ts';
import { staffSocketPath, startStaffSocket } from './staff-socket.ts';

/** Longer than any answer takes. A test fails if no answer comes within this time. */
const ANSWER_MS = 5_000;

const faults: Record<string, unknown>[] = [];
const log: Log = { event: (id, fields) => void (id === 'screen.handler_failed' && faults.push({ ...fields })) };
let stateDirectory: string;
let server: Server;

beforeEach(() => {
	stateDirectory = mkdtempSync(join(tmpdir(), 'staff-'));
});
afterEach(() => {
	server.closeAllConnections();
	server.close();
	rmSync(stateDirectory, { recursive: true });
	faults.length = 0;
});

async function start(handlers: readonly Handler[], cash: Partial<CashDesk> = {}): Promise<void> {
	server = startStaffSocket({ stateDirectory, cash: cash as CashDesk, handlers, log });
	await until(() => expect(server.listening).toBe(true));
}

const call = (method: string, path: string, body = ''): Promise<{ status: number | undefined; body: string }> =>
	new Promise((resolve, reject) => {
		request({ socketPath: staffSocketPath(stateDirectory), method, path, signal: AbortSignal.timeout(ANSWER_MS) })
			.on('error', reject)
			.on('response', async (answer) => resolve({ status: answer.statusCode, body: await text(answer) }))
			.end(body);
	});

const fail = (): never => {
	throw new RangeError('no such note');
};

test.each<[string, Handler]>([
	['throws', fail],
	['rejects', async () => fail()],
])('if a staff call’s handler %s, it is answered with 500 and logged once, and the next call works', async (_how, broken) => {
	await start([
		(asked, response, path) => path === '/broken' && broken(asked, response, path),
		(_asked, response, path) => path === '/well' && Boolean(response.end('well')),
	]);
	expect(await call('POST', '/broken')).toMatchObject({ status: 500, body: expect.stringContaining('"code":"fault"') });
	expect(faults).toMatchObject([{ error: 'RangeError', message: 'no such note', count: 1 }]);
	expect(await call('GET', '/well')).toEqual({ status: 200, body: 'well' });
});

test('if an unlock fails, the answer has status 500 and the fault is logged once', async () => {
	await start([], { unlock: fail });
	expect(await call('POST', '/acceptor/unlock', '{"by":"Rina","why":"note pulled, checked"}')).toMatchObject({ status: 500 });
	expect(faults).toMatchObject([{ error: 'RangeError', count: 1 }]);
});
