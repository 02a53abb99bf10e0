import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../support/daemon.ts';

const DAEMON = join(import.meta.dirname, '..', '..', '..', 'daemon', 'kioskd');
const BARE = `require('node:http').createServer((q, r) => r.end()).listen(Number(process.argv[1]), '127.0.0.1')`;

/** A process that has started, and the time from its start to its first answer. */
export interface Timed {
	ms: number;
	/**
	 * Processor time of all threads until the first answer, ms. Unlike `ms`, this time hardly depends
	 * on other load.
	 */
	cpuMs: number;
	/** Address of its health page. */
	address: string;
	/** SIGKILL ends the process as a power cut does; SIGTERM stops the daemon cleanly. */
	end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

/**
 * Starts `daemon/kioskd` with the bundle in KIOSK_BUILT, as shipped. If KIOSK_BUILT is not set, the
 * daemon starts from its sources.
 * @param of.directory folder of the settings
 * @param of.journal folder of the journal, inside `directory`
 * @param of.cache folder of the compile cache
 */
export async function startTimed(of: { directory: string; journal: string; cache: string }): Promise<Timed> {
	const [port, service] = [await freePort(), await freePort()];
	const file = join(of.directory, 'kiosk.toml');
	writeFileSync(
		file,
		`[screen]\nlisten = "127.0.0.1:${port}"\nservice_listen = "127.0.0.1:${service}"\n[journal]\ndirectory = "${join(of.directory, of.journal)}"\n`,
	);
	return timed(DAEMON, ['--config', file], service, { ...process.env, NODE_COMPILE_CACHE: of.cache });
}

/** Starts a bare HTTP server in Node. */
export async function startBare(): Promise<Timed> {
	const port = await freePort();
	return timed(process.execPath, ['-e', BARE, String(port)], port, process.env);
}

async function timed(command: string, parameters: string[], port: number, env: NodeJS.ProcessEnv): Promise<Timed> {
	const address = `http://127.0.0.1:${port}/health`;
	const begin = performance.now();
	const child = spawn(command, parameters, { stdio: 'ignore', env });
	const ended = once(child, 'exit');
	while (!(await answers(address))) {
		if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode} before its first answer`);
		await new Promise((resolve) => setTimeout(resolve, 2));
	}
	return {
		ms: performance.now() - begin,
		cpuMs: cpuMs(child.pid ?? 0),
		address,
		async end(signal) {
			child.kill(signal);
			await ended;
		},
	};
}

function cpuMs(pid: number): number {
	const nanoseconds = readdirSync(`/proc/${pid}/task`).map((task) =>
		Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
	);
	return nanoseconds.reduce((sum, value) => sum + value, 0) / 1e6;
}

const answers = (address: string): Promise<boolean> =>
	fetch(address).then(
		() => true,
		() => false,
	);
