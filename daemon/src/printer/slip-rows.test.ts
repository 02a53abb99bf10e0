import { rupiah } from '@kiosk/contract/money';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { receiptLines } from './receipt-lines.ts';
import type { PaperRow } from './receipt-rows.ts';
import { collectionSlipRows, partialSlipRows } from './slip-rows.ts';

const paper = (rows: PaperRow[], columns = 48) =>
	receiptLines(rows, columns)
		.map((line) => line.text)
		.join('\n');

const PARTIAL = {
	ahass: 'AHASS 01234',
	tanggal: '21-11-2026 14:32',
	noinvoice: 'INV/2026/11/0042',
	reference: '1b4e28ba',
	total: rupiah(137_500),
	received: rupiah(50_000),
	inDoubt: rupiah(0),
};
const COLLECTION = {
	anchor: { record: 42, hash: 'ab12'.repeat(16) },
	ahass: 'AHASS 01234',
	tanggal: '21-11-2026 20:05',
	period: 3,
	by: 'Sari',
	notes: [
		{ nominal: rupiah(100_000), count: 2 },
		{ nominal: rupiah(5_000), count: 1 },
	],
	expected: rupiah(205_000),
	counted: null,
	inDoubt: 0,
};

test('the slip for a partly paid invoice shows the invoice, the money and the next step, but has no line LUNAS', () => {
	const text = paper(partialSlipRows(PARTIAL));
	for (const line of [
		/^BELUM LUNAS$/m,
		/^Nomor +INV\/2026\/11\/0042$/m,
		/^Referensi +1b4e28ba$/m,
		/^Total +Rp 137\.500$/m,
		/^Sudah diterima +Rp 50\.000$/m,
		/^Sisa +Rp 87\.500$/m,
	])
		expect(text).toMatch(line);
	expect(text.replaceAll('\n', ' ').toLowerCase()).toContain('lanjutkan dengan nomor yang sama atau bayar sisanya di kasir');
	expect(text).not.toMatch(/^LUNAS$|diperiksa/m);
});

test('a note in doubt has its own line and is not added to the money received', () => {
	const text = paper(partialSlipRows({ ...PARTIAL, inDoubt: rupiah(20_000) }));
	expect(text).toMatch(/^Sedang diperiksa petugas +Rp 20\.000$/m);
	expect(text).toMatch(/^Sisa +Rp 87\.500$/m);
});

test('the cashbox slip lists the notes, their sum, and the counted amount', () => {
	const text = paper(collectionSlipRows(COLLECTION));
	expect(text).toContain('Jurnal 42: ab12 ab12 ab12 ab12');
	expect(text).toMatch(/^2 x Rp 100\.000 +Rp 200\.000$/m);
	expect(text).toMatch(/^Seharusnya +Rp 205\.000$/m);
	expect(text).not.toContain('Selisih');
	const counted = (amount: number) => paper(collectionSlipRows({ ...COLLECTION, counted: rupiah(amount), inDoubt: 1 }));
	expect(counted(200_000)).toMatch(/^Dihitung +Rp 200\.000\nSelisih kurang +Rp 5\.000\n1 lembar uang belum jelas/m);
	expect(counted(206_000)).toMatch(/^Selisih lebih +Rp 1\.000$/m);
	expect(counted(205_000)).toMatch(/^Selisih +Rp 0$/m);
});

test('for any name, every line fits the paper and contains no printer command', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 24, max: 64 }), (name, columns) => {
			const rows = [
				...partialSlipRows({ ...PARTIAL, ahass: name, noinvoice: name }),
				...collectionSlipRows({ ...COLLECTION, ahass: name, by: name }),
			];
			for (const line of receiptLines(rows, columns)) {
				expect(line.text.length * (line.large ? 2 : 1)).toBeLessThanOrEqual(columns);
				expect(line.text).toMatch(/^[\x20-\x7e]*$/);
			}
		}),
		{ numRuns: 50 },
	);
});
