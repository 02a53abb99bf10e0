import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../support/daemon.ts';
import { until } from '../../support/until.ts';

const CONFIG = join(import.meta.dirname, '..', '..', '..', 'config', 'cups');
const run = promisify(execFile);

/**
 * Behaviour of the printer. `good` prints a job. `paper-out` waits for another mode. `slow` reads
 * the job and then waits for another mode. `tear` prints half of the job and fails. The other modes
 * end with CUPS's exit code of the same name.
 */
export type PaperMode = 'good' | 'paper-out' | 'slow' | 'tear' | 'fail' | 'stop' | 'cancel' | 'retry';

/** The receipt printer, simulated by paper.sh. */
export interface Paper {
	set(mode: PaperMode): void;
	/** Printed sheets, oldest first. */
	sheets(): Buffer[];
	/** One line for each time CUPS started the backend: job number and mode. */
	runs(): string[];
}

/** A real print server for one test, with the kiosk's settings and the queue `receipt`. */
export interface Cups {
	port: number;
	uri: string;
	paper: Paper;
	start(): Promise<void>;
	/**
	 * Stops cupsd and its child processes, as systemd does. With SIGKILL, simulates a crash of cupsd.
	 */
	stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
	/** Deletes waiting jobs, as systemd does on the kiosk before each start. */
	emptySpool(): Promise<void>;
	/** Runs a CUPS command as a technician. @returns its output */
	command(name: 'lp' | 'cancel' | 'cupsdisable' | 'cupsreject' | 'cupsaccept', ...words: string[]): Promise<string>;
	/** Numbers of the jobs that CUPS still intends to print. */
	waiting(): Promise<number[]>;
	remove(): Promise<void>;
}

/** Starts cupsd as the present user, root or not. */
export async function startCups(): Promise<Cups> {
	const home = mkdtempSync(join(tmpdir(), 'cups-'));
	const port = await freePort();
	const socket = join(home, 'cups.sock');
	const paper = startPaper(join(home, 'paper'));
	await writeServer(home, port, socket);
	const environment = { ...process.env, CUPS_SERVER: socket, PATH: `${process.env.PATH}:/usr/sbin` };
	let ended: Promise<unknown> | null = null;
	let kill = (_signal: NodeJS.Signals): unknown => undefined;

	const cups: Cups = {
		port,
		uri: `ipp://127.0.0.1:${port}/printers/receipt`,
		paper,
		async start() {
			const files = ['-c', join(home, 'cupsd.conf'), '-s', join(home, 'cups-files.conf')];
			// Ends cupsd with the test run, even if the run is killed.
			const child = spawn('setpriv', ['--pdeathsig', 'KILL', 'cupsd', '-f', ...files], { env: environment, stdio: 'ignore' });
			ended = once(child, 'exit');
			kill = (signal) => child.kill(signal);
			await until(() => {
				if (child.exitCode !== null) throw new Error(readFileSync(join(home, 'error_log'), 'utf8'));
				return connected(port);
			});
		},
		async stop(signal = 'SIGTERM') {
			kill(signal);
			await ended;
			ended = null;
			paper.endBackends();
		},
		async emptySpool() {
			const unit = readFileSync(join(CONFIG, 'cups.service.d/kiosk.conf'), 'utf8');
			const [program = '', ...words] =
				/^ExecStartPre=(.*)$/m.exec(unit)?.[1]?.replace('/var/spool/cups', join(home, 'spool')).split(' ') ?? [];
			await run(program, words);
		},
		async command(name, ...words) {
			return (await run(name, words, { env: environment })).stdout;
		},
		async waiting() {
			const { stdout } = await run('lpstat', ['-o'], { env: environment });
			return Array.from(stdout.matchAll(/^receipt-(\d+)/gm), ([, id]) => Number(id));
		},
		async remove() {
			if (ended) await cups.stop('SIGKILL');
			rmSync(home, { recursive: true, force: true });
		},
	};
	await cups.start();
	await run(join(CONFIG, 'add-receipt-queue'), [`paper:${join(home, 'paper')}`], { env: environment });
	return cups;
}

function startPaper(folder: string): Paper & { endBackends(): void } {
	mkdirSync(join(folder, 'sheets'), { recursive: true });
	const read = (name: string): string => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '');
	const paper = {
		set(mode: PaperMode) {
			writeFileSync(join(folder, 'mode.new'), mode);
			renameSync(join(folder, 'mode.new'), join(folder, 'mode'));
		},
		sheets: () =>
			readdirSync(join(folder, 'sheets'))
				.sort()
				.map((name) => readFileSync(join(folder, 'sheets', name))),
		runs: () => read('runs').split('\n').slice(0, -1),
		endBackends() {
			for (const pid of read('pids').split('\n').filter(Boolean)) {
				try {
					process.kill(Number(pid), 'SIGKILL');
				} catch (error) {
					if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
				}
			}
			rmSync(join(folder, 'pids'), { force: true });
		},
	};
	paper.set('good');
	return paper;
}

/**
 * Writes the kiosk's cupsd.conf with another address, and a cups-files.conf whose folders are in
 * `home`.
 */
async function writeServer(home: string, port: number, socket: string): Promise<void> {
	const settings = readFileSync(join(CONFIG, 'cupsd.conf'), 'utf8');
	const moved = settings
		.replace('Listen 127.0.0.1:631', `Listen 127.0.0.1:${port}`)
		.replace('Listen /run/cups/cups.sock', `Listen ${socket}`);
	writeFileSync(join(home, 'cupsd.conf'), moved);
	const group = (await run('id', ['-gn'])).stdout.trim();
	const folders = { ServerRoot: '', StateDir: 'state', CacheDir: 'cache', RequestRoot: 'spool', TempDir: 'spool/tmp', ServerBin: 'bin' };
	for (const folder of ['state', 'cache', 'spool/tmp', 'bin/backend']) mkdirSync(join(home, folder), { recursive: true });
	for (const part of ['daemon', 'filter']) symlinkSync(join('/usr/lib/cups', part), join(home, 'bin', part));
	// Mode 700 makes cupsd run the backend as root if cupsd is root. With another mode the backend
	// would run as `lp`, which may not enter this folder.
	copyFileSync(join(import.meta.dirname, 'paper.sh'), join(home, 'bin/backend/paper'));
	await run('chmod', ['700', join(home, 'bin/backend/paper')]);
	const lines = Object.entries(folders).map(([name, folder]) => `${name} ${join(home, folder)}`);
	writeFileSync(
		join(home, 'cups-files.conf'),
		[...lines, `ErrorLog ${join(home, 'error_log')}`, 'AccessLog', 'PageLog', `SystemGroup ${group}`, 'FatalErrors all', ''].join('\n'),
	);
}

async function connected(port: number): Promise<void> {
	const socket = connect(port, '127.0.0.1');
	await once(socket, 'connect').finally(() => socket.destroy());
}
