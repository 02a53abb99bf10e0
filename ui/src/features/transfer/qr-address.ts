import { toString as draw } from 'qrcode';
import { pictureAddress } from '../../lib/picture-address.ts';

/**
 * Width in px, from the specification; the screen shows the code larger. Cameras need the margin to
 * find the code.
 */
const SIZE = { width: 300, margin: 2 };

/**
 * @returns the address of a picture of the code. If `qrUrl` is not an address, the picture is drawn
 * from its text. Null if the text is too long.
 */
export async function qrAddress(qrUrl: string): Promise<string | null> {
	if (/^(https?:\/\/|data:image\/)/i.test(qrUrl)) return pictureAddress(qrUrl);
	try {
		return `data:image/svg+xml,${encodeURIComponent(await draw(qrUrl, { ...SIZE, type: 'svg', errorCorrectionLevel: 'M' }))}`;
	} catch {
		return null;
	}
}
