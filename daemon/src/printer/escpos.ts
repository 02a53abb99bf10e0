import type { LogoRaster } from './raster.ts';
import type { PaperLine } from './receipt-lines.ts';

const ESC = 0x1b;
const GS = 0x1d;
/** ESC @: resets the state of a previous job. */
const INITIALISE = [ESC, 0x40];
const ALIGN = { left: [ESC, 0x61, 0], centre: [ESC, 0x61, 1] };
const bold = (on: boolean): number[] => [ESC, 0x45, on ? 1 : 0];
const size = (large: boolean): number[] => [GS, 0x21, large ? 0x11 : 0x00];
/** GS v 0: raster image; width in bytes and height in dots, low byte first. */
const raster = ({ width, height }: LogoRaster): number[] => [GS, 0x76, 0x30, 0, width / 8, 0, height & 0xff, height >> 8];
/** GS V 66 n: feeds to the cutter plus n dots, then cuts; printers without a cutter ignore it. */
const FEED_AND_CUT = [GS, 0x56, 66, 120];
const LINE_FEED = 0x0a;

/**
 * Encodes lines as ESC/POS, with commands that every 80 mm ESC/POS printer supports; the text is
 * ASCII, so no code page is needed.
 * @param logo printed above the lines
 * @param code a QR code, printed below them
 */
export function escpos(lines: readonly PaperLine[], logo: LogoRaster | null, code: LogoRaster | null): Buffer {
	const picture = (drawn: LogoRaster | null): Buffer =>
		Buffer.from(drawn ? [...ALIGN.centre, ...raster(drawn), ...Buffer.from(drawn.bits, 'base64')] : []);
	const text = lines.flatMap((line) => [
		Buffer.from([...ALIGN[line.align], ...bold(line.bold), ...size(line.large)]),
		Buffer.from(line.text, 'ascii'),
		Buffer.from([LINE_FEED]),
	]);
	const end = Buffer.from([...ALIGN.left, ...bold(false), ...size(false), ...FEED_AND_CUT]);
	return Buffer.concat([Buffer.from(INITIALISE), picture(logo), ...text, picture(code), end]);
}
