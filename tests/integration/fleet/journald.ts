import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { until } from '../../support/until.ts';

const JOURNALD = '/lib/systemd/systemd-journald';

/** Root is required, because only root can read journald's files. */
export const canStartJournald = process.getuid?.() === 0 && existsSync(JOURNALD);

/**
 * Perl program that connects to journald's socket and then runs the given program, as systemd does
 * with `OpenFile=`.
 */
const HAND_OVER = `
use Socket;
$^F = 100;
socket(my $socket, AF_UNIX, SOCK_DGRAM, 0) or die $!;
connect($socket, sockaddr_un(shift @ARGV)) or die $!;
POSIX::dup2(fileno($socket), 3);
@ENV{qw(LISTEN_PID LISTEN_FDS LISTEN_FDNAMES)} = ($$, 1, 'journald');
exec @ARGV;
`;

export interface Journald {
	/** Start of a command line; the program named after it logs to this journald. */
	startedBy: readonly string[];
	/** @returns the output of `journalctl` for these filters */
	journalctl(...filters: string[]): Promise<string>;
	/** The output of `journalctl` for these filters, as objects. */
	entries(...filters: string[]): Promise<Record<string, string>[]>;
	/** Folder of journald's files, for other programs. */
	directory: string;
	stop(): Promise<void>;
}

/** Starts a real journald in a separate namespace; needs root. */
export async function startJournald(): Promise<Journald> {
	const namespace = `kiosk-test-${process.pid}`;
	const run = `/run/systemd/journal.${namespace}`;
	const directory = `/var/log/journal/${readFileSync('/etc/machine-id', 'utf8').trim()}.${namespace}`;
	const child = spawn(JOURNALD, [namespace], { stdio: 'ignore' });
	const ended = once(child, 'exit');
	await until(() => {
		if (!existsSync(`${run}/socket`)) throw new Error(`${JOURNALD} does not listen`);
	});
	const journalctl = async (...filters: string[]): Promise<string> => {
		const parameters = ['--directory', directory, '--no-pager', '--quiet', '--all', ...filters];
		return (await promisify(execFile)('journalctl', parameters, { maxBuffer: 1e8 })).stdout;
	};
	return {
		startedBy: ['perl', '-MPOSIX', '-e', HAND_OVER, `${run}/socket`],
		directory,
		journalctl,
		entries: async (...filters) =>
			(await journalctl(...filters, '--output', 'json'))
				.split('\n')
				.filter(Boolean)
				.map((line) => JSON.parse(line)),
		async stop() {
			child.kill('SIGTERM');
			await ended;
			rmSync(run, { recursive: true, force: true });
			rmSync(directory, { recursive: true, force: true });
		},
	};
}
