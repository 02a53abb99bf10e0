/** Turns ESC/POS bytes into text that looks as on paper. Images, QR codes and cuts become words. */

const ESC = 0x1b;
const FS = 0x1c;
const GS = 0x1d;
const LF = 0x0a;
/** Font A of an 80 mm head has 12 dots per character and 576 dots per line. */
const DOTS_PER_CELL = 12;
const CELLS_PER_LINE = 48;

/**
 * Number of parameter bytes after `ESC x`, `FS x` and `GS x`. A command that is neither in this
 * table nor in a function below has no parameters.
 */
const PARAMETERS: Record<number, Record<string, number>> = {
	[ESC]: { ' ': 1, '%': 1, '-': 1, '3': 1, '=': 1, '?': 1, A: 1, E: 1, G: 1, J: 1, M: 1, R: 1, V: 1, e: 1, p: 3, r: 1, '{': 1, c: 2, W: 8 },
	[FS]: { '!': 1, '-': 1, C: 1, S: 2, W: 1, p: 2 },
	[GS]: { B: 1, E: 1, H: 1, L: 2, P: 2, W: 2, a: 1, b: 1, f: 1, h: 1, r: 1, w: 1, $: 2, '\\': 2 },
};

const CP437 =
	'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■ ';
/**
 * The line-drawing characters of code page 1 (katakana); receipts use no other characters of this
 * page.
 */
const KATAKANA_LINES: Record<number, string> = {
	143: '┼',
	144: '┴',
	145: '┬',
	146: '┤',
	147: '├',
	149: '─',
	150: '│',
	152: '┌',
	153: '┐',
	154: '└',
	155: '┘',
	156: '╭',
	157: '╮',
	158: '╰',
	159: '╯',
};

/** State of the print head. */
interface Head {
	done: string[];
	/** The current line, one entry for each cell. */
	cells: string[];
	/** Where the next character begins, in dots from the left. */
	dots: number;
	/** Width of a character: 1 normal, 2 double, … */
	width: number;
	align: number;
	codePage: number;
}

/** @returns the receipt as text; images, QR codes and cuts are words in square brackets */
export function escposText(data: Buffer): string {
	const head: Head = { done: [], cells: [], dots: 0, width: 1, align: 0, codePage: 0 };
	for (let at = 0; at < data.length; ) {
		const byte = data[at] ?? 0;
		if (byte === ESC || byte === FS || byte === GS) at += command(head, data, at);
		else {
			character(head, byte);
			at += 1;
		}
	}
	if (head.cells.length > 0) feed(head);
	return head.done
		.join('\n')
		.replace(/\n{4,}/g, '\n\n\n')
		.replace(/^\n+|\n+$/g, '');
}

function character(head: Head, byte: number): void {
	if (byte === LF) feed(head);
	if (byte < 0x20 || byte === 0x7f) return;
	write(head, byte < 0x80 ? String.fromCharCode(byte) : upperHalf(head.codePage, byte));
}

function upperHalf(codePage: number, byte: number): string {
	if (codePage === 0) return CP437[byte - 0x80] ?? ' ';
	if (codePage === 1) return KATAKANA_LINES[byte] ?? ' ';
	return byte >= 0xa0 ? String.fromCharCode(byte) : ' ';
}

function write(head: Head, text: string): void {
	for (const letter of text) {
		const cell = Math.round(head.dots / DOTS_PER_CELL);
		while (head.cells.length < cell) head.cells.push(' ');
		head.cells.splice(cell, head.width, letter, ...Array.from({ length: head.width - 1 }, () => ''));
		head.dots += DOTS_PER_CELL * head.width;
	}
}

function feed(head: Head, lines = 1): void {
	const text = head.cells.join('').trimEnd();
	const room = Math.max(0, CELLS_PER_LINE - head.cells.length);
	const indent = head.align === 1 ? Math.floor(room / 2) : head.align === 2 ? room : 0;
	head.done.push(text === '' ? '' : ' '.repeat(indent) + text);
	for (let more = 1; more < lines; more += 1) head.done.push('');
	head.cells = [];
	head.dots = 0;
}

/** Writes a word on its own line. */
function show(head: Head, word: string): void {
	if (head.cells.length > 0) feed(head);
	write(head, word);
	feed(head);
}

/** @returns the length of the command that begins at `at`, bytes */
function command(head: Head, data: Buffer, at: number): number {
	const prefix = data[at] ?? 0;
	const letter = String.fromCharCode(data[at + 1] ?? 0);
	if (letter === '(') return parenthesised(head, data, at);
	if (prefix === ESC) return escCommand(head, data, at, letter);
	if (prefix === GS) return gsCommand(head, data, at, letter);
	return 2 + (PARAMETERS[prefix]?.[letter] ?? 0);
}

function escCommand(head: Head, data: Buffer, at: number, letter: string): number {
	const first = data[at + 2] ?? 0;
	switch (letter) {
		case '@':
			Object.assign(head, { width: 1, align: 0, codePage: 0 });
			return 2;
		case '!':
			head.width = (first & 0x20) === 0 ? 1 : 2;
			return 3;
		case 'a':
			head.align = first % 48;
			return 3;
		case 't':
			head.codePage = first;
			return 3;
		case '$':
			head.dots = word(data, at + 2);
			return 4;
		case '\\':
			head.dots = Math.max(0, head.dots + ((word(data, at + 2) << 16) >> 16));
			return 4;
		case 'd':
			feed(head, first);
			return 3;
		case 'D':
			return zeroEnded(data, at + 2) - at;
		case '*':
			show(head, '[image]');
			return 5 + word(data, at + 3) * (first >= 32 ? 3 : 1);
		default:
			return 2 + (PARAMETERS[ESC]?.[letter] ?? 0);
	}
}

function gsCommand(head: Head, data: Buffer, at: number, letter: string): number {
	const first = data[at + 2] ?? 0;
	switch (letter) {
		case '!':
			head.width = (first >> 4) + 1;
			return 3;
		case 'v':
			show(head, '[image]');
			return 8 + word(data, at + 4) * word(data, at + 6);
		case '8':
			if (data[at + 8] === 112) show(head, '[image]');
			return 7 + word(data, at + 3) + 65_536 * word(data, at + 5);
		case 'V':
			show(head, '[cut]');
			return first >= 65 ? 4 : 3;
		case 'k':
			show(head, '[barcode]');
			return first >= 65 ? 4 + (data[at + 3] ?? 0) : zeroEnded(data, at + 3) - at;
		default:
			return 2 + (PARAMETERS[GS]?.[letter] ?? 0);
	}
}

/**
 * Handles commands that begin with a prefix and `(`. Of these, only the text of a QR code (`GS ( k`
 * with function 80) is shown.
 * @returns the length of the command, bytes
 */
function parenthesised(head: Head, data: Buffer, at: number): number {
	const end = at + 5 + word(data, at + 3);
	const isQr = data[at] === GS && data[at + 2] === 0x6b && data[at + 6] === 80;
	if (isQr) show(head, `[QR ${data.toString('latin1', at + 8, end)}]`);
	return end - at;
}

const word = (data: Buffer, at: number): number => (data[at] ?? 0) + 256 * (data[at + 1] ?? 0);

function zeroEnded(data: Buffer, from: number): number {
	const end = data.indexOf(0, from);
	return end === -1 ? data.length : end + 1;
}
