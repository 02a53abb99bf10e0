import { deflateSync } from 'node:zlib';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { decodePicture } from './decode-picture.ts';
import { decodeInWorker } from './logos.ts';
import { rasterOf } from './raster.ts';

const BLACK = [0, 0, 0, 255];
const WHITE = [255, 255, 255, 255];

/** @returns a picture whose left half is black and whose right half is white */
function half(width: number, height: number): { width: number; height: number; data: Buffer } {
	const row = Array.from({ length: width }, (_, x) => (x < width / 2 ? BLACK : WHITE)).flat();
	return { width, height, data: Buffer.from(Array.from({ length: height }, () => row).flat()) };
}
function png(width: number, height: number): Buffer {
	const picture = new PNG({ width, height });
	half(width, height).data.copy(picture.data);
	return PNG.sync.write(picture);
}
const chunk = (type: string, data: Buffer): Buffer => {
	const frame = Buffer.alloc(8);
	frame.writeUInt32BE(data.length);
	frame.write(type, 4, 'latin1');
	return Buffer.concat([frame, data, Buffer.alloc(4)]);
};
/** A PNG with this size in its header and these packed pixels, which may contradict the header. */
function made(width: number, height: number, packed: Buffer, interlace = 0, more: Buffer[] = []): Buffer {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([8, 6, 0, 0, interlace], 8);
	const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
	return Buffer.concat([signature, chunk('IHDR', header), ...more, chunk('IDAT', packed), chunk('IEND', Buffer.alloc(0))]);
}

test('a PNG or JPEG is scaled to the largest logo size, and its dark pixels become black dots', () => {
	for (const file of [png(192, 40), jpeg.encode(half(192, 40), 90).data]) {
		const raster = rasterOf(decodePicture(file));
		expect(raster).toMatchObject({ width: 384, height: 80 });
		const bits = Buffer.from(raster?.bits ?? '', 'base64');
		expect([...bits.subarray(0, 48)]).toEqual([...Array(24).fill(0xff), ...Array(24).fill(0)]);
	}
});

test('a picture of any size is scaled in proportion, and its width is filled up to whole bytes', () => {
	expect(rasterOf(decodePicture(png(1_600, 400)))).toMatchObject({ width: 384, height: 96 });
	expect(rasterOf(decodePicture(png(4, 2_000)))).toMatchObject({ width: 8, height: 160 });
	expect(rasterOf({ width: 1, height: 1, data: Buffer.from(BLACK) })).toMatchObject({ width: 160, height: 160 });
});

test('a transparent or white picture is not a logo', () => {
	expect(rasterOf({ width: 8, height: 8, data: Buffer.alloc(8 * 8 * 4) })).toBeNull();
	expect(rasterOf({ width: 8, height: 8, data: Buffer.alloc(8 * 8 * 4, 255) })).toBeNull();
});

test.each([
	['an SVG file', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
	['an empty file', Buffer.alloc(0)],
	['a PNG cut off', png(192, 40).subarray(0, 60)],
	['a PNG without a header', Buffer.concat([png(8, 8).subarray(0, 8), chunk('IEND', Buffer.alloc(0))])],
	['a JPEG cut off', jpeg.encode(half(192, 40), 90).data.subarray(0, 300)],
	['a PNG with a side longer than the limit', made(100_000, 1, deflateSync(Buffer.alloc(10)))],
	['a PNG with more dots than the limit', made(8_000, 8_000, deflateSync(Buffer.alloc(10)))],
	['a picture of zero width', made(0, 8, deflateSync(Buffer.alloc(10)))],
	['a chunk longer than the file', made(8, 8, deflateSync(Buffer.alloc(10)), 0, [Buffer.from('ffffffff49444154', 'hex')])],
])('%s is refused', (_what, file) => {
	expect(() => decodePicture(file)).toThrow();
});

test('a small PNG whose pixels expand to 200 MB is refused before it is expanded, interlaced or not', () => {
	const bomb = deflateSync(Buffer.alloc(200_000_000));
	expect(bomb.length).toBeLessThan(300_000);
	const before = process.memoryUsage().arrayBuffers;
	for (const interlace of [0, 1]) expect(() => decodePicture(made(100, 100, bomb, interlace))).toThrow();
	expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000_000);
	// A picture is accepted even if its colour profile and its text would each expand to 200 MB.
	const rows = deflateSync(Buffer.alloc(8 * (1 + 8 * 4)));
	const profile = chunk('iCCP', Buffer.concat([Buffer.from('x\0\0'), bomb]));
	expect(decodePicture(made(8, 8, rows, 0, [profile, chunk('zTXt', bomb)]))).toMatchObject({ width: 8, height: 8 });
});

test('a worker thread decodes a picture and returns a failure as an error', async () => {
	await expect(decodeInWorker(png(192, 40))).resolves.toMatchObject({ width: 384, height: 80 });
	await expect(decodeInWorker(Buffer.from('no picture'))).rejects.toThrow('neither PNG nor JPEG');
});
