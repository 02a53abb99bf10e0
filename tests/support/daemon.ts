import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { EventId } from '../../daemon/src/log/events.ts';
import { isRefused } from '../simulators/ports.ts';
import { until } from './until.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/**
 * Folder of a built daemon. If it is set, tests start this daemon instead of the sources, with the
 * Node options of `daemon/kioskd`.
 */
const BUILT = process.env.KIOSK_BUILT;
const NODE_FLAGS = ['--disable-warning=DEP0005', '--max-semi-space-size=1', '--max-old-space-size=128'];

/** One line of the daemon's log. */
export interface LogLine {
	event: string;
	level: string;
	[field: string]: unknown;
}

/** The real daemon in a separate process. */
export interface Daemon {
	/** Origin of the screen, e.g. http://127.0.0.1:40123 */
	url: string;
	/** Origin of the technicians' address. */
	service: string;
	/**
	 * Makes a new start address for a browser, as systemd does.
	 * @returns an address that works once: the browser that opens it gets a session
	 */
	startAddress(): string;
	pid: number;
	log: readonly LogLine[];
	/** Log lines of one event. */
	events(id: EventId): LogLine[];
	/** Sends SIGTERM and waits for the end. @returns the exit code */
	stop(): Promise<number | null>;
	/** Sends SIGKILL, which ends the process as a power cut does. */
	kill(): Promise<void>;
	/** Resolves with the exit code when the daemon has ended. */
	ended: Promise<number | null>;
}

/**
 * Number of ports for each test process. They lie below the ports that the kernel gives to outgoing
 * connections, so no connection occupies them.
 */
const PORTS = 1_000;
/** First port of this process. Parallel test processes use separate ranges of ports. */
const FIRST_PORT = 10_000 + PORTS * (Number(process.env.VITEST_POOL_ID ?? 0) % 10);
/**
 * Each process begins at another port, because a process that has just ended may still hold its
 * ports.
 */
let next = (process.pid * 101) % PORTS;

/**
 * The daemon cannot choose a free port itself, because its settings contain its origin.
 * @returns a port that was free a moment ago
 */
export async function freePort(): Promise<number> {
	for (;;) {
		next = (next + 1) % PORTS;
		const port = FIRST_PORT + next;
		if (isRefused(port)) continue;
		const server = createServer();
		const free = await new Promise<boolean>((resolve) => {
			server.once('error', () => resolve(false));
			server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
		});
		if (free) return port;
	}
}

export interface DaemonOptions {
	/** Settings as TOML. `[journal] directory` and the addresses of `[screen]` are added to them. */
	settings: string;
	/** Folder of journal, token and settings. A daemon with the same folder is the same kiosk. */
	directory: string;
	port: number;
	/** Lines of `[journal]`, by default `min_free_mb = 1`, and further lines of `[screen]`. */
	journal?: string;
	screen?: string;
	environment?: Record<string, string>;
	/**
	 * A command that runs the daemon, e.g. with another log target. The daemon's command line is
	 * appended to it.
	 */
	startedBy?: readonly string[];
	/** Further command-line parameters of the daemon. */
	parameters?: readonly string[];
}

/**
 * Time limit of a start. A start needs only 0.25 s of processor time, but can take far longer on a
 * busy computer.
 */
const START_MS = 60_000;
/** The technicians' port is this much above `port`. */
const SERVICE_ABOVE = 10_000;

/**
 * Starts the daemon but does not wait until it serves requests: with wrong settings it never would.
 */
export function spawnDaemon(options: DaemonOptions): Daemon {
	const { directory, port } = options;
	mkdirSync(directory, { recursive: true });
	const file = join(directory, 'kiosk.toml');
	const secretFile = join(directory, 'start-secret');
	const own = `[screen]\nlisten = "127.0.0.1:${port}"\nservice_listen = "127.0.0.1:${port + SERVICE_ABOVE}"\n${options.screen ?? ''}\n[journal]\ndirectory = "${join(directory, 'journal')}"\n`;
	writeFileSync(file, `${own}${options.journal ?? 'min_free_mb = 1'}\n${options.settings}`);
	const launcher =
		BUILT && !options.startedBy ? [process.execPath, ...NODE_FLAGS, join(BUILT, 'kioskd.js')] : [join(ROOT, 'daemon', 'kioskd')];
	const [program = '', ...parameters] = [...(options.startedBy ?? []), ...launcher, '--config', file, ...(options.parameters ?? [])];
	const child: ChildProcess = spawn(program, parameters, {
		cwd: ROOT,
		env: { ...process.env, MALLOC_ARENA_MAX: '1', KIOSK_START_SECRET: secretFile, ...options.environment },
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const log: LogLine[] = [];
	if (child.stdout) createInterface(child.stdout).on('line', (line) => log.push(JSON.parse(line)));
	// Waits for 'close' instead of 'exit', because after the exit the pipe may still contain log
	// lines.
	const ended = once(child, 'close').then(([code]) => code as number | null);
	const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> => {
		child.kill(signal);
		return ended;
	};
	return {
		url: `http://127.0.0.1:${port}`,
		service: `http://127.0.0.1:${port + SERVICE_ABOVE}`,
		startAddress() {
			const secret = randomBytes(32).toString('hex');
			writeFileSync(secretFile, secret, { mode: 0o600 });
			return `http://127.0.0.1:${port}/kiosk/start?secret=${secret}`;
		},
		pid: child.pid ?? 0,
		log,
		events: (id) => log.filter((line) => line.event === id),
		stop: () => end('SIGTERM'),
		kill: async () => void (await end('SIGKILL')),
		ended,
	};
}

/** Starts the daemon and waits until it serves requests. */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
	const daemon = spawnDaemon(options);
	try {
		await until(async () => {
			if (options.startedBy) return void (await fetch(`${daemon.service}/health`));
			if (daemon.events('daemon.started').length === 0) throw new Error(`not started: ${JSON.stringify(daemon.log)}`);
			await fetch(`${daemon.service}/health`, { method: 'HEAD' });
		}, START_MS);
	} catch (error) {
		await daemon.kill();
		throw error;
	}
	return daemon;
}
