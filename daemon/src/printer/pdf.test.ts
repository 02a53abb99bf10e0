import { execFileSync } from 'node:child_process';
import { rupiah } from '@kiosk/contract/money';
import type { Receipt } from '@kiosk/contract/receipt';
import { expect, test } from 'vitest';
import { receiptPdf } from './pdf.ts';
import type { LogoRaster } from './raster.ts';
import { RECEIPT as PAID } from './receipt.fixture.ts';
import { receiptRows } from './receipt-rows.ts';

const LINE = { name: 'Servis ringan', qty: 1, price: rupiah(137_500), subtotal: rupiah(137_500) };
const RECEIPT: Receipt = { ...PAID, lines: [LINE] };
/** A black square with sides of 16 dots. */
const SQUARE = { width: 16, height: 16, bits: Buffer.alloc(32, 0xff).toString('base64') };

const pdfOf = async (change: Partial<Receipt> = {}, logo: LogoRaster | null = null): Promise<Buffer> =>
	(await receiptPdf(receiptRows({ ...RECEIPT, ...change }, false), logo)).data;

/** Reads the PDF with Poppler, on which CUPS's filters are based. */
const ask = (program: 'pdftotext' | 'pdfinfo' | 'pdfimages', data: Buffer, ...words: string[]): string =>
	execFileSync(program, [...words, '-', ...(program === 'pdftotext' ? ['-'] : [])], { input: data }).toString();
const sizeOf = (data: Buffer): number[] => (/Page size: +([\d.]+) x ([\d.]+) pts/.exec(ask('pdfinfo', data)) ?? []).slice(1).map(Number);
const lines = (count: number) => ({ lines: Array.from({ length: count }, () => RECEIPT.lines).flat() });

test('[spec 2.10.5, 9.13] the PDF has one page, 80 mm wide and as long as the receipt', async () => {
	const [width, length] = sizeOf(await pdfOf());
	expect(width).toBeCloseTo((80 / 25.4) * 72, 1);
	const [sameWidth, longer] = sizeOf(await pdfOf(lines(11)));
	expect(sameWidth).toBe(width);
	// Each product takes two lines of 9-point text.
	expect((longer ?? 0) - (length ?? 0)).toBeGreaterThan(10 * 2 * 9);
	expect((longer ?? 0) - (length ?? 0)).toBeLessThan(10 * 2 * 12);
});

test('text extraction from the PDF finds the word of the watermark, and each row on a line of its own', async () => {
	const text = ask('pdftotext', await pdfOf(), '-layout');
	for (const expected of [
		/^Lunas$/m,
		/^Nomor +INV\/2026\/11\/0042$/m,
		/^Status +Sudah dibayar$/m,
		/^ *1 x 137\.500 +137\.500$/m,
		/^Untaxed Amount +Rp 123\.874$/m,
		/^Lebih Bayar +Rp 12\.500$/m,
	])
		expect(text).toMatch(expected);
});

test('a discount is printed with a minus sign, a fraction with a comma, and an unreadable value as a question mark', async () => {
	const text = ask(
		'pdftotext',
		await pdfOf({
			lines: [
				{ name: 'Diskon', qty: 1, price: -12_500, subtotal: -12_500 },
				{ name: 'Oli', qty: 0.5, price: 333.33, subtotal: 167 },
				{ name: 'Jasa', qty: null, price: null, subtotal: null },
			],
		}),
		'-layout',
	);
	for (const expected of [/^ *1 x -12\.500 +-12\.500$/m, /^ *0,5 x 333,33 +167$/m, /^ *\? ?x ?\? +\?$/m, /^Total +Rp 137\.500$/m])
		expect(text).toMatch(expected);
});

test('[spec 2.10.2] an unpaid PDF receipt has no watermark', async () => {
	expect(ask('pdftotext', await pdfOf({ is_paid: false }))).not.toContain('Lunas');
});

test('in the PDF, letters lose their accents, and other characters outside ASCII become question marks', async () => {
	const text = ask('pdftotext', await pdfOf({ nama: 'Renée Đỗ 陳大文 ☕ Нина' }), '-layout');
	expect(text).toMatch(/^Nama +Renee \?o \?{3} \? \?{4}$/m);
});

test('the PDF contains the logo with one bit for each dot', async () => {
	expect(ask('pdfimages', await pdfOf(), '-list')).not.toContain('image');
	expect(ask('pdfimages', await pdfOf({}, SQUARE), '-list')).toMatch(/image +16 +16 +gray +1 +1/);
});

test('the same receipt yields the same bytes', async () => {
	expect((await pdfOf()).equals(await pdfOf())).toBe(true);
});

test('a receipt longer than five metres continues on a second page and keeps every line', async () => {
	const data = await pdfOf(lines(800));
	expect(ask('pdfinfo', data)).toMatch(/Pages: +2/);
	expect(ask('pdftotext', data, '-layout').match(/^\f?Servis ringan$/gm)).toHaveLength(800);
});
