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
	/** At each start the program's process id is written to this file. */
	pidFile: string;
	/** Called with every line of output. */
	onLine: (line: string) => void;
	/**
	 * Called when the program ends although `stop` was not called. `how` is e.g. "exit code 1" or
	 * "signal SIGKILL".
	 */
	onExit: (how: string) => void;
	/** Time from the program's end to its restart, ms; null: it is not restarted. */
	restartMs: number | null;
}

/**
 * Time limit of a stop. The daemon first lets a moving note reach the cashbox, which takes about 3
 * s.
 */
const PATIENCE_MS = 8_000;

/**
 * Runs a program. If `restartMs` is set, restarts it whenever it ends, as systemd does, until
 * `stop` is called. The program has its own process group, so that Ctrl-C reaches only this
 * process, which then stops the program.
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
 * @param mark text that only the command line of the wanted process contains
 * @returns the process id if that process runs; null if file, process or /proc is missing
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
 * Ends a program that a killed run left behind, because it would keep its port and its journal
 * open.
 * @returns the process id of that program, or null if none was left
 */
export function endLeftover(pidFile: string, mark: string): number | null {
	const pid = livingProcess(pidFile, mark);
	if (pid !== null) process.kill(pid, 'SIGKILL');
	return pid;
}
