import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { until } from '../support/until.ts';

const RUN = join(import.meta.dirname, 'run.ts');
/**
 * Moves the ports of these runs above the ports of `freePort`, and below those that the kernel
 * gives to outgoing connections.
 */
const OFFSET = 23_000;
const HEALTH = `http://127.0.0.1:${8_082 + OFFSET}/health`;

let runs: { child: ChildProcess; said: string }[] = [];
afterEach(async () => {
	for (const { child } of runs) {
		if (child.exitCode !== null || child.signalCode !== null) continue;
		child.kill('SIGTERM');
		await once(child, 'exit');
	}
	runs = [];
});

function start() {
	const child = spawn(process.execPath, [RUN], {
		env: { ...process.env, KIOSK_PORT_OFFSET: String(OFFSET) },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const run = { child, said: '' };
	for (const output of [child.stdout, child.stderr])
		output.setEncoding('utf8').on('data', (text: string) => {
			run.said += text;
		});
	runs.push(run);
	return run;
}

test('a second run on the same ports ends with a message and does not disturb the first run', async () => {
	const first = start();
	await until(() => expect(first.said).toContain('Kiosk screen'));
	const second = start();
	expect(await once(second.child, 'exit')).toEqual([1, null]);
	expect(second.said).toContain(`already runs on these ports (process ${first.child.pid})`);
	expect((await fetch(HEALTH)).status).toBeLessThan(600);
	expect(first.said).not.toContain('daemon ended');
});

test('if a run was killed, the next run ends the processes that it left behind', async () => {
	const first = start();
	await until(() => expect(first.said).toContain('Kiosk screen'));
	first.child.kill('SIGKILL');
	await once(first.child, 'exit');
	const second = start();
	await until(() => expect(second.said).toContain('Kiosk screen'));
	expect(second.said).toMatch(/Ended process \d+ \(kioskd\)/);
});
