import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { stateBeside } from '../../support/journal-file.ts';

const run = (command: string, ...parameters: string[]): string => execFileSync(command, parameters, { encoding: 'utf8', stdio: 'pipe' });

const BALLAST = 'ballast';
const BLOCK = Buffer.alloc(64 * 1024, 1);
const PAGE = Buffer.alloc(4096, 1);

/** A small file system for the journal alone, which a test can fill. */
export class SmallDisk {
	readonly path = mkdtempSync(join(tmpdir(), 'disk-'));

	constructor(megabytes: number) {
		run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'kiosk-test', this.path);
	}

	/** Fills the disk as another program would. */
	fill(): void {
		const file = openSync(join(this.path, BALLAST), 'a');
		try {
			for (const block of [BLOCK, PAGE]) writeUntilFull(file, block);
		} finally {
			closeSync(file);
		}
	}

	/** Frees the space again. */
	free(): void {
		rmSync(join(this.path, BALLAST), { force: true });
	}

	remove(): void {
		run('umount', '--lazy', this.path);
		rmSync(this.path, { recursive: true });
	}
}

function writeUntilFull(file: number, block: Buffer): void {
	try {
		for (;;) writeSync(file, block);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
	}
}

/** A real ext4 file system on a loop device. After an error the kernel makes it read-only. */
export class FailingDisk {
	readonly path = mkdtempSync(join(tmpdir(), 'disk-'));
	readonly #image = `${this.path}.img`;

	constructor() {
		writeFileSync(this.#image, Buffer.alloc(24 * 1024 * 1024));
		run('mkfs.ext4', '-q', this.#image);
		this.mount();
	}

	/** Simulates an error: the kernel makes the file system read-only although files are open. */
	fail(): void {
		const device = basename(run('findmnt', '-no', 'SOURCE', this.path).trim());
		writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, 'test');
	}

	/** Checks and remounts the file system, as a technician does. */
	repair(): void {
		run('umount', this.path);
		// Exit code 1 means that e2fsck repaired errors.
		run('sh', '-c', `e2fsck -fy "${this.#image}" || [ $? = 1 ]`);
		this.mount();
	}

	mount(): void {
		run('mount', '-o', 'loop,errors=remount-ro', this.#image, this.path);
	}

	remove(): void {
		run('umount', '--lazy', this.path);
		rmSync(this.path, { recursive: true });
		rmSync(this.#image);
	}
}

/** @returns whether this computer can mount the disk that `make` creates */
function possible(make: () => { remove(): void }): boolean {
	try {
		make().remove();
		return true;
	} catch {
		return false;
	}
}

/**
 * Continuous integration must run these tests. On another computer that cannot mount the disks,
 * they are skipped with a message.
 */
const required = process.env.CI !== undefined;
export const canMount = required || possible(() => new SmallDisk(1));
export const canFail = required || possible(() => new FailingDisk());

/**
 * Puts the journal on its own disk and the kiosk's state beside it, as on the appliance.
 * @returns the daemon's environment
 */
export const journalOn =
	(path: string) =>
	(directory: string): Record<string, string> => {
		symlinkSync(path, join(directory, 'journal'));
		return stateBeside(directory);
	};

/**
 * Limits the size of files that this process can write. With 1 byte all writes fail, as on a
 * failing disk; 'unlimited' removes the limit.
 */
export const limitFiles = (pid: number, bytes: number | 'unlimited'): void =>
	void run('prlimit', `--pid=${pid}`, `--fsize=${bytes}:unlimited`);

/** @returns the folders of journals that were set aside */
export const setAsides = (journal: string): string[] => readdirSync(journal).filter((name) => name.startsWith('set-aside-'));
