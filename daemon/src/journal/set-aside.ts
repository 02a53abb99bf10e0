import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { JOURNAL_FILE } from './store.ts';

/**
 * Files of a journal in the order in which they are moved. The main file moves first: without it no
 * program treats the other files as a journal, or changes them.
 */
const FILES = [JOURNAL_FILE, `${JOURNAL_FILE}-wal`, `${JOURNAL_FILE}-shm`];

/** Beginning of the names of the folders with old journals. */
export const SET_ASIDE = 'set-aside-';

/**
 * Moves the journal's files into a new folder in `directory`; copies, changes and deletes nothing.
 * @param name name of the new folder, which must not exist yet
 * @returns the folder
 */
export function setAside(directory: string, name: string): string {
	const folder = join(directory, name);
	mkdirSync(folder, { mode: 0o700 });
	for (const file of FILES) if (existsSync(join(directory, file))) renameSync(join(directory, file), join(folder, file));
	for (const synced of [folder, directory]) {
		const handle = openSync(synced, 'r');
		try {
			fsyncSync(handle);
		} finally {
			closeSync(handle);
		}
	}
	return folder;
}
