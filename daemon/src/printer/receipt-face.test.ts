import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BARE_RECEIPT } from './receipt.fixture.ts';
import { receiptFace } from './receipt-face.ts';
import { receiptRows } from './receipt-rows.ts';

/** 16 dots wide, 2 high: a black row above a dotted one. */
const LOGO = { width: 16, height: 2, bits: Buffer.from([0xff, 0xff, 0xaa, 0xaa]).toString('base64') };

test('ESC/POS draws the logo as a centred raster above the name', async () => {
	const face = await receiptFace({ format: 'escpos', columns: 48 });
	const { format, data } = await face(receiptRows(BARE_RECEIPT, false), LOGO);
	expect(format).toBe('application/octet-stream');
	const picture = [0x1d, 0x76, 0x30, 0, 2, 0, 2, 0, 0xff, 0xff, 0xaa, 0xaa];
	expect([...data.subarray(0, 17)]).toEqual([0x1b, 0x40, 0x1b, 0x61, 1, ...picture]);
	expect(data.toString('latin1')).toContain('AHASS\n');
});

test('with format `pdf`, a receipt becomes a document of type application/pdf', async () => {
	const face = await receiptFace({ format: 'pdf', columns: 48 });
	const { format, data } = await face(receiptRows(BARE_RECEIPT, false), LOGO);
	expect([format, data.toString('latin1', 0, 5)]).toEqual(['application/pdf', '%PDF-']);
});

test('the PDF library is imported only if the format is PDF', () => {
	const root = join(import.meta.dirname, '..');
	const sources = globSync('**/*.ts', { cwd: root, exclude: (path) => String(path).endsWith('.test.ts') });
	const mentions = (words: RegExp) => sources.filter((file) => words.test(readFileSync(join(root, file), 'utf8')));
	expect(mentions(/'pdfkit'/)).toEqual(['printer/pdf.ts']);
	expect(mentions(/\bpdf\.ts'/)).toEqual(['printer/receipt-face.ts']);
	expect(mentions(/from '.*\bpdf\.ts'/)).toEqual([]);
});
