import { LOGO_DOTS, type LogoRaster, type Receipt } from '../../../daemon/contract/receipt.ts';
import { pictureAddress } from './picture-address.ts';

/** The customer waits for the paper, not for the picture on it. */
const LOAD_LIMIT_MS = 2_000;
/** Darker than this, of 255, is black on paper. */
const BLACK_BELOW = 128;

/** @returns the receipt as the daemon prints it: its logo as dots, or no logo when the picture does not come */
export async function receiptForPrinter(receipt: Receipt): Promise<Receipt> {
	const raster = receipt.logo === '' ? null : await rasterOf(pictureAddress(receipt.logo)).catch(() => null);
	return { ...receipt, logo: '', ...(raster !== null && { logo_raster: raster }) };
}

/** Draws the picture as large as the paper allows. Rejects when it does not load; @returns null when nothing of it is dark */
async function rasterOf(address: string): Promise<LogoRaster | null> {
	const picture = new Image();
	picture.src = address;
	const limit = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('the logo does not load')), LOAD_LIMIT_MS));
	await Promise.race([picture.decode(), limit]);
	const { naturalWidth, naturalHeight } = picture;
	const scale = Math.min(LOGO_DOTS.width / naturalWidth, LOGO_DOTS.height / naturalHeight);
	const drawn = { width: Math.round(naturalWidth * scale), height: Math.max(1, Math.round(naturalHeight * scale)) };
	const canvas = document.createElement('canvas');
	canvas.width = Math.ceil(drawn.width / 8) * 8;
	canvas.height = drawn.height;
	const pen = canvas.getContext('2d');
	if (pen === null) return null;
	pen.fillStyle = '#fff';
	pen.fillRect(0, 0, canvas.width, canvas.height);
	pen.drawImage(picture, Math.floor((canvas.width - drawn.width) / 2), 0, drawn.width, drawn.height);
	const bits = bitsOf(pen.getImageData(0, 0, canvas.width, canvas.height).data);
	if (bits.every((byte) => byte === 0)) return null;
	return { width: canvas.width, height: canvas.height, bits: btoa(String.fromCharCode(...bits)) };
}

/** @param pixels red, green, blue and opacity of each; opaque, and a multiple of eight of them a row */
function bitsOf(pixels: Uint8ClampedArray): Uint8Array {
	const bits = new Uint8Array(pixels.length / 4 / 8);
	for (let at = 0; at < pixels.length / 4; at += 1) {
		const [red = 0, green = 0, blue = 0] = pixels.subarray(4 * at, 4 * at + 3);
		// As bright as the eye takes it (ITU-R BT.601).
		if (0.299 * red + 0.587 * green + 0.114 * blue < BLACK_BELOW) bits[at >> 3] = (bits[at >> 3] ?? 0) | (0x80 >> (at & 7));
	}
	return bits;
}
