import type { LogoRaster } from './raster.ts';

/**
 * Side length in dots of a module, the smallest square of the code: 0.5 mm at 8 dots per mm. The
 * cameras of cheap phones and hand scanners need at least three dots.
 */
const MODULE_DOTS = 4;
/** White modules around the code. Scanners need this margin. */
const QUIET = 4;

/**
 * @param text only characters of the alphanumeric mode of QR codes
 * @returns the code as dots. The library is imported at the first printout, which shortens the
 * daemon's start.
 */
export async function qrRaster(text: string): Promise<LogoRaster> {
	const { create } = await import('qrcode');
	const { size, data } = create([{ data: text, mode: 'alphanumeric' }], { errorCorrectionLevel: 'M' }).modules;
	const height = (size + 2 * QUIET) * MODULE_DOTS;
	const width = Math.ceil(height / 8) * 8;
	const bits = Buffer.alloc((width / 8) * height);
	for (let y = 0; y < height; y += 1) {
		for (let x = 0; x < height; x += 1) {
			const [row, column] = [Math.floor(y / MODULE_DOTS) - QUIET, Math.floor(x / MODULE_DOTS) - QUIET];
			const isInside = row >= 0 && row < size && column >= 0 && column < size;
			if (!isInside || !data[row * size + column]) continue;
			const at = y * width + x;
			bits[at >> 3] = (bits[at >> 3] ?? 0) | (0x80 >> (at & 7));
		}
	}
	return { width, height, bits: bits.toString('base64') };
}
