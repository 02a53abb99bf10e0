import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/**
 * A simulator's state. A file keeps it across restarts of the simulator; without a file it is lost.
 */
export interface Memory<T> {
	/** The last saved state, or null for a new device. */
	saved: T | null;
	save(value: T): void;
}

/**
 * @param file JSON file; each save replaces the whole file. Only its owner may read it, because it
 * can contain logins.
 */
export function memoryIn<T>(file: string | undefined): Memory<T> {
	if (file === undefined) return { saved: null, save: () => {} };
	return {
		saved: existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : null,
		save(value) {
			writeFileSync(`${file}.new`, JSON.stringify(value), { mode: 0o600 });
			renameSync(`${file}.new`, file);
		},
	};
}
