import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Daemon, freePort, spawnDaemon, startDaemon } from '../../support/daemon.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';

const KIOSKD = join(import.meta.dirname, '..', '..', '..', 'daemon', 'kioskd');

let directory: string;
let daemon: Daemon | null = null;
beforeEach(() => {
	directory = temporaryFolder('kiosk');
});
afterEach(async () => {
	await daemon?.kill();
	daemon = null;
	rmSync(directory, { recursive: true, force: true });
});

test.each([
	[
		'an unknown key',
		'[acceptor]\nport = "/dev/kiosk-acceptor"\nspeed = 9600',
		'acceptor.speed: there is no such setting; check its spelling and its section',
	],
	['a missing key', '[acceptor]\n', 'acceptor.port: is missing'],
	['a wrong value', '[back_office]\ntimeout_ms = "50 s"', 'back_office.timeout_ms = "50 s": expected a whole number of milliseconds'],
	[
		'an amount that is not a denomination',
		'[acceptor]\nport = "/dev/x"\n[acceptor.notes]\n"0x40" = 1500',
		'acceptor.notes.0x40 = 1500: expected one of 1000, 2000',
	],
	['broken TOML', 'site =', 'line 8, column 7: '],
])('settings with %s are refused with a message and exit code 78', async (_what, settings, sentence) => {
	daemon = spawnDaemon({ settings, directory, port: await freePort() });
	expect(await daemon.ended).toBe(78);
	const [line] = daemon.events('settings.refused');
	expect(String(line?.problems)).toContain(sentence);
});

test.each([
	['no folder is named', undefined, 'neither $STATE_DIRECTORY nor [journal] directory is set'],
	['no folder can be made', '/dev/null/state', 'the state folder /dev/null/state cannot be used'],
])('if %s for the state, the daemon ends with a message that names the cause', async (_what, state, sentence) => {
	const file = join(directory, 'bare.toml');
	writeFileSync(file, `[screen]\nlisten = "127.0.0.1:${await freePort()}"\n`);
	const env = { ...process.env, STATE_DIRECTORY: state };
	const ended = promisify(execFile)(KIOSKD, ['--config', file], { cwd: directory, env });
	await expect(ended).rejects.toMatchObject({ code: 78, stdout: expect.stringContaining(sentence), stderr: '' });
	expect(readdirSync(directory)).toEqual(['bare.toml']);
});

test('if the address is in use, the daemon ends with a message that names the address', { tags: 'deep' }, async () => {
	const port = await freePort();
	const other = createServer().listen(port, '127.0.0.1');
	await once(other, 'listening');
	daemon = spawnDaemon({ settings: '', directory, port });
	expect(await daemon.ended).toBe(78);
	expect(daemon.events('daemon.address_in_use')).toMatchObject([{ address: `127.0.0.1:${port}` }]);
	other.close();
});

test('if the state directory cannot be claimed, the daemon ends with the reason and opens no journal', async () => {
	const state = join(directory, 'state');
	mkdirSync(join(state, 'state.lock'), { recursive: true });
	daemon = spawnDaemon({ settings: '', directory, port: await freePort(), environment: { STATE_DIRECTORY: state } });
	expect(await daemon.ended).toBe(78);
	expect(daemon.events('daemon.state_unusable')).toMatchObject([{ reason: expect.stringContaining(state) }]);
	expect(existsSync(join(directory, 'journal', 'journal.sqlite'))).toBe(false);
});

test('without any device or server the daemon serves health, which names each missing part', async () => {
	daemon = await startDaemon({
		settings: `[acceptor]
port = "/dev/kiosk-nothing"
[acceptor.notes]
"0x40" = 1000
[printer]
uri = "ipp://127.0.0.1:1/printers/receipt"
[back_office]
url = "http://127.0.0.1:1"`,
		directory,
		port: await freePort(),
	});
	await until(() => expect(daemon?.events('acceptor.line_lost')).toHaveLength(1));
	const text = await (await fetch(`${daemon.service}/health`)).text();
	expect(text).toMatch(
		/FAIL {2}cash +the line to the bill acceptor cannot be opened\n +\/dev\/kiosk-nothing: .*\n +-> Check cable, power and \[acceptor\] port\./s,
	);
	expect(text).toMatch(/FAIL {2}back office +no outlet account is logged in\n/);
	expect(text).toMatch(/LOOK {2}printer .*queue_unreachable\n +CUPS, the print service, does not answer.*-> Check that CUPS runs/s);
	expect(text).toMatch(/OK {4}journal +open and writable/);
	const metrics = await (await fetch(`${daemon.service}/metrics`)).text();
	expect(metrics).toContain('kiosk_notes_in_doubt 0');
});

test('SIGTERM ends the daemon with code 0', async () => {
	daemon = await startDaemon({ settings: '', directory, port: await freePort() });
	expect(await daemon.stop()).toBe(0);
});
