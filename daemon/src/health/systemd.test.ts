import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { until } from '../../../tests/support/until.ts';
import { systemClock } from '../base/clock.ts';
import { startSystemd } from './systemd.ts';

/** File that receives the messages in place of systemd's socket. */
let file: string;
let trouble: string[];
beforeEach(() => {
	file = join(temporaryFolder('systemd'), 'messages');
	trouble = [];
});

const received = () => readFileSync(file, 'utf8');
const start = (environment: Record<string, string>, socket: number | null = openSync(file, 'a'), ask = () => {}) =>
	startSystemd({ environment, socket, clock: systemClock, ask, trouble: (message) => trouble.push(message) });
/** systemd's limit is 60 ms, so the daemon sends a watchdog message every 20 ms. */
const WATCHDOG = { NOTIFY_SOCKET: '/run/systemd/notify', WATCHDOG_USEC: '60000' };

test('the daemon reports to systemd that it is ready, then sends watchdog messages, then reports that it stops', async () => {
	const systemd = start(WATCHDOG);
	systemd.ready();
	expect(received()).toBe('READY=1\nSTATUS=serves the screen');
	await until(() => expect(received().match(/WATCHDOG=1/g)?.length).toBeGreaterThan(1), 10_000);
	systemd.stopping();
	expect(received()).toMatch(/STOPPING=1$/);
	expect(trouble).toEqual([]);
});

test('if the check before a watchdog message throws, the error is not caught', () => {
	vi.useFakeTimers();
	try {
		const systemd = start(WATCHDOG, openSync(file, 'a'), () => {
			throw new Error('disk I/O error');
		});
		systemd.ready();
		expect(() => vi.advanceTimersByTime(20)).toThrow('disk I/O error');
	} finally {
		vi.useRealTimers();
	}
});

test('without NOTIFY_SOCKET the daemon sends no messages', () => {
	const systemd = start({});
	systemd.ready();
	systemd.stopping();
	expect(received()).toBe('');
	expect(trouble).toEqual([]);
});

test.each([
	['systemd passes no socket', null, 'the unit passes no socket of systemd'],
	['the socket accepts no message', -1, 'fd'],
])('if %s, every message that cannot be sent is reported', async (_what, socket, message) => {
	const systemd = start(WATCHDOG, socket);
	systemd.ready();
	await until(() => expect(trouble.length).toBeGreaterThan(1), 10_000);
	systemd.stopping();
	for (const one of trouble) expect(one).toContain(message);
});
