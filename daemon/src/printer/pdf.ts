/**
 * The receipt as PDF, for queues with a driver and for IPP Everywhere printers. The library costs
 * 30 MB of memory, so this file is imported only if the settings select PDF.
 */
import { once } from 'node:events';
import PDFDocument from 'pdfkit';
import type { Document } from './ipp-client.ts';
import { qrRaster } from './qr-raster.ts';
import type { LogoRaster } from './raster.ts';
import type { PaperRow } from './receipt-rows.ts';

const MM = 72 / 25.4;
const PAPER_MM = 80;
const PAPER = PAPER_MM * MM;
/** Margin on both sides: the heads of 80 mm printers cover 72 mm of the paper. */
const EDGE = 4 * MM;
const WIDTH = PAPER - 2 * EDGE;
/**
 * The PDF specification limits a page to 14,400 points. A longer receipt continues on a second
 * page.
 */
const LONGEST_MM = 5_080;
/** Side length of a logo's dot: one dot of a usual print head, which has 8 per mm. */
const DOT = MM / 8;
const GAP = 2 * MM;

const FONT = { plain: 'Helvetica', bold: 'Helvetica-Bold' };
const SIZE = { text: 9, title: 11 };
/**
 * The watermark. It is drawn as strokes, because text extraction would mix its letters into the
 * lines. It is pale, because printers render grey as dots, and dense dots would hide the text.
 */
const LUNAS = {
	word: 'Lunas',
	strokes:
		'M0 0 V10 H6 M9 0 V6.6 C9 11.2 15.5 11.2 15.5 6.6 V0 M18.5 10 V0 L25 10 V0 M28 10 L32 0 L36 10 M29.3 6.8 H34.7 ' +
		'M45 1.8 C43.6 -0.9 39 -0.6 39 2.6 C39 5.6 45 4.4 45 7.4 C45 10.8 40 10.8 38.6 8.2',
	width: 45,
	height: 10,
	thickness: 2,
	points: 4.2,
	colour: '#d8d8d8',
	degrees: -32,
};

/**
 * @param logo printed above the rows
 * @returns a PDF 80 mm wide, as long as the receipt; a receipt over `LONGEST_MM` has more pages.
 * The same receipt gives the same bytes.
 */
export async function receiptPdf(rows: readonly PaperRow[], logo: LogoRaster | null): Promise<Document> {
	const qr = rows.find((row) => row.kind === 'qr');
	const code = qr ? await qrRaster(qr.text) : null;
	// The first pass determines the length of the paper.
	const lengthMm = draw(newDocument(LONGEST_MM), rows, logo, code);
	const document = newDocument(lengthMm);
	const chunks: Buffer[] = [];
	document.on('data', (chunk: Buffer) => chunks.push(chunk));
	draw(document, rows, logo, code);
	document.end();
	await once(document, 'end');
	return { format: 'application/pdf', media: `custom_struk_${PAPER_MM}x${lengthMm}mm`, data: Buffer.concat(chunks) };
}

const newDocument = (lengthMm: number): PDFKit.PDFDocument =>
	// The creation date is fixed, so that the same receipt gives the same bytes.
	new PDFDocument({ size: [PAPER, lengthMm * MM], margin: 0, info: { Title: 'Struk', CreationDate: new Date(0) } });

/** Draws the receipt. @returns the needed length of the page, whole mm */
function draw(document: PDFKit.PDFDocument, rows: readonly PaperRow[], logo: LogoRaster | null, code: LogoRaster | null): number {
	const { height: length } = document.page;
	let y = EDGE;
	let pages = 1;
	/**
	 * Reserves space for an item of this height; starts a new page if the present one is full.
	 * @returns the item's vertical position
	 */
	const place = (height: number): number => {
		if (y + height > length && y > EDGE) {
			document.addPage();
			pages += 1;
			y = EDGE;
		}
		y += height;
		return y - height;
	};
	const text = (words: string, align: 'left' | 'right' | 'center'): void => {
		document.text(words, EDGE, place(document.heightOfString(words, { width: WIDTH })), { width: WIDTH, align });
	};
	const pair = (left: string, right: string): void => {
		if (document.widthOfString(left) + GAP + document.widthOfString(right) <= WIDTH) {
			const at = place(document.currentLineHeight(true));
			document.text(left, EDGE, at, { lineBreak: false });
			document.text(right, EDGE, at, { width: WIDTH, align: 'right' });
			return;
		}
		text(left, 'left');
		text(right, 'right');
	};

	if (rows.some((row) => row.kind === 'lunas')) drawLunas(document);
	if (logo) drawRaster(document, 'Logo', logo, place(logo.height * DOT + GAP));
	for (const row of rows) {
		if (row.kind === 'rule') {
			const at = place(2 * GAP) + GAP;
			document
				.moveTo(EDGE, at)
				.lineTo(PAPER - EDGE, at)
				.dash(2, { space: 2 })
				.lineWidth(0.7)
				.stroke('#000')
				.undash();
		} else if (row.kind === 'title') {
			document.font(FONT.bold, SIZE.title);
			text(row.text, 'center');
		} else if (row.kind === 'text') {
			document.font(FONT.plain, SIZE.text);
			text(row.text, 'left');
		} else if (row.kind === 'pair') {
			document.font(row.bold ? FONT.bold : FONT.plain, row.bold ? SIZE.title : SIZE.text);
			pair(row.left, row.right);
		}
	}
	if (code) drawRaster(document, 'Code', code, place(code.height * DOT));
	return pages > 1 ? LONGEST_MM : Math.min(Math.ceil((y + 2 * EDGE) / MM), LONGEST_MM);
}

/**
 * Draws the watermark across the paper, behind all rows. Its word is also written invisibly above
 * the first row, for text extraction.
 */
function drawLunas(document: PDFKit.PDFDocument): void {
	const { width, height } = document.page;
	document.save().font(FONT.plain, SIZE.text).addContent('3 Tr').text(LUNAS.word, EDGE, 0, { lineBreak: false }).restore();
	document
		.save()
		.translate(width / 2, height / 2)
		.rotate(LUNAS.degrees)
		.scale(LUNAS.points);
	document.translate(-LUNAS.width / 2, -LUNAS.height / 2).path(LUNAS.strokes);
	document.lineWidth(LUNAS.thickness).lineJoin('round').lineCap('round').stroke(LUNAS.colour).restore();
}

/** Embeds the bits unchanged; the library's own functions support only PNG and JPEG. */
function drawRaster(document: PDFKit.PDFDocument, name: 'Logo' | 'Code', picture: LogoRaster, y: number): void {
	const { width, height, bits } = picture;
	const image = document.ref({
		Type: 'XObject',
		Subtype: 'Image',
		Width: width,
		Height: height,
		ColorSpace: 'DeviceGray',
		BitsPerComponent: 1,
		// 1 is black.
		Decode: [1, 0],
	});
	image.end(Buffer.from(bits, 'base64'));
	document.page.xobjects[name] = image;
	const [wide, high] = [width * DOT, height * DOT];
	// PDFKit's vertical axis points down; that of a PDF picture points up.
	document.addContent(`q ${wide} 0 0 ${-high} ${(PAPER - wide) / 2} ${y + high} cm /${name} Do Q`);
}
