import { rupiah } from '@kiosk/contract/money';
import type { Receipt } from '@kiosk/contract/receipt';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { escpos } from './escpos.ts';
import { RECEIPT } from './receipt.fixture.ts';
import { receiptLines } from './receipt-lines.ts';
import { CLOCK_IN_DOUBT, receiptRows } from './receipt-rows.ts';

const text = (receipt: Receipt, copy = false, columns = 48) =>
	receiptLines(receiptRows(receipt, copy), columns)
		.map((line) => line.text)
		.join('\n');

test('every field of the receipt is on the paper', () => {
	const paper = text(RECEIPT);
	for (const expected of [
		/^LUNAS$/m,
		/^Tanggal +21-11-2026 14:32$/m,
		/^AHASS +AHASS 01234 Bengkel Maju Motor$/m,
		/^Nomor +INV\/2026\/11\/0042$/m,
		/^Nama +Budi Santoso$/m,
		/^NOPOL +B 1234 XYZ$/m,
		/^Status +Sudah dibayar$/m,
		/^Metode Pembayaran +Tunai$/m,
		/^Ring gasket\n {2}2 x 5\.000 +10\.000$/m,
		/^Untaxed Amount +Rp 123\.874$/m,
		/^Taxed +Rp 13\.626$/m,
		/^Total +Rp 137\.500$/m,
		/^Total diterima +Rp 150\.000$/m,
		/^Lebih Bayar +Rp 12\.500$/m,
	])
		expect(paper).toMatch(expected);
	expect(paper).not.toContain('SALINAN');
});

test('[spec 2.10.1] the receipt’s fields are printed in the specification’s order', () => {
	const names = text(RECEIPT).match(/^(Tanggal|AHASS|Nomor|Nama|Status|Metode Pembayaran|NOPOL|Untaxed Amount|Taxed|Total)(?= {2,})/gm);
	expect(names).toEqual(['Tanggal', 'AHASS', 'Nomor', 'Nama', 'Status', 'Metode Pembayaran', 'NOPOL', 'Untaxed Amount', 'Taxed', 'Total']);
});

test('only the original asks the customer to collect the change; a receipt without change does not mention change', () => {
	expect(text(RECEIPT)).toContain('Tukarkan Lebih Bayar di kasir');
	expect(text(RECEIPT, true)).not.toContain('Tukarkan');
	expect(text(RECEIPT, true)).toContain('Lebih Bayar hanya ditukar satu kali');
	for (const received of [null, RECEIPT.total]) expect(text({ ...RECEIPT, received }, true)).not.toContain('Lebih Bayar');
});

test('a receipt without the dealer’s name gets a default title', () => {
	expect(text({ ...RECEIPT, ahass: '' }).split('\n')[0]).toBe('Struk Pembayaran');
});

test('on narrow paper, the text about the clock wraps between words', () => {
	const lines = receiptLines([CLOCK_IN_DOUBT], 32).map((line) => line.text);
	expect(lines).toEqual(['Jam kiosk belum dipastikan saat', 'struk ini dicetak. Tanggal dan', 'jam di atas mungkin keliru.']);
});

test('accents and typographic signs become ASCII', () => {
	expect(text({ ...RECEIPT, nama: 'Renée “Ny.” O’Hara–Düx ½×²' })).toMatch(/^Nama +Renee "Ny\." O'Hara-Dux 1\?2x2$/m);
});

test('[spec 2.10.2] a copy is marked; an unpaid ESC/POS receipt has no LUNAS line', () => {
	expect(text(RECEIPT, true)).toContain('SALINAN');
	expect(text({ ...RECEIPT, is_paid: false })).not.toContain('LUNAS');
	expect(text({ ...RECEIPT, is_paid: false })).toMatch(/Status +Belum dibayar/);
});

test('a discount is printed with a minus sign, a fraction with a comma, and an unreadable value as a question mark', () => {
	const lines = [
		{ name: 'Diskon', qty: 1, price: -12_500, subtotal: -12_500 },
		{ name: 'Oli', qty: 0.5, price: 333.33, subtotal: 167 },
		{ name: 'Jasa', qty: null, price: null, subtotal: null },
	];
	const text = receiptLines(receiptRows({ ...RECEIPT, lines }, false), 32).map((line) => line.text);
	expect(text).toContain('  1 x -12.500            -12.500');
	expect(text).toContain('  0,5 x 333,33               167');
	expect(text).toContain('  ? x ?                        ?');
});

test('for any name, every line fits the paper and contains no printer command', { tags: 'deep' }, () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 24, max: 64 }), (name, columns) => {
			const receipt = { ...RECEIPT, nama: name, lines: [{ name, qty: 1, price: rupiah(1), subtotal: rupiah(1) }] };
			for (const line of receiptLines(receiptRows(receipt, false), columns)) {
				expect(line.text.length * (line.large ? 2 : 1)).toBeLessThanOrEqual(columns);
				expect(line.text).toMatch(/^[\x20-\x7e]*$/);
			}
		}),
	);
});

test('the bytes begin with a reset, contain the text and end with a cut', () => {
	const bytes = escpos(receiptLines(receiptRows(RECEIPT, false), 48), null, null);
	expect([...bytes.subarray(0, 2)]).toEqual([0x1b, 0x40]);
	expect(bytes.toString('latin1')).toContain('Budi Santoso\n');
	expect([...bytes.subarray(-4)]).toEqual([0x1d, 0x56, 66, 120]);
});
