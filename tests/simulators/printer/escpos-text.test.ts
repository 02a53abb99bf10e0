import { expect, test } from 'vitest';
import { escposText } from './escpos-text.ts';

test('text is shown as on paper; a cut, a QR code and an image are shown as words', () => {
	const qr = 'https://bayar.id/1';
	const bytes = Buffer.concat([
		Buffer.from('\x1b@\x1ba\x01\x1b!\x20Bengkel\x1b!\x00\n\x1ba\x00\x1bt\x10Total   137.500\n'),
		Buffer.from([0x1d, 0x28, 0x6b, qr.length + 3, 0, 0x31, 80, 0x30]),
		Buffer.from(qr),
		Buffer.from([0x1d, 0x76, 0x30, 0, 1, 0, 2, 0, 0x41, 0x42]),
		Buffer.from('Terima kasih\n\x1bd\x02\x1dV\x42\x00'),
	]);
	expect(escposText(bytes).split('\n')).toEqual([
		`${' '.repeat(17)}Bengkel`,
		'Total   137.500',
		'[QR https://bayar.id/1]',
		'[image]',
		'Terima kasih',
		'',
		'',
		'[cut]',
	]);
});

test('columns that are placed by dots keep their position, and the line-drawing characters of code page 1 are shown', () => {
	const line = Buffer.from('Oli mesin\x1b$\x00\x00\x1b\\\xf8\x0152.500\n\x1bt\x01\x95\x95\n', 'latin1');
	expect(escposText(line)).toBe(`Oli mesin${' '.repeat(33)}52.500\n──`);
});

test('the text ends at an incomplete command', () => {
	expect(escposText(Buffer.from('ab\x1d'))).toBe('ab');
	expect(escposText(Buffer.from([0x61, 0x1d, 0x28]))).toBe('a');
});
