import { randomUUID } from 'node:crypto';
import { statfsSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Download } from '../http/download.ts';

/** Maximum size of a film: enough for a promo film of several minutes. */
const LARGEST_FILM_BYTES = 500 * 1024 * 1024;
/** If the server sends nothing for this long, the download is aborted. */
const SILENCE_MS = 30_000;
/**
 * After each block of this many bytes, the file is synced and the free space is checked. One long
 * sync at the end would delay the journal's syncs.
 */
const STRETCH_BYTES = 4 * 1024 * 1024;
/** Number of bytes at the beginning of a film that identify its type. */
export const FILM_HEAD_BYTES = 12;

/** A valid ETag (RFC 9110, 8.8.3). Only a valid ETag may be sent back in a header. */
const ETAG = /^(W\/)?"[\x21\x23-\x7e]{0,200}"$/;

/** The current promo film. */
export interface Film {
	file: string;
	/** Bytes. */
	size: number;
	type: 'video/mp4' | 'video/webm';
	/** A new value for each downloaded film. */
	version: string;
}

/** A film on disk, with the data that shows whether the server's film is still the same. */
export interface KeptFilm {
	address: string;
	etag: string | null;
	size: number;
	type: 'video/mp4' | 'video/webm';
	/** Part of the file name. */
	version: string;
}

export const filmFile = (directory: string, version: string): string => join(directory, `film-${version}`);

/**
 * Downloads the film into a new file, in pieces to save memory. On failure, deletes the file and
 * rejects with an error that gives the reason.
 * @param of.kept the stored film; if the server still has it, nothing is downloaded
 * @param of.reserveBytes free space that the film must not use
 * @returns the new film, synced to disk; null if the server still has the kept film
 */
export async function downloadFilm(of: {
	address: string;
	kept: KeptFilm | null;
	directory: string;
	reserveBytes: number;
	download: Download;
	clock: Clock;
	signal: AbortSignal;
}): Promise<KeptFilm | null> {
	const silence = startWatchdog(of.clock, SILENCE_MS);
	const signal = AbortSignal.any([of.signal, silence.signal]);
	try {
		const headers: Record<string, string> = of.kept?.etag ? { 'If-None-Match': of.kept.etag } : {};
		const response = await of.download(of.address, { headers, signal });
		try {
			return await take(response, of, silence.heard);
		} finally {
			response.destroy();
		}
	} catch (error) {
		throw silence.signal.aborted ? silence.signal.reason : error;
	} finally {
		silence.end();
	}
}

type Deps = Parameters<typeof downloadFilm>[0];

async function take(response: IncomingMessage, of: Deps, heard: () => void): Promise<KeptFilm | null> {
	if (response.statusCode === 304) return null;
	if (response.statusCode !== 200) throw new Error(`the film's server answers ${response.statusCode}`);
	const etag = ETAG.exec(response.headers.etag ?? '')?.[0] ?? null;
	const length = response.headers['content-length'] === undefined ? null : Number(response.headers['content-length']);
	if (of.kept && isKept(of.kept, of.address, etag, length)) return null;
	if (length !== null && length > LARGEST_FILM_BYTES) throw new Error(tooLarge(length));
	requireSpace(of.directory, (length ?? 0) + of.reserveBytes);

	const version = randomUUID();
	const file = filmFile(of.directory, version);
	const handle = await open(file, 'wx', 0o600);
	try {
		const { size, head } = await write(response, handle, of, heard);
		if (!response.complete) throw new Error('the film was cut off');
		const type = filmTypeOf(head);
		if (type === null) throw new Error('it is neither MP4 nor WebM');
		await handle.sync();
		return { address: of.address, etag, size, type, version };
	} catch (error) {
		await rm(file, { force: true });
		throw error;
	} finally {
		await handle.close();
	}
}

/**
 * @returns whether the server's film is the kept film. If the server announces a size, the kept
 * film must have this size. In addition, the ETags must be equal; if either film has no ETag, the
 * addresses must be equal
 */
function isKept(kept: KeptFilm, address: string, etag: string | null, length: number | null): boolean {
	if (length !== null && length !== kept.size) return false;
	if (etag !== null && kept.etag !== null) return etag === kept.etag;
	return address === kept.address;
}

async function write(response: IncomingMessage, handle: FileHandle, of: Deps, heard: () => void): Promise<{ size: number; head: Buffer }> {
	let size = 0;
	let synced = 0;
	let head = Buffer.alloc(0);
	for await (const chunk of response as AsyncIterable<Buffer>) {
		heard();
		size += chunk.length;
		if (size > LARGEST_FILM_BYTES) throw new Error(tooLarge(size));
		if (head.length < FILM_HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, FILM_HEAD_BYTES)]);
		await handle.writeFile(chunk);
		if (size - synced < STRETCH_BYTES) continue;
		await handle.datasync();
		synced = size;
		requireSpace(of.directory, of.reserveBytes);
	}
	return { size, head };
}

const tooLarge = (bytes: number): string => `it has ${bytes} bytes; a film may have at most ${LARGEST_FILM_BYTES}`;

function requireSpace(directory: string, bytes: number): void {
	const disk = statfsSync(directory);
	const free = disk.bavail * disk.bsize;
	if (free < bytes) throw new Error(`${free} bytes free, ${bytes} are needed`);
}

/**
 * @returns the type of a film; null if it is neither WebM nor MP4. WebM begins with the EBML mark,
 * MP4 with a box of type "ftyp". The server's Content-Type is not used, because it is often wrong
 */
export function filmTypeOf(head: Buffer): KeptFilm['type'] | null {
	if (head.toString('hex').startsWith('1a45dfa3')) return 'video/webm';
	return head.toString('latin1', 4, 8) === 'ftyp' ? 'video/mp4' : null;
}

/** Aborts its signal if `heard` is not called for `ms`. */
function startWatchdog(clock: Clock, ms: number): { signal: AbortSignal; heard: () => void; end: () => void } {
	const controller = new AbortController();
	let cancel = () => {};
	const heard = (): void => {
		cancel();
		cancel = clock.after(ms, () => controller.abort(new Error(`nothing came for ${ms} ms`)));
	};
	heard();
	return { signal: controller.signal, heard, end: () => cancel() };
}
