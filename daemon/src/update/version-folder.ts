/**
 * Subfolders of the updater's folder, one for each version. At most the version fetched or imported
 * last has all files; the other versions keep only their manifests.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LARGEST_MANIFEST_BYTES, type Manifest, parseManifest } from './manifest.ts';
import { checkSignature, type UpdateKey } from './signature.ts';
import { compareVersions, isPublishable } from './version.ts';

const MANIFEST = 'manifest.json';
const SIGNATURE = 'manifest.json.sig';
/**
 * Number of manifests that are kept. Older manifests belong to versions that are in neither slot.
 */
const KEPT = 10;

/** The published files of manifest and signature. */
export interface Published {
	bytes: Buffer;
	signature: Buffer;
}

export const folderOf = (folder: string, version: string): string => join(folder, version);

/** Writes the manifest into the version's folder. @returns the folder */
export function openFolder(folder: string, version: string, { bytes, signature }: Published): string {
	const own = folderOf(folder, version);
	mkdirSync(own, { recursive: true });
	writeFileSync(join(own, MANIFEST), bytes);
	writeFileSync(join(own, SIGNATURE), signature);
	return own;
}

/** @returns the stored manifest of a version; null if it is missing, unsigned or invalid */
export function manifestIn(folder: string, version: string, keys: readonly UpdateKey[]): Manifest | null {
	const own = folderOf(folder, version);
	try {
		if (statSync(join(own, MANIFEST)).size > LARGEST_MANIFEST_BYTES) return null;
		const bytes = readFileSync(join(own, MANIFEST));
		if (!checkSignature(bytes, readFileSync(join(own, SIGNATURE)), keys).ok) return null;
		const parsed = parseManifest(bytes);
		return parsed.ok && parsed.value.version === version ? parsed.value : null;
	} catch {
		return null;
	}
}

/**
 * Deletes the files of all versions but `kept`; keeps the newest manifests.
 * @param kept version, or null
 */
export function cleanFolders(folder: string, kept: string | null): void {
	const versions = readdirSync(folder, { withFileTypes: true })
		.filter((entry) => entry.isDirectory() && isPublishable(entry.name) && existsSync(join(folder, entry.name, MANIFEST)))
		.map(({ name }) => name)
		.sort(compareVersions);
	for (const [index, version] of versions.entries()) {
		if (version === kept) continue;
		const own = folderOf(folder, version);
		if (index < versions.length - KEPT) rmSync(own, { recursive: true });
		else for (const name of readdirSync(own)) if (name !== MANIFEST && name !== SIGNATURE) rmSync(join(own, name), { recursive: true });
	}
}
