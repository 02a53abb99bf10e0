import { closeSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { replaceFile } from '../base/replace-file.ts';
import { messageOf } from '../base/result.ts';

const SQLITE_BUSY = 5;

/** Every held lock. Without this reference, garbage collection could close a claim's file. */
const HELD = new Set<DatabaseSync>();

/** Data about the running daemon, for the error of a second daemon. */
export const Holder = v.object({
	pid: v.number(),
	/** When it started, ISO 8601. */
	since: v.string(),
	/** Path of its settings file, absolute. */
	settings: v.string(),
	/** Address at which it serves the screen. */
	address: v.string(),
});
export type Holder = v.InferOutput<typeof Holder>;

/**
 * `held`: another process holds the folder; the message names the process. `unusable`: the lock
 * file cannot be opened or created.
 */
export interface ClaimError {
	code: 'held' | 'unusable';
	message: string;
}

/** The exclusive right of a process to write in a folder. */
export interface Claim {
	/**
	 * Takes the lock, or confirms that it is still held. If another disk was mounted over the folder,
	 * takes the lock on that disk.
	 * @returns null on success
	 */
	take(): ClaimError | null;
	/** Closes the lock file, so that its disk can be unmounted. */
	release(): void;
}

/**
 * Creates a claim. Node has no file locks, so the lock is an exclusive transaction on an empty
 * SQLite file. The kernel releases the lock when the process ends for any reason. The lock follows
 * the inode, so another path or a symbolic link leads to the same lock. A lock on the journal's own
 * file is not possible, because it would lock out readers. An abstract socket would be worse than a
 * file, because any local user could occupy it. SQLite uses POSIX locks, which are lost when the
 * process closes any other descriptor of the file, so only this function opens the lock file.
 * @param directory created if missing, readable by its owner only
 * @param name the lock file's name; two claims in one folder need two names
 * @param self data about this process, for the error message of a second process
 */
export function claimFolder(directory: string, name: string, self: Holder): Claim {
	const file = join(directory, name);
	const holderFile = `${file}.holder`;
	let lock: { db: DatabaseSync; inode: string } | null = null;

	function release(): void {
		if (lock !== null) {
			HELD.delete(lock.db);
			lock.db.close();
		}
		lock = null;
	}

	function take(): ClaimError | null {
		if (lock !== null && lock.inode === inodeOf(file)) return null;
		release();
		let db: DatabaseSync | null = null;
		try {
			mkdirSync(directory, { recursive: true, mode: 0o700 });
			// SQLite would create the file with wider permissions. Another user who can read the file
			// could hold a shared lock and keep the daemon out.
			closeSync(openSync(file, 'a', 0o600));
			db = new DatabaseSync(file);
			// With the rollback journal in memory nothing is written, so the lock can be taken on a
			// full disk.
			db.exec('PRAGMA journal_mode = MEMORY; PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
		} catch (error) {
			db?.close();
			if (((error as { errcode?: number }).errcode ?? 0) === SQLITE_BUSY) return { code: 'held', message: heldBy() };
			return { code: 'unusable', message: `${directory} cannot be used: ${messageOf(error)}` };
		}
		HELD.add(db);
		lock = { db, inode: inodeOf(file) };
		try {
			replaceFile(holderFile, JSON.stringify(self));
		} catch {
			// Without this file, the error of a second daemon only has fewer details.
		}
		return null;
	}

	function heldBy(): string {
		const holder = readHolder(holderFile);
		const who = holder
			? `process ${holder.pid}, started ${holder.since} with ${holder.settings}, which serves ${holder.address}`
			: 'another process';
		return `${directory} is in use by ${who}`;
	}

	return { take, release };
}

/** @returns the holder; null if the file cannot be read, or if its process has ended */
function readHolder(file: string): Holder | null {
	try {
		const holder = v.parse(Holder, JSON.parse(readFileSync(file, 'utf8')));
		return isAlive(holder.pid) ? holder : null;
	} catch {
		return null;
	}
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// The process exists and belongs to another user.
		return (error as NodeJS.ErrnoException).code === 'EPERM';
	}
}

/** @returns device and inode of the file; '' if there is no such file */
function inodeOf(file: string): string {
	try {
		const { dev, ino } = statSync(file);
		return `${dev}:${ino}`;
	} catch {
		return '';
	}
}
