import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/**
 * A simulator's state. With a file it is kept across restarts of the simulator; otherwise it is
 * lost.
 */
export interface Memory<T> {
	/** The last saved state, or null for a new device. */
	saved: T | null;
	save(value: T): void;
}

/**
 * @param file JSON file, which is replaced as a whole and readable only by its owner, because it
 * may contain logins
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
