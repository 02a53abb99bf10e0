import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';
import { endLeftover, keepRunning } from './child.ts';

let folder: string;
beforeEach(() => {
	folder = temporaryFolder('child');
});

test('a killed program is restarted until `stop`, and its output is logged', async () => {
	const lines: string[] = [];
	const ends: string[] = [];
	const child = keepRunning({
		command: process.execPath,
		parameters: ['-e', 'console.log("up"); setInterval(() => {}, 1000)'],
		directory: folder,
		environment: process.env,
		logFile: join(folder, 'log'),
		pidFile: join(folder, 'pid'),
		onLine: (line) => lines.push(line),
		onExit: (how) => ends.push(how),
		restartMs: 1,
	});
	await until(() => expect(lines).toEqual(['up']));
	expect(readFileSync(join(folder, 'pid'), 'utf8')).toBe(String(child.state().pid));
	expect(child.kill('SIGKILL')).toBe(true);
	await until(() => expect(lines).toEqual(['up', 'up']));
	expect([ends, child.state().starts]).toEqual([['signal SIGKILL'], 2]);
	await child.stop();
	expect([child.state().running, child.state().starts]).toEqual([false, 2]);
	expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('up\nup\n');
});

test('`endLeftover` ends a process only if its process id and its command line match', async () => {
	const leftover = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', folder]);
	await once(leftover, 'spawn');
	const file = join(folder, 'pid');
	expect(endLeftover(file, folder)).toBeNull();
	writeFileSync(file, String(leftover.pid));
	expect(endLeftover(file, 'some other program')).toBeNull();
	await until(() => expect(readFileSync(`/proc/${leftover.pid}/cmdline`, 'utf8')).toContain(folder));
	expect(endLeftover(file, folder)).toBe(leftover.pid);
	await once(leftover, 'exit');
	expect(endLeftover(file, folder)).toBeNull();
});
