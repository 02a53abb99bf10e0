import type { Receipt } from '@kiosk/contract/receipt';
import { expect, test } from 'vitest';
import { RECEIPT as PAID } from './receipt.fixture.ts';
import { takeAlong } from './take-along.ts';

const RECEIPT: Receipt = { ...PAID, ahass: 'AHASS 01234', tanggal: '24-11-2026 14:05', lines: [] };
const CODE = { code: '3F9K-0012-ABCD-EFGH', text: 'KIOSK1/R/…' };
const LINK = 'https://wa.me/6281234567890?text={text}';

test('without whatsapp_link, the receipt for the phone has the signed code but no link; without a code, there is no such receipt', () => {
	expect(takeAlong('', RECEIPT, false, CODE)).toEqual({ ...CODE, link: null });
	expect(takeAlong(LINK, RECEIPT, false, null)).toBeNull();
});

test('the link opens a message with the receipt and its code, but without the customer’s name, plate or phone number', () => {
	const link = takeAlong(LINK, RECEIPT, false, CODE)?.link ?? '';
	expect(link.startsWith('https://wa.me/6281234567890?text=')).toBe(true);
	expect(new URL(link).searchParams.get('text')).toBe(
		[
			'AHASS 01234',
			'Struk INV/2026/11/0042',
			'24-11-2026 14:05',
			'Sudah dibayar: Tunai',
			'Total Rp 137.500',
			'Lebih Bayar Rp 12.500',
			'Kode 3F9K-0012-ABCD-EFGH',
		].join('\n'),
	);
	expect(takeAlong(LINK, RECEIPT, true, CODE)?.link).toContain('SALINAN');
});

test('long names are cut so that the link stays short, and special characters do not break the link', () => {
	const long = {
		...RECEIPT,
		ahass: `Bengkel & Co #1 %\u{1F6F5}\ud800 ${'x'.repeat(200)}`,
		nomor: 'N'.repeat(200),
		metode: 'V'.repeat(200),
	};
	const link = takeAlong(LINK, long, true, CODE)?.link ?? '';
	expect(link.length).toBeLessThan(500);
	expect(new URL(link).searchParams.get('text')).toContain('Bengkel & Co #1 %');
});
