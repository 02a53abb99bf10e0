import { chmodSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { until } from '../../../tests/support/until.ts';
import { systemClock } from '../base/clock.ts';
import { startSystemd } from './systemd.ts';

let home: string;
beforeEach(() => {
	home = temporaryFolder('systemd');
	writeFileSync(join(home, 'systemd-notify'), `#!/bin/sh\necho "$@" >> ${home}/told\n`);
	chmodSync(join(home, 'systemd-notify'), 0o755);
});

const told = () => readFileSync(join(home, 'told'), 'utf8').split('\n');
const start = (environment: Record<string, string>, ask = () => {}, socket: number | null = null) =>
	startSystemd({ environment: { PATH: `${home}:/usr/bin:/bin`, ...environment }, socket, clock: systemClock, ask, trouble: () => {} });
/** systemd's limit is 60 ms, so the daemon sends a watchdog message every 20 ms. */
const WATCHDOG = { NOTIFY_SOCKET: '/run/systemd/notify', WATCHDOG_USEC: '60000' };

test('the daemon reports to systemd that it is ready, then sends watchdog messages, then reports that it stops', async () => {
	const systemd = start(WATCHDOG);
	systemd.ready();
	await until(() => expect(told().filter((line) => line === '--no-block WATCHDOG=1').length).toBeGreaterThan(1), 10_000);
	expect(told()).toContain('--no-block READY=1 STATUS=serves the screen');
	systemd.stopping();
	await until(() => expect(told()).toContain('--no-block STOPPING=1'), 10_000);
});

test('if the check before a watchdog message throws, the error is not caught', () => {
	vi.useFakeTimers();
	try {
		const systemd = start(WATCHDOG, () => {
			throw new Error('disk I/O error');
		});
		systemd.ready();
		expect(() => vi.advanceTimersByTime(20)).toThrow('disk I/O error');
	} finally {
		vi.useRealTimers();
	}
});

test('without NOTIFY_SOCKET the daemon sends no messages', async () => {
	const systemd = start({});
	systemd.ready();
	systemd.stopping();
	expect(told).toThrow('ENOENT');
});

test('a message that cannot be sent is reported', async () => {
	const trouble: string[] = [];
	const systemd = startSystemd({
		environment: { ...WATCHDOG, PATH: '/nowhere' },
		socket: null,
		clock: systemClock,
		ask: () => {},
		trouble: (message) => trouble.push(message),
	});
	systemd.ready();
	await until(() => expect(trouble[0]).toContain('ENOENT'), 10_000);
	systemd.stopping();
});

test('with a socket from systemd, no program is started', async () => {
	const heard = join(home, 'heard');
	const systemd = start(WATCHDOG, () => {}, openSync(heard, 'a'));
	systemd.ready();
	expect(readFileSync(heard, 'utf8')).toBe('READY=1\nSTATUS=serves the screen');
	await until(() => expect(readFileSync(heard, 'utf8').match(/WATCHDOG=1/g)?.length).toBeGreaterThan(1), 10_000);
	systemd.stopping();
	expect(readFileSync(heard, 'utf8')).toMatch(/STOPPING=1$/);
	expect(existsSync(join(home, 'told'))).toBe(false);
});

test('if the socket from systemd accepts no message, the program sends it', async () => {
	const noSocket = -1;
	const systemd = start(WATCHDOG, () => {}, noSocket);
	systemd.ready();
	await until(() => expect(told()).toContain('--no-block WATCHDOG=1'), 10_000);
	expect(told()).toContain('--no-block READY=1 STATUS=serves the screen');
	systemd.stopping();
	await until(() => expect(told()).toContain('--no-block STOPPING=1'), 10_000);
});
