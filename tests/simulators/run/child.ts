import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { DaemonHandle } from '../panel/simulators.ts';

export interface ChildOptions {
	command: string;
	parameters: readonly string[];
	directory: string;
	environment: Record<string, string | undefined>;
	/** Log file for every line of the program's output. */
	logFile: string;
	/** File that gets the program's process id at each start. */
	pidFile: string;
	/** Called with every line of output. */
	onLine: (line: string) => void;
	/** Called when the program ends without `stop`, with e.g. "exit code 1" or "signal SIGKILL". */
	onExit: (how: string) => void;
	/** Delay of a restart after the end, ms; null for no restart. */
	restartMs: number | null;
}

/** Time limit of a stop; long enough for a moving note, because stacking takes about 3 s. */
const PATIENCE_MS = 8_000;

/**
 * Runs a program and, with `restartMs`, restarts it until `stop`, as systemd does. The program has
 * its own process group, so that Ctrl-C reaches only this process.
 */
export function keepRunning(options: ChildOptions): DaemonHandle & { stop(): Promise<void> } {
	let child: ChildProcess | null = null;
	let starts = 0;
	let stopping = false;
	let restart: ReturnType<typeof setTimeout> | undefined;

	const start = (): void => {
		starts += 1;
		const { command, parameters, directory, environment } = options;
		const current = spawn(command, parameters, { cwd: directory, env: environment, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
		child = current;
		writeFileSync(options.pidFile, String(current.pid ?? ''));
		for (const output of [current.stdout, current.stderr]) {
			createInterface({ input: output }).on('line', (line) => {
				appendFileSync(options.logFile, `${line}\n`);
				options.onLine(line);
			});
		}
		const ended = (how: string): void => {
			if (child !== current) return;
			child = null;
			if (stopping) return;
			options.onExit(how);
			if (options.restartMs !== null) restart = setTimeout(start, options.restartMs);
		};
		current.once('error', (error) => ended(error.message));
		current.once('exit', (code, signal) => ended(signal === null ? `exit code ${code}` : `signal ${signal}`));
	};
	start();

	return {
		state: () => ({ running: child !== null, pid: child?.pid ?? null, starts }),
		kill: (signal) => child?.kill(signal) ?? false,
		stop: () =>
			new Promise((resolve) => {
				stopping = true;
				clearTimeout(restart);
				if (child === null) {
					resolve();
					return;
				}
				const running = child;
				const lastResort = setTimeout(() => running.kill('SIGKILL'), PATIENCE_MS);
				running.once('exit', () => {
					clearTimeout(lastResort);
					resolve();
				});
				running.kill('SIGTERM');
			}),
	};
}

/**
 * @param pidFile file with a process id
 * @param mark text that only the wanted process has on its command line
 * @returns the process id if that process runs; null without the file, the process or /proc
 */
export function livingProcess(pidFile: string, mark: string): number | null {
	try {
		const pid = Number(readFileSync(pidFile, 'utf8'));
		const lives = Number.isInteger(pid) && pid > 0 && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mark);
		return lives ? pid : null;
	} catch {
		return null;
	}
}

/**
 * Ends a child that a killed run left behind. It would otherwise keep its port and its journal
 * open.
 * @returns the child's process id, or null if there is none
 */
export function endLeftover(pidFile: string, mark: string): number | null {
	const pid = livingProcess(pidFile, mark);
	if (pid !== null) process.kill(pid, 'SIGKILL');
	return pid;
}
