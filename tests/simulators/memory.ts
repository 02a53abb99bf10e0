import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** A device's memory across power cuts. Without a file it lasts as long as the simulator. */
export interface Memory<T> {
	/** The last saved state, or null for a new device. */
	saved: T | null;
	save(value: T): void;
}

/** @param file JSON, replaced as a whole; readable only by its owner because it may hold logins */
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
