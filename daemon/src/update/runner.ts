/** Runs the system's programs. Tests pass a folder with substitutes that record their calls. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, type Result } from '../base/result.ts';

const FOLDERS = ['/usr/lib/systemd', '/usr/sbin', '/usr/bin'];
const LONGEST_OUTPUT = 1024 * 1024;
const LONGEST_MESSAGE = 500;

export type Program = 'systemd-sysupdate' | 'udevadm' | 'veritysetup' | 'blockdev' | 'systemctl';

export interface CommandFailed {
	code: 'command';
	/** The program and its last output. */
	message: string;
}

/** Runs a program to its end. @param limitMs the program is killed after this time */
export type Run = (program: Program, words: readonly string[], limitMs: number) => Promise<Result<string, CommandFailed>>;

/** @param folders the folders in which programs are searched for, in this order */
export function commandRunner(folders: readonly string[] = FOLDERS): Run {
	return (program, words, limitMs) =>
		new Promise((resolve) => {
			const file = folders.map((folder) => join(folder, program)).find(existsSync);
			if (file === undefined) return resolve(fail({ code: 'command', message: `${program} is not installed` }));
			const options = {
				encoding: 'utf8',
				timeout: limitMs,
				maxBuffer: LONGEST_OUTPUT,
				env: { PATH: folders.join(':'), LC_ALL: 'C' },
			} as const;
			execFile(file, words, options, (error, stdout, stderr) => {
				if (error === null) return resolve(ok(stdout));
				const said = `${stderr}${stdout}`.trim().slice(-LONGEST_MESSAGE) || error.message;
				resolve(fail({ code: 'command', message: `${program} ${error.killed ? `took longer than ${limitMs} ms` : 'failed'}: ${said}` }));
			});
		});
}
