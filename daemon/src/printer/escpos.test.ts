import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escpos } from './escpos.ts';
import type { PaperLine } from './receipt-lines.ts';

const ESC = 0x1b;
const GS = 0x1d;
const LF = 0x0a;

interface Printed extends PaperLine {
	picture?: string;
}

/** A simulated printer, independent of the encoder. @returns the lines and pictures on its paper */
function print(bytes: Buffer): Printed[] {
	const paper: Printed[] = [];
	let style: Omit<PaperLine, 'text'> = { align: 'left', bold: true, large: true };
	let text = '';
	for (let at = 0; at < bytes.length; ) {
		const [first, second, value = 0] = bytes.subarray(at);
		const command = first === ESC || first === GS ? String.fromCharCode(second ?? 0) : '';
		if (command === '@') style = { align: 'left', bold: false, large: false };
		else if (command === 'a') style = { ...style, align: value === 1 ? 'centre' : 'left' };
		else if (command === 'E') style = { ...style, bold: value === 1 };
		else if (command === '!') style = { ...style, large: value === 0x11 };
		else if (command === 'v') {
			const [, , , , width = 0, , low = 0, high = 0] = bytes.subarray(at);
			const length = width * (low + 256 * high);
			paper.push({ ...style, text: '', picture: bytes.toString('base64', at + 8, at + 8 + length) });
			at += 8 + length;
			continue;
		} else if (first === LF) {
			paper.push({ ...style, text });
			text = '';
		} else if (command === '') text += String.fromCharCode(first ?? 0);
		at += command === '' ? 1 : command === '@' ? 2 : command === 'V' ? 4 : 3;
	}
	return paper;
}

const line = fc.record({
	text: fc.string({ unit: 'grapheme-ascii', maxLength: 48 }),
	align: fc.constantFrom('left' as const, 'centre' as const),
	bold: fc.boolean(),
	large: fc.boolean(),
});
const PICTURE = { width: 16, height: 2, bits: Buffer.from([1, 2, 3, 4]).toString('base64') };

test('every line is printed in its own style, regardless of the lines and pictures before it', () => {
	fc.assert(
		fc.property(fc.array(line), fc.boolean(), fc.boolean(), (lines, logo, code) => {
			const paper = print(escpos(lines, logo ? PICTURE : null, code ? PICTURE : null));
			const [above, below] = [logo ? [paper.shift()] : [], code ? [paper.pop()] : []];
			expect(paper).toEqual(lines);
			for (const picture of [...above, ...below]) expect(picture).toMatchObject({ align: 'centre', picture: PICTURE.bits });
		}),
	);
});

test('consecutive lines of the same style repeat no style command', () => {
	const plain = { align: 'left', bold: false, large: false } as const;
	const lines = ['Nomor', 'Nama', 'Total'].map((text) => ({ ...plain, text }));
	expect(escpos(lines, null, null).toString('latin1')).toBe('\x1b@Nomor\nNama\nTotal\n\x1dVBx');
});
