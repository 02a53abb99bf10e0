import { toString as draw } from 'qrcode';
import { pictureAddress } from '../../lib/picture-address.ts';

/**
 * The width in px comes from the specification; the screen shows the code larger. The margin, in
 * modules, is needed by cameras to find the code.
 */
const SIZE = { width: 300, margin: 2 };

/**
 * @returns the address of a picture of the code. If `qrUrl` is not an address, it is the code's
 * text, and the picture is drawn from it; null if this text is too long.
 */
export async function qrAddress(qrUrl: string): Promise<string | null> {
	if (/^(https?:\/\/|data:image\/)/i.test(qrUrl)) return pictureAddress(qrUrl);
	try {
		return `data:image/svg+xml,${encodeURIComponent(await draw(qrUrl, { ...SIZE, type: 'svg', errorCorrectionLevel: 'M' }))}`;
	} catch {
		return null;
	}
}
