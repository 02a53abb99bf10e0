// @vitest-environment happy-dom
import { execFileSync } from 'node:child_process';
import { rupiah } from '@kiosk/contract/money';
import { type Receipt, splitVat } from '@kiosk/contract/receipt';
import { cleanup, screen } from '@testing-library/react';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ascii } from '../../../../daemon/src/base/ascii.ts';
import { receiptFace } from '../../../../daemon/src/printer/receipt-face.ts';
import { CLOCK_IN_DOUBT, codeRows, receiptRows } from '../../../../daemon/src/printer/receipt-rows.ts';
import { escposText } from '../../../../tests/simulators/printer/escpos-text.ts';
import { writeReceipt } from '../../lib/stored-visit.ts';
import { draw, storeWith } from '../../state/test-store.tsx';
import PrintScreen from './cetak.tsx';

const words = fc.string({ unit: 'grapheme', maxLength: 70 });
const amount = fc.nat(20_000_000).map(rupiah);
const price = fc.oneof(amount, fc.integer({ min: -1_000_000, max: 0 }), fc.constantFrom(333.33, -0.5));
const line = fc.record({ name: words, qty: fc.constantFrom(1, 2, 0.5, -3, 12), price }).map((of) => ({
	...of,
	subtotal: Math.round(of.qty * of.price) + 0,
}));
const receipts: fc.Arbitrary<Receipt> = fc
	.record({
		logo: fc.constant(''),
		ahass: words.filter((name) => name === '' || ascii(name) !== ''),
		tanggal: fc.constantFrom('', '21-11-2026 14:32'),
		nomor: words,
		nama: words,
		nopol: words,
		is_paid: fc.boolean(),
		metode: fc.constantFrom('Tunai', 'Kartu Debit BCA', '-'),
		lines: fc.array(line, { maxLength: 6 }),
		lines_left_out: fc.constantFrom(0, 12),
		copy: fc.boolean(),
		total: amount,
		received: fc.option(amount),
	})
	.map((of) => ({ ...of, ...splitVat(of.total) }));

/**
 * What a receipt says: its text without the layout, and whether it has the mark of a paid invoice.
 */
interface Said {
	text: string;
	lunas: boolean;
}
const squeezed = (text: string): string => ascii(text).replace(/ /g, '');

function pageSays(receipt: Receipt): Said {
	writeReceipt(receipt);
	draw(storeWith().store, <PrintScreen />, '/cetak');
	const said = { text: squeezed(screen.getByRole('article').textContent), lunas: screen.queryByRole('img', { name: 'Lunas' }) !== null };
	cleanup();
	return said;
}

function paperSays(text: string): Said {
	const lines = text.split('\n').map((line) => line.trim());
	const isMark = (line: string) => line === 'LUNAS' || line === 'Lunas';
	const isText = (line: string) => !isMark(line) && line !== '[cut]' && !/^-{48}$/.test(line);
	return { text: squeezed(lines.filter(isText).join('\n')), lunas: lines.some(isMark) };
}

const escpos = await receiptFace({ format: 'escpos', columns: 48 });
const pdf = await receiptFace({ format: 'pdf', columns: 48 });
const escposSays = async (receipt: Receipt, copy = false) => paperSays(escposText((await escpos(receiptRows(receipt, copy), null)).data));
const pdfText = (data: Buffer): string => execFileSync('pdftotext', ['-layout', '-', '-'], { input: data }).toString();
const pdfSays = async (receipt: Receipt, copy = false) => paperSays(pdfText((await pdf(receiptRows(receipt, copy), null)).data));

const saysTheSame = (numRuns: number) => async () => {
	await fc.assert(
		fc.asyncProperty(receipts, async (receipt) => {
			const page = pageSays(receipt);
			expect(page.lunas).toBe(receipt.is_paid);
			expect(await escposSays(receipt, receipt.copy)).toEqual(page);
			expect(await pdfSays(receipt, receipt.copy)).toEqual(page);
		}),
		{ numRuns },
	);
};
test('[spec 2.10.6] for a few receipts, page, ESC/POS and PDF have the same text in the same order', saysTheSame(20));
test('[spec 2.10.6] for many receipts, page, ESC/POS and PDF have the same text in the same order', { tags: 'deep' }, saysTheSame(60));

test('if the clock may be wrong, page, ESC/POS and PDF end with the same warning', async () => {
	await fc.assert(
		fc.asyncProperty(receipts, async (receipt) => {
			const page = pageSays({ ...receipt, clock_in_doubt: true });
			const rows = [...receiptRows(receipt, receipt.copy ?? false), CLOCK_IN_DOUBT];
			expect(page.text).toMatch(/Jamkioskbelumdipastikansaatstrukinidicetak\.Tanggaldanjamdiatasmungkinkeliru\.$/);
			expect(paperSays(escposText((await escpos(rows, null)).data))).toEqual(page);
			expect(paperSays(pdfText((await pdf(rows, null)).data))).toEqual(page);
		}),
		{ numRuns: 20 },
	);
});

test('page, ESC/POS and PDF end with the code, below the warning about the clock', async () => {
	const proof = { code: '3F9K-0012-ABCD-EFGH', text: 'KIOSK1/R/3F9K2M1A/12' };
	await fc.assert(
		fc.asyncProperty(receipts, async (receipt) => {
			const page = pageSays({ ...receipt, clock_in_doubt: true, proof });
			const rows = [...receiptRows(receipt, receipt.copy ?? false), CLOCK_IN_DOUBT, ...codeRows(proof)];
			expect(page.text).toMatch(/keliru\.Kode3F9K-0012-ABCD-EFGH$/);
			const paper = paperSays(escposText((await escpos(rows, null)).data).replace('[image]', ''));
			expect(paper).toEqual(page);
			expect(paperSays(pdfText((await pdf(rows, null)).data))).toEqual(page);
		}),
		{ numRuns: 20 },
	);
});

test('ESC/POS and PDF mark a copy with the same words', async () => {
	await fc.assert(
		fc.asyncProperty(receipts, async (receipt) => {
			const paper = await escposSays(receipt, true);
			expect(paper.text).toContain('SALINAN');
			expect(await pdfSays(receipt, true)).toEqual(paper);
		}),
		{ numRuns: 20 },
	);
});
