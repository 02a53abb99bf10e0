import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';

/** Writes beside the old file, syncs and renames, so that a power cut leaves the old or the new one, never half. Mode 0600. */
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
