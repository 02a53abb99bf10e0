import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';

/**
 * Writes a new file beside the old one, syncs and renames it, so that a power cut leaves either
 * file complete. Mode 0600.
 */
export function replaceFile(file: string, text: string): void {
	const next = `${file}.new`;
	const handle = openSync(next, 'w', 0o600);
	try {
		writeSync(handle, text);
		fsyncSync(handle);
	} finally {
		closeSync(handle);
	}
	renameSync(next, file);
}
