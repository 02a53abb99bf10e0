import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** A device's memory across power cuts. Without a file it is lost when the simulator ends. */
export interface Memory<T> {
	/** The state saved last, or null for a new device. */
	saved: T | null;
	save(value: T): void;
}

/**
 * @param file JSON file, replaced as a whole; readable only by its owner, because of logins
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
