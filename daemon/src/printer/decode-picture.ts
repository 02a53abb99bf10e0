import { crc32, inflateSync } from 'node:zlib';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import type { Pixels } from './raster.ts';

/** Enough for a logo of 2,000 by 2,000 pixels. */
const MOST_PIXELS = 4_000_000;
const LONGEST_SIDE = 8_000;
/**
 * Maximum unpacked size of a PNG: four million pixels of four bytes and one filter byte per row,
 * interlaced or not.
 */
const MOST_UNPACKED_BYTES = 16_200_000;
/** Memory limit of the JPEG decoder. */
const MOST_JPEG_MB = 96;

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/**
 * Chunks that define the picture. Other chunks are dropped, because they could expand without
 * limit.
 */
const PNG_CHUNKS = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
/** Length, type and CRC of a chunk, without its data. */
const CHUNK_FRAME_BYTES = 12;

/**
 * Decodes a PNG or JPEG. The file may be hostile, so the needed memory is checked first. Call this
 * function in a worker, because a large picture blocks the thread.
 * @throws with the reason if the picture is damaged or too large
 */
export function decodePicture(file: Buffer): Pixels {
	if (file.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return decodePng(file);
	if (file[0] === 0xff && file[1] === 0xd8) {
		return jpeg.decode(file, { useTArray: true, maxResolutionInMP: MOST_PIXELS / 1e6, maxMemoryUsageInMB: MOST_JPEG_MB });
	}
	throw new Error('neither PNG nor JPEG');
}

function decodePng(file: Buffer): Pixels {
	const chunks = chunksOf(file);
	const header = chunks.find(({ type }) => type === 'IHDR')?.data;
	if (!header || header.length < 8) throw new Error('a PNG without a header');
	const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
	if (width < 1 || height < 1 || width > LONGEST_SIDE || height > LONGEST_SIDE || width * height > MOST_PIXELS)
		throw new Error(`a PNG of ${width} x ${height} dots`);
	const packed = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data);
	// Checks the unpacked size, because the library inflates interlaced pictures without a limit.
	inflateSync(Buffer.concat(packed), { maxOutputLength: MOST_UNPACKED_BYTES });
	return PNG.sync.read(Buffer.concat([PNG_SIGNATURE, ...chunks.map(written)]));
}

type Chunk = { type: string; data: Buffer };

function chunksOf(file: Buffer): Chunk[] {
	const chunks: Chunk[] = [];
	for (let at = PNG_SIGNATURE.length; at + CHUNK_FRAME_BYTES <= file.length; ) {
		const length = file.readUInt32BE(at);
		const type = file.toString('latin1', at + 4, at + 8);
		const end = at + CHUNK_FRAME_BYTES + length;
		if (end > file.length) throw new Error('a PNG that is cut off');
		if (PNG_CHUNKS.has(type)) chunks.push({ type, data: file.subarray(at + 8, at + 8 + length) });
		if (type === 'IEND') break;
		at = end;
	}
	return chunks;
}

function written({ type, data }: Chunk): Buffer {
	const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const frame = Buffer.alloc(CHUNK_FRAME_BYTES - 4);
	frame.writeUInt32BE(data.length, 0);
	frame.writeUInt32BE(crc32(named), 4);
	return Buffer.concat([frame.subarray(0, 4), named, frame.subarray(4)]);
}
