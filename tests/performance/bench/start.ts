import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/daemon.ts';
import { amount, type Figure, median, ms, ratioFigure } from './figures.ts';

const ROUNDS = amount(5, 2);
const ROOT = join(import.meta.dirname, '..', '..', '..');
const BARE = `require('node:http').createServer((q, r) => r.end()).listen(Number(process.argv[1]), '127.0.0.1')`;

/** From spawning the daemon to its first answer, compared with a bare HTTP server in Node. */
export async function start(): Promise<Figure> {
	const directory = mkdtempSync(join(tmpdir(), 'bench-start-'));
	const daemon: number[] = [];
	const bare: number[] = [];
	for (let round = 0; round < ROUNDS; round += 1) {
		const port = await freePort();
		const file = join(directory, 'kiosk.toml');
		writeFileSync(file, `[screen]\nlisten = "127.0.0.1:${port}"\n[journal]\ndirectory = "${directory}/journal"\n`);
		daemon.push(await firstAnswer(join(ROOT, 'daemon', 'kioskd'), ['--config', file], port));
		const other = await freePort();
		bare.push(await firstAnswer(process.execPath, ['-e', BARE, String(other)], other));
	}
	rmSync(directory, { recursive: true });
	return ratioFigure({
		name: 'daemon start to first answer (bare HTTP server)',
		measured: median(daemon),
		floor: median(bare),
		show: ms,
		goal: 8,
	});
}

async function firstAnswer(command: string, parameters: string[], port: number): Promise<number> {
	const begin = performance.now();
	const child: ChildProcess = spawn(command, parameters, { stdio: 'ignore' });
	for (;;) {
		try {
			await fetch(`http://127.0.0.1:${port}/health`);
			break;
		} catch {
			await new Promise((resolve) => setTimeout(resolve, 2));
		}
	}
	const time = performance.now() - begin;
	child.kill('SIGKILL');
	await once(child, 'exit');
	return time;
}
