import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Writes a new file beside the old file, syncs it and renames it. After a power cut, either the old
 * or the new file is complete. Mode 0600.
 */
export function replaceFile(file: string, text: string): void {
	const next = `${file}.new`;
	const handle = openSync(next, 'w', 0o600);
	try {
		// This call writes the whole text or throws. A single write to a nearly full disk may write
		// only a part of it without an error.
		writeFileSync(handle, text);
		fsyncSync(handle);
	} finally {
		closeSync(handle);
	}
	renameSync(next, file);
}

/**
 * Like `replaceFile`, but durable on return: a power cut cannot bring the old file back. Used for
 * data that a power cut must not undo, such as keys and counters.
 */
export function replaceFileForGood(file: string, text: string): void {
	replaceFile(file, text);
	syncFolderOf(file);
}

/** Renames a file within its folder; durable on return. */
export function renameForGood(from: string, to: string): void {
	renameSync(from, to);
	syncFolderOf(to);
}

function syncFolderOf(file: string): void {
	const directory = openSync(dirname(file), 'r');
	try {
		fsyncSync(directory);
	} finally {
		closeSync(directory);
	}
}
