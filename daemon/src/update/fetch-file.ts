/** Downloads one published file into a folder. Continues interrupted downloads. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pause } from '../base/clock.ts';
import { fail, messageOf, ok, type Result } from '../base/result.ts';
import type { ManifestFile } from './manifest.ts';
import { type Line, receive } from './receive.ts';
import type { FetchFailure, UpdateServer } from './server.ts';

/**
 * Number of bytes that are written between two syncs. One long sync would delay the journal's
 * syncs.
 */
const STRETCH_BYTES = 4 * 1024 * 1024;
/**
 * Pause before the next connection if the broken connection delivered bytes. The pause is short,
 * because the download must fit into one night.
 */
const AGAIN_MS = 10_000;
const MOST_OPENINGS = 50;
/**
 * Maximum number of restarts from the first byte. Without ranges each broken connection costs the
 * whole file.
 */
const MOST_RESTARTS = 1;

export interface FetchDeps {
	server: UpdateServer;
	line: Line;
	/** Folder of this version. */
	folder: string;
	/** Called with the length of each received piece. */
	onBytes: (bytes: number) => void;
	/** Free bytes that the download must leave. */
	reserveBytes: number;
}

/** @returns the path of the partial file */
export const partOf = (file: string): string => `${file}.part`;

const sizeOf = (file: string): number => (existsSync(file) ? statSync(file).size : 0);

export async function sha256Of(file: string): Promise<string> {
	const hash = createHash('sha256');
	await pipeline(createReadStream(file, { highWaterMark: 1024 * 1024 }), hash);
	return hash.digest('hex');
}

/** @returns why there is too little space for further bytes; null if there is enough */
export function problemOfSpace(folder: string, needed: number, reserve: number): FetchFailure | null {
	const { bavail, bsize } = statfsSync(folder);
	const free = bavail * bsize;
	if (free >= needed + reserve) return null;
	const mb = (bytes: number): number => Math.ceil(bytes / 1_048_576);
	return { code: 'disk', message: `${mb(free)} MB are free in ${folder}; ${mb(needed)} MB are needed and ${mb(reserve)} MB stay reserved` };
}

/**
 * Downloads and checks the file, then stores it under its own name. A stored file of the published
 * size is not requested again.
 */
export async function fetchFile(file: ManifestFile, deps: FetchDeps): Promise<Result<void, FetchFailure>> {
	const path = join(deps.folder, file.name);
	if (sizeOf(path) === file.bytes) return ok(undefined);
	const part = partOf(path);
	const resumed = sizeOf(part) > 0;
	const fetched = await fetchPart(file, part, deps);
	if (!fetched.ok) return fetched;
	const kept = await keepIfRight(file, part, path);
	// The resumed part may belong to an earlier file of the same name, so the download is repeated.
	if (kept.ok || !resumed) return kept;
	const again = await fetchPart(file, part, deps);
	return again.ok ? keepIfRight(file, part, path) : again;
}

/** Renames the partial file if its hash is right, else deletes it. */
export async function keepIfRight(file: ManifestFile, part: string, path: string): Promise<Result<void, FetchFailure>> {
	const digest = await sha256Of(part);
	if (digest !== file.sha256) {
		rmSync(part, { force: true });
		return fail({ code: 'checksum', message: `${file.name} has the SHA-256 ${digest}, but ${file.sha256} is published` });
	}
	renameSync(part, path);
	return ok(undefined);
}

async function fetchPart(file: ManifestFile, part: string, deps: FetchDeps): Promise<Result<void, FetchFailure>> {
	let restarts = 0;
	for (let openings = 1; ; openings += 1) {
		const before = sizeOf(part);
		if (before > file.bytes) {
			rmSync(part);
			continue;
		}
		if (before === file.bytes) return ok(undefined);
		const space = problemOfSpace(deps.folder, file.bytes - before, deps.reserveBytes);
		if (space !== null) return fail(space);
		const got = await append(file, part, before, deps);
		if (got.ok) continue;
		const { code } = got.error;
		if (openings >= MOST_OPENINGS || deps.line.signal.aborted) return got;
		if (code === 'no_range' && restarts < MOST_RESTARTS) {
			restarts += 1;
			rmSync(part);
		} else if (code === 'unreachable' && sizeOf(part) > before) await pause(deps.line.clock, AGAIN_MS);
		else return got;
	}
}

/** Appends to the partial file the bytes that one connection delivers. */
async function append(file: ManifestFile, part: string, from: number, deps: FetchDeps): Promise<Result<void, FetchFailure>> {
	let handle: FileHandle | null = null;
	try {
		handle = await open(part, 'a', 0o644);
		const out = handle;
		let unsynced = 0;
		const range = from === 0 ? null : { from, to: file.bytes };
		return await receive(
			deps.line,
			file.bytes - from,
			(signal) => deps.server.open(file.name, file.bytes, range, signal),
			async (piece) => {
				await out.writeFile(piece);
				deps.onBytes(piece.length);
				unsynced += piece.length;
				if (unsynced < STRETCH_BYTES) return;
				unsynced = 0;
				await out.datasync();
			},
		);
	} catch (error) {
		return fail({ code: 'disk', message: `${part}: ${messageOf(error)}` });
	} finally {
		await handle?.sync().catch(() => undefined);
		await handle?.close();
	}
}
