/** Unpacks a compressed partition into a sparse file, because most blocks are zeros. */
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { fail, messageOf, ok, type Result } from '../base/result.ts';
import type { FetchFailure } from './server.ts';

const CHUNK_BYTES = 256 * 1024;
const ZEROS = Buffer.alloc(CHUNK_BYTES);
/**
 * Number of bytes that are written between two syncs. One long sync would delay the journal's
 * syncs.
 */
const STRETCH_BYTES = 4 * 1024 * 1024;

/**
 * @param bytes published length of the unpacked file; any other length is a failure. Unpacking
 * stops at this length, so that a decompression bomb cannot fill the disk.
 */
export async function unpack(packed: string, to: string, bytes: number): Promise<Result<void, FetchFailure>> {
	let handle: FileHandle | null = null;
	try {
		handle = await open(to, 'w', 0o644);
		const source = createReadStream(packed);
		const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
		source.on('error', (error) => gunzip.destroy(error));
		let [at, unsynced] = [0, 0];
		for await (const piece of source.pipe(gunzip) as AsyncIterable<Buffer>) {
			if (at + piece.length > bytes)
				return fail({ code: 'length', message: `${packed} unpacks to more than the published ${bytes} bytes` });
			if (!piece.equals(ZEROS.subarray(0, piece.length))) {
				await handle.write(piece, 0, piece.length, at);
				unsynced += piece.length;
			}
			at += piece.length;
			if (unsynced < STRETCH_BYTES) continue;
			unsynced = 0;
			await handle.datasync();
		}
		if (at < bytes) return fail({ code: 'length', message: `${packed} unpacks to ${at} bytes, but ${bytes} are published` });
		await handle.truncate(bytes);
		await handle.sync();
		return ok(undefined);
	} catch (error) {
		return fail({ code: 'checksum', message: `${packed} cannot be unpacked: ${messageOf(error)}` });
	} finally {
		await handle?.close();
	}
}
