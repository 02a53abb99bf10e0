import type { PaperRow } from './receipt-rows.ts';

/** One line of a printout, at most as wide as the paper. */
export interface PaperLine {
	text: string;
	align: 'left' | 'centre';
	bold: boolean;
	/** Double width and height; uses twice the columns. */
	large: boolean;
}

/**
 * @returns the rows as lines of at most `columns` characters
 * @param columns characters per line, e.g. 48 on 80 mm paper
 */
export const receiptLines = (rows: readonly PaperRow[], columns: number): PaperLine[] => rows.flatMap((row) => linesOf(row, columns));

function linesOf(row: PaperRow, columns: number): PaperLine[] {
	const left = (bold: boolean) => (text: string) => ({ text, align: 'left', bold, large: false }) as const;
	const centred = (large: boolean) => (text: string) => ({ text, align: 'centre', bold: true, large }) as const;
	switch (row.kind) {
		case 'title':
			return wrap(row.text, columns).map(centred(false));
		case 'lunas':
			return ['LUNAS'].map(centred(true));
		case 'rule':
			return [left(false)('-'.repeat(columns))];
		case 'text':
			return wrap(row.text, columns).map(left(false));
		case 'pair':
			return alignBothSides(row.left, row.right, columns).map(left(row.bold));
		case 'qr':
			// The encoder draws the QR code as a picture below the lines.
			return [];
	}
}

/** Breaks a line between words if possible, else inside a word. */
function wrap(text: string, columns: number): string[] {
	const lines: string[] = [];
	let line = '';
	for (const word of text.split(' ')) {
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

/**
 * Puts both texts on one line. If they do not fit, the right text follows on its own line,
 * right-aligned.
 */
function alignBothSides(left: string, right: string, columns: number): string[] {
	if (left.length + 1 + right.length <= columns) return [left + right.padStart(columns - left.length)];
	return [...wrap(left, columns), ...wrap(right, columns).map((line) => line.padStart(columns))];
}
