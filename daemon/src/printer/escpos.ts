import type { LogoRaster } from './raster.ts';
import type { PaperLine } from './receipt-lines.ts';

const ESC = 0x1b;
const GS = 0x1d;
/** ESC @: resets styles that a previous job left behind. */
const INITIALISE = [ESC, 0x40];
const ALIGN = { left: [ESC, 0x61, 0], centre: [ESC, 0x61, 1] };
const bold = (on: boolean): number[] => [ESC, 0x45, on ? 1 : 0];
const size = (large: boolean): number[] => [GS, 0x21, large ? 0x11 : 0x00];
/** GS v 0: raster image; width in bytes and height in dots, low byte first. */
const raster = ({ width, height }: LogoRaster): number[] => [GS, 0x76, 0x30, 0, width / 8, 0, height & 0xff, height >> 8];
/**
 * GS V 66 n: feeds the paper to the cutter and n dots further, then cuts. Printers without a cutter
 * ignore it.
 */
const FEED_AND_CUT = [GS, 0x56, 66, 120];
const LINE_FEED = 0x0a;

/** Text style of the printer; ESC @ sets `NORMAL`. */
type Style = Omit<PaperLine, 'text'>;
const NORMAL: Style = { align: 'left', bold: false, large: false };

/** @returns the commands that change one style into another; none if both are equal */
const restyle = (from: Style, to: Style): number[] => [
	...(to.align === from.align ? [] : ALIGN[to.align]),
	...(to.bold === from.bold ? [] : bold(to.bold)),
	...(to.large === from.large ? [] : size(to.large)),
];

/**
 * Encodes lines as ESC/POS, with commands that every 80 mm ESC/POS printer supports. The text is
 * ASCII, so no code page is needed.
 * @param logo printed above the lines
 * @param code a QR code, printed below the lines
 */
export function escpos(lines: readonly PaperLine[], logo: LogoRaster | null, code: LogoRaster | null): Buffer {
	const parts: Buffer[] = [Buffer.from(INITIALISE)];
	let style = NORMAL;
	const put = (wanted: Style, ...bytes: Buffer[]): void => {
		parts.push(Buffer.from(restyle(style, wanted)), ...bytes);
		style = wanted;
	};
	const picture = (drawn: LogoRaster | null): void => {
		if (drawn) put({ ...style, align: 'centre' }, Buffer.from(raster(drawn)), Buffer.from(drawn.bits, 'base64'));
	};
	picture(logo);
	for (const line of lines) put(line, Buffer.from(line.text, 'ascii'), Buffer.from([LINE_FEED]));
	picture(code);
	put(NORMAL, Buffer.from(FEED_AND_CUT));
	return Buffer.concat(parts);
}
