/** Largest size of a logo in dots: 48 mm by 20 mm at 8 dots per mm. */
const LOGO_DOTS = { width: 384, height: 160 };
/** Pixels darker than this (0 to 255) are black on paper. */
const BLACK_BELOW = 128;

/** A decoded picture: red, green, blue and opacity of each pixel, rows from the top. */
export interface Pixels {
	width: number;
	height: number;
	data: Uint8Array;
}

/**
 * A picture for the printer. `width` is a multiple of eight. `bits` is base64: rows from the top,
 * eight dots per byte, the leftmost dot in the highest bit; 1 is black.
 */
export interface LogoRaster {
	width: number;
	height: number;
	bits: string;
}

/**
 * Scales the picture to the largest size of a logo, keeps its proportions, and puts it on a white
 * background.
 * @returns null if the picture has no dark dots
 */
export function rasterOf(pixels: Pixels): LogoRaster | null {
	const scale = Math.min(LOGO_DOTS.width / pixels.width, LOGO_DOTS.height / pixels.height);
	const drawn = { width: Math.max(1, Math.round(pixels.width * scale)), height: Math.max(1, Math.round(pixels.height * scale)) };
	const width = Math.ceil(drawn.width / 8) * 8;
	const left = Math.floor((width - drawn.width) / 2);
	const bits = Buffer.alloc((width / 8) * drawn.height);
	for (let y = 0; y < drawn.height; y += 1) {
		for (let x = 0; x < drawn.width; x += 1) {
			if (brightness(pixels, drawn, x, y) >= BLACK_BELOW) continue;
			const at = y * width + left + x;
			bits[at >> 3] = (bits[at >> 3] ?? 0) | (0x80 >> (at & 7));
		}
	}
	return bits.every((byte) => byte === 0) ? null : { width, height: drawn.height, bits: bits.toString('base64') };
}

/** @returns the average brightness of the picture in the area of one dot of the paper, 0 to 255 */
function brightness({ width, height, data }: Pixels, drawn: { width: number; height: number }, x: number, y: number): number {
	const [fromX, toX] = span(x, drawn.width, width);
	const [fromY, toY] = span(y, drawn.height, height);
	let sum = 0;
	for (let row = fromY; row < toY; row += 1) {
		for (let at = 4 * (row * width + fromX); at < 4 * (row * width + toX); at += 4) {
			// Luma of ITU-R BT.601.
			const shine = 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0);
			sum += 255 - ((255 - shine) * (data[at + 3] ?? 0)) / 255;
		}
	}
	return sum / ((toX - fromX) * (toY - fromY));
}

/**
 * @returns the pixels that dot `at` covers if `from` pixels are drawn as `to` dots: the first
 * pixel, and the pixel after the last. A dot covers at least one pixel
 */
function span(at: number, to: number, from: number): [number, number] {
	const first = Math.min(from - 1, Math.floor((at * from) / to));
	return [first, Math.max(first + 1, Math.min(from, Math.floor(((at + 1) * from) / to)))];
}
