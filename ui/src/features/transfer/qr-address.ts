import { toString as draw } from 'qrcode';
import { pictureAddress } from '../../lib/picture-address.ts';

/** From the specification, px; shown larger. Without the margin cameras do not find the code. */
const SIZE = { width: 300, margin: 2 };

/**
 * @returns the address of a picture of this code: its own if it is one, else drawn from the text;
 * null for text too long for a code
 */
export async function qrAddress(qrUrl: string): Promise<string | null> {
	if (/^(https?:\/\/|data:image\/)/i.test(qrUrl)) return pictureAddress(qrUrl);
	try {
		return `data:image/svg+xml,${encodeURIComponent(await draw(qrUrl, { ...SIZE, type: 'svg', errorCorrectionLevel: 'M' }))}`;
	} catch {
		return null;
	}
}
