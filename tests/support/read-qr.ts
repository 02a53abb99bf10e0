import { PNG } from 'pngjs';
import QRCode from 'qrcode';

/** A black-and-white picture. In `isDark`, `x` counts dots from the left and `y` from the top. */
interface Picture {
	width: number;
	height: number;
	isDark: (x: number, y: number) => boolean;
}

/** @returns the raster images (GS v 0) in ESC/POS data, the topmost first */
export function rastersIn(data: Buffer): Picture[] {
	const found: Picture[] = [];
	for (let at = 0; at < data.length - 8; at += 1) {
		if (data.readUInt32BE(at) !== 0x1d763000) continue;
		const bytes = data.readUInt16LE(at + 4);
		const height = data.readUInt16LE(at + 6);
		const bits = data.subarray(at + 8, at + 8 + bytes * height);
		found.push({ width: bytes * 8, height, isDark: (x, y) => ((bits[y * bytes + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) !== 0 });
		at += 7 + bits.length;
	}
	return found;
}

/** @param data a picture in PBM format (P4), as pdfimages writes it */
export function pbmPicture(data: Buffer): Picture {
	const [head = '', width, height] = /^P4\s+(\d+)\s+(\d+)\s/.exec(data.toString('latin1')) ?? [];
	const bytes = Math.ceil(Number(width) / 8);
	return {
		width: Number(width),
		height: Number(height),
		isDark: (x, y) => ((data[head.length + y * bytes + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) !== 0,
	};
}

/** @param data a screenshot as PNG */
export function pngPicture(data: Buffer): Picture {
	const { width, height, data: dots } = PNG.sync.read(data);
	return { width, height, isDark: (x, y) => (dots[(y * width + x) * 4] ?? 255) < 128 };
}

/** The characters of a QR code's alphanumeric mode, in the order of their values. */
const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';
/** The masks of ISO/IEC 18004, by number. `x` is the column. */
const MASKS: ((x: number, y: number) => boolean)[] = [
	(x, y) => (x + y) % 2 === 0,
	(_, y) => y % 2 === 0,
	(x) => x % 3 === 0,
	(x, y) => (x + y) % 3 === 0,
	(x, y) => (Math.floor(y / 2) + Math.floor(x / 3)) % 2 === 0,
	(x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
	(x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
	(x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];
/** For each version at level M: the number of data codewords in each block. */
const BLOCKS_M: Record<number, number[]> = {
	5: [43, 43],
	6: [27, 27, 27, 27],
	7: [31, 31, 31, 31],
	8: [38, 38, 39, 39],
	9: [36, 36, 36, 37, 37],
	10: [43, 43, 43, 43, 44],
	11: [50, 51, 51, 51, 51],
	12: [...Array(6).fill(36), ...Array(2).fill(37)],
	13: [...Array(8).fill(37), 38],
	14: [...Array(4).fill(40), ...Array(5).fill(41)],
	15: [...Array(5).fill(41), ...Array(5).fill(42)],
	16: [...Array(7).fill(45), ...Array(3).fill(46)],
	17: [...Array(10).fill(46), 47],
};

/**
 * Reads a QR code on paper or on the screen. The code must be upright and sharp, have level M, and
 * contain one segment of letters or bytes. The function corrects no errors, so every module must be
 * right.
 * @returns the code's text, and the width of a module in dots
 */
export function readQr(picture: Picture): { text: string; dots: number } {
	const { left, top, dots, size } = frameOf(picture);
	const isDark = (x: number, y: number) => picture.isDark(left + x * dots + Math.floor(dots / 2), top + y * dots + Math.floor(dots / 2));
	const version = (size - 17) / 4;
	const blocks = BLOCKS_M[version];
	if (!blocks) throw new Error(`a code of ${size} modules`);
	// Row 8 contains the format. Its bits 10 to 12, without the format's fixed mask, are the number
	// of the mask.
	const format = [2, 3, 4].reduce((sum, x) => sum * 2 + Number(isDark(x, 8)), 0) ^ 0b101;
	const mask = MASKS[format];
	const fixed = QRCode.create('0', { version, errorCorrectionLevel: 'M' }).modules;
	let bits = '';
	for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
		if (right === 6) right -= 1;
		for (let step = 0; step < size; step += 1) {
			const y = up ? size - 1 - step : step;
			for (const x of [right, right - 1]) if (!fixed.isReserved(y, x)) bits += Number(isDark(x, y) !== mask?.(x, y));
		}
	}
	const words = bits.match(/.{8}/g) ?? [];
	// The blocks take turns, one codeword each. A shorter block ends one round earlier.
	const data = blocks.map((): string[] => []);
	let at = 0;
	for (let round = 0; round < Math.max(...blocks); round += 1)
		for (const [block, length] of blocks.entries()) if (round < length) data[block]?.push(words[at++] ?? '');
	return { text: textOf(data.flat().join(''), version), dots };
}

function textOf(bits: string, version: number): string {
	let at = 0;
	const take = (count: number): number => {
		at += count;
		return Number.parseInt(bits.slice(at - count, at), 2);
	};
	const mode = take(4);
	if (mode === 0b0100) return Buffer.from(Array.from({ length: take(version < 10 ? 8 : 16) }, () => take(8))).toString();
	if (mode !== 0b0010) throw new Error('neither letters nor bytes');
	const length = take(version < 10 ? 9 : 11);
	let text = '';
	while (text.length + 1 < length) {
		const pair = take(11);
		text += `${LETTERS[Math.floor(pair / 45)]}${LETTERS[pair % 45]}`;
	}
	return text.length < length ? text + LETTERS[take(6)] : text;
}

/** Finds the code in the picture. The finder pattern in the code's corner is seven modules wide. */
function frameOf({ width, height, isDark }: Picture): { left: number; top: number; dots: number; size: number } {
	const columns = Array.from({ length: width }, (_, x) => x).filter((x) =>
		Array.from({ length: height }, (_, y) => y).some((y) => isDark(x, y)),
	);
	const rows = Array.from({ length: height }, (_, y) => y).filter((y) =>
		Array.from({ length: width }, (_, x) => x).some((x) => isDark(x, y)),
	);
	const [left = 0, top = 0] = [columns[0], rows[0]];
	let finder = 0;
	while (isDark(left + finder, top)) finder += 1;
	const dots = finder / 7;
	return { left, top, dots, size: ((columns.at(-1) ?? 0) - left + 1) / dots };
}
