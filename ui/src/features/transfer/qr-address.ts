import { toString as draw } from 'qrcode';
import { pictureAddress } from '../../lib/picture-address.ts';

/**
 * Size from the specification, px; the screen shows the code larger. Without the margin, cameras do
 * not find the code.
 */
const SIZE = { width: 300, margin: 2 };

/**
 * @returns the address of a picture of the code: `qrUrl` if it is an address, else a picture drawn
 * from its text; null if the text is too long
 */
export async function qrAddress(qrUrl: string): Promise<string | null> {
	if (/^(https?:\/\/|data:image\/)/i.test(qrUrl)) return pictureAddress(qrUrl);
	try {
		return `data:image/svg+xml,${encodeURIComponent(await draw(qrUrl, { ...SIZE, type: 'svg', errorCorrectionLevel: 'M' }))}`;
	} catch {
		return null;
	}
}
