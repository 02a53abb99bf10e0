/** Downloads all files of a version into its folder with as few bytes as possible. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ok, type Result } from '../base/result.ts';
import { type FetchDeps, fetchFile, keepIfRight, partOf, sha256Of } from './fetch-file.ts';
import { fileOf, type Manifest, type ManifestFile } from './manifest.ts';
import type { FetchFailure } from './server.ts';
import { unpack } from './unpack.ts';

/** Makes the root from blocks of the running root. */
export type Assemble = (manifest: Manifest, deps: FetchDeps) => Promise<Result<void, FetchFailure>>;

/** @param assemble null: the root is fetched as a whole */
export async function fetchSet(manifest: Manifest, deps: FetchDeps, assemble: Assemble | null): Promise<Result<void, FetchFailure>> {
	const uki = await fetchFile(fileOf(manifest, 'uki'), deps);
	if (!uki.ok) return uki;
	const verity = await fetchPartition(manifest, 'verity', deps);
	if (!verity.ok) return verity;
	if (assemble !== null && !existsSync(join(deps.folder, fileOf(manifest, 'root').name))) {
		const assembled = await assemble(manifest, deps);
		// If the server does not support ranges or a block is wrong, the whole root is fetched.
		if (assembled.ok || (assembled.error.code !== 'no_range' && assembled.error.code !== 'checksum')) return assembled;
	}
	return fetchPartition(manifest, 'root', deps);
}

/** Fetches the partition's file, or fetches and unpacks its compressed copy if one is published. */
async function fetchPartition(manifest: Manifest, kind: 'root' | 'verity', deps: FetchDeps): Promise<Result<void, FetchFailure>> {
	const file = fileOf(manifest, kind);
	const packed = manifest.files.find((one) => one.kind === `${kind}.gz`);
	if (packed === undefined || existsSync(join(deps.folder, file.name))) return fetchFile(file, deps);
	const fetched = await fetchFile(packed, deps);
	return fetched.ok ? unpackFile(file, packed, deps.folder) : fetched;
}

/** Replaces a compressed file by its unpacked contents. */
async function unpackFile(file: ManifestFile, packed: ManifestFile, folder: string): Promise<Result<void, FetchFailure>> {
	const path = join(folder, file.name);
	const part = partOf(path);
	const unpacked = await unpack(join(folder, packed.name), part, file.bytes);
	if (unpacked.ok || unpacked.error.code !== 'checksum') rmSync(join(folder, packed.name), { force: true });
	if (!unpacked.ok) {
		rmSync(part, { force: true });
		return unpacked;
	}
	return keepIfRight(file, part, path);
}

/**
 * Unpacks the compressed files that a stick or technician brought, and checks the hash of every
 * file.
 * @returns the first problem; a wrong file is deleted
 */
export async function verifySet(manifest: Manifest, folder: string): Promise<Result<void, FetchFailure>> {
	for (const kind of ['uki', 'verity', 'root'] as const) {
		const file = fileOf(manifest, kind);
		const path = join(folder, file.name);
		if (!existsSync(path)) {
			const packed = manifest.files.find((one) => one.kind === `${kind}.gz`);
			if (packed === undefined || !existsSync(join(folder, packed.name)))
				return { ok: false, error: { code: 'checksum', message: `${file.name} is missing` } };
			const unpacked = await unpackFile(file, packed, folder);
			if (!unpacked.ok) return unpacked;
			continue;
		}
		const digest = await sha256Of(path);
		if (digest === file.sha256) continue;
		rmSync(path);
		return { ok: false, error: { code: 'checksum', message: `${file.name} has the SHA-256 ${digest}, but ${file.sha256} is published` } };
	}
	return ok(undefined);
}
