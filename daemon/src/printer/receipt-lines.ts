import { formatRupiah, formatThousands } from '../../contract/money.ts';
import { overpaid, type Receipt } from '../../contract/receipt.ts';

/** One line of paper, already cut to the column count. */
export interface PaperLine {
	text: string;
	align: 'left' | 'centre';
	bold: boolean;
	/** Twice as wide and high; takes twice the columns. */
	large: boolean;
}

/**
 * The receipt as lines of a fixed width, the same for every way of printing text.
 * @param columns characters a line holds, e.g. 48 on 80 mm paper
 * @param copy marks every receipt after the first, so that nobody exchanges the change twice
 */
export function receiptLines(receipt: Receipt, columns: number, copy: boolean): PaperLine[] {
	const plain = (text: string): PaperLine[] => wrap(text, columns).map((text) => ({ text, align: 'left', bold: false, large: false }));
	const pair = (left: string, right: string, bold = false): PaperLine[] =>
		twoSided(left, right, columns).map((text) => ({ text, align: 'left', bold, large: false }));
	const title = (text: string, large = false): PaperLine[] =>
		wrap(text, large ? Math.floor(columns / 2) : columns).map((text) => ({ text, align: 'centre', bold: true, large }));
	const rule: PaperLine = { text: '-'.repeat(columns), align: 'left', bold: false, large: false };
	const change = overpaid(receipt);

	return [
		...title(receipt.ahass || 'Struk Pembayaran'),
		...(receipt.is_paid ? title('LUNAS', true) : []),
		...(copy ? title('SALINAN') : []),
		rule,
		...pair('Tanggal', receipt.tanggal),
		...pair('AHASS', receipt.ahass),
		...pair('Nomor', receipt.nomor),
		...pair('Nama', receipt.nama),
		...pair('Status', receipt.is_paid ? 'Sudah dibayar' : 'Belum dibayar'),
		...pair('Metode Pembayaran', receipt.metode),
		...pair('NOPOL', receipt.nopol),
		rule,
		...receipt.lines.flatMap((line) => [
			...plain(line.name),
			...pair(`  ${line.qty} x ${formatThousands(line.price)}`, formatThousands(line.subtotal)),
		]),
		rule,
		...pair('Untaxed Amount', formatRupiah(receipt.untaxed)),
		...pair('Taxed', formatRupiah(receipt.taxed)),
		...pair('Total', formatRupiah(receipt.total), true),
		...(receipt.received === null ? [] : pair('Total diterima', formatRupiah(receipt.received))),
		...(change > 0
			? [
					...pair('Lebih Bayar', formatRupiah(change), true),
					...plain(copy ? 'Salinan: Lebih Bayar hanya ditukar satu kali.' : 'Tukarkan Lebih Bayar di kasir dengan struk ini.'),
				]
			: []),
	];
}

/** Printers of this class know ASCII for certain and every other character only by code page. Control bytes never pass. */
function ascii(text: string): string {
	return text
		.normalize('NFKD')
		.replace(/\p{M}/gu, '')
		.replace(/[‘’′]/gu, "'")
		.replace(/[“”″]/gu, '"')
		.replace(/[‐-―]/gu, '-')
		.replace(/×/gu, 'x')
		.replace(/\s/gu, ' ')
		.replace(/\p{Cc}/gu, '')
		.replace(/[^\x20-\x7e]/gu, '?')
		.trimEnd();
}

/** Breaks between words where it can and inside a word where it must. */
function wrap(text: string, columns: number): string[] {
	const lines: string[] = [];
	let line = '';
	for (const word of ascii(text).split(' ')) {
		const joined = line === '' ? word : `${line} ${word}`;
		if (joined.length <= columns) {
			line = joined;
			continue;
		}
		if (line !== '') lines.push(line);
		line = word;
		for (; line.length > columns; line = line.slice(columns)) lines.push(line.slice(0, columns));
	}
	return line === '' ? lines : [...lines, line];
}

/** Left and right text on one line; when they do not fit together, the right one goes below, still at the right edge. */
function twoSided(left: string, right: string, columns: number): string[] {
	const [start, end] = [ascii(left), ascii(right)];
	if (start.length + 1 + end.length <= columns) return [start + end.padStart(columns - start.length)];
	return [...wrap(start, columns), ...wrap(end, columns).map((line) => line.padStart(columns))];
}
