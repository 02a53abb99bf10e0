/**
 * The kernel images on the boot partition. Their file names contain the boot loader's try counter.
 */
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of kernel images. */
export const BOOT_ENTRIES = '/efi/EFI/Linux';

export interface Entry {
	name: string;
	version: string;
	/** Tries left; null if the name has no try counter, because the version is confirmed as good. */
	left: number | null;
	/** Tries used. */
	done: number;
	bytes: number;
}

/** @returns the kiosk's entries; throws if the partition cannot be read */
export const readEntries = (folder: string): Entry[] =>
	readdirSync(folder).flatMap((name) => {
		const [, version, left, done] = /^kiosk_(.+?)(?:\+(\d+)(?:-(\d+))?)?\.efi$/.exec(name) ?? [];
		if (version === undefined) return [];
		return [
			{ name, version, left: left === undefined ? null : Number(left), done: Number(done ?? 0), bytes: statSync(join(folder, name)).size },
		];
	});

/**
 * @returns the entry of a version. An interrupted rename may leave two names, of which the name
 * with a try counter is newer.
 */
export const entryOf = (entries: readonly Entry[], version: string): Entry | undefined =>
	[...entries].filter((entry) => entry.version === version).sort((a, b) => Number(b.left !== null) - Number(a.left !== null))[0];

/** Removes a version from the boot loader. */
export function removeEntry(folder: string, { name }: Entry): void {
	rmSync(join(folder, name), { force: true });
	sync(folder);
}

/** Sets a version's remaining tries to 0, so that the boot loader prefers any other version. */
export function exhaustEntry(folder: string, { name, version, done }: Entry): void {
	renameSync(join(folder, name), join(folder, `kiosk_${version}+0-${Math.max(done, 1)}.efi`));
	sync(folder);
}

function sync(folder: string): void {
	const handle = openSync(folder, 'r');
	try {
		fsyncSync(handle);
	} finally {
		closeSync(handle);
	}
}
