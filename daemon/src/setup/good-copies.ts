/**
 * Copies of the last valid setup files. After an update the settings may contain names that the
 * previous version refuses. Each version therefore keeps its own copy, so that a rollback does not
 * lead to the built-in defaults.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../base/replace-file.ts';

/** Number of other versions whose copies are kept; a rollback needs one. */
const OTHERS = 3;

/** The copies of one file. */
export interface GoodCopies {
	save(text: string): void;
	/** Removes the copies of all versions. */
	forget(): void;
	/** @returns the copies in order of priority */
	read(): string[];
}

/** Copies of one file that has the same meaning for every version. @param folder must exist */
export function sharedCopy(folder: string, name: string): GoodCopies {
	return copiesIn([folder], name);
}

/**
 * Copies of one file for each version. Order: the version's own copy; the copies of other versions,
 * last used first; the copy of an earlier release without version folders.
 * @param version as `versionFolder` returns it
 */
export function copyOfVersion(folder: string, version: string, name: string): GoodCopies {
	const others = versionsIn(folder).filter((one) => one !== version);
	return copiesIn([...[version, ...others].map((one) => join(folder, one)), folder], name);
}

function copiesIn(folders: readonly string[], name: string): GoodCopies {
	const files = folders.map((folder) => join(folder, name));
	const [own = ''] = files;
	return {
		save(text) {
			if (!existsSync(own) || readFileSync(own, 'utf8') !== text) replaceFile(own, text);
		},
		forget() {
			for (const file of files) rmSync(file, { force: true });
		},
		read: () => files.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8')),
	};
}

/**
 * Creates the folder of this version, marks it as used, and keeps only the last used folders of
 * other versions.
 * @returns the name of the version's folder
 */
export function versionFolder(folder: string, version: string): string {
	const name = encodeURIComponent(version);
	const own = join(folder, name);
	mkdirSync(folder, { recursive: true });
	try {
		mkdirSync(own, { recursive: true });
		utimesSync(own, new Date(), new Date());
	} catch {
		// Saving the copy will fail for the same reason and report it.
	}
	const others = versionsIn(folder).filter((one) => one !== name);
	for (const old of others.slice(OTHERS)) rmSync(join(folder, old), { recursive: true });
	return name;
}

/** @returns the versions' folders, the last used first */
const versionsIn = (folder: string): string[] =>
	readdirSync(folder, { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.map(({ name }) => ({ name, used: statSync(join(folder, name)).mtimeMs }))
		.sort((a, b) => b.used - a.used)
		.map(({ name }) => name);
