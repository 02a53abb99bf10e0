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
 * Folder of a bundled daemon. If it is set, tests start the bundle, with the options that
 * `daemon/kioskd` uses.
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
	 * Prepares the start of a browser, as systemd does.
	 * @returns the address that starts its session, once
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
 * Number of ports per process. They are below the kernel's range for outgoing connections, which
 * thus never use them.
 */
const PORTS = 1_000;
/** First port of this process. Parallel test processes use separate ranges of ports. */
const FIRST_PORT = 10_000 + PORTS * (Number(process.env.VITEST_POOL_ID ?? 0) % 10);
/**
 * Starts at another port in each process, because a process that has just ended may still hold its
 * ports.
 */
let next = (process.pid * 101) % PORTS;

/** @returns a port that was free a moment ago. The daemon needs a fixed port for its origin. */
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
	/** Settings as TOML; `[journal] directory` and the addresses of `[screen]` are added. */
	settings: string;
	/** Folder of journal, token and settings. A daemon with the same folder is the same kiosk. */
	directory: string;
	port: number;
	/** Lines of `[journal]`, by default `min_free_mb = 1`, and further lines of `[screen]`. */
	journal?: string;
	screen?: string;
	environment?: Record<string, string>;
	/** A command that starts the daemon with another log target; the daemon's command is appended. */
	startedBy?: readonly string[];
	/** Further command-line parameters of the daemon. */
	parameters?: readonly string[];
}

/**
 * Time limit of a start. A start needs 0.25 s of processor time, but takes longer on a busy
 * computer.
 */
const START_MS = 60_000;
/** Offset of the technicians' port from `port`. */
const SERVICE_ABOVE = 10_000;

/** Starts the daemon but does not wait for it, because it may refuse its settings. */
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
	// Waits for 'close', not for 'exit', because the log's pipe may contain lines after the process
	// has ended.
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
