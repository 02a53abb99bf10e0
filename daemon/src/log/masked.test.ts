import { expect, test } from 'vitest';
import { Secret } from '../base/secret.ts';
import { masked } from './masked.ts';

test.each([
	'081234567890',
	'0812-3456-7890',
	'+62 812 3456 7890',
	'6281234567890',
	'4111111111111111',
	'4111 1111 1111 1111',
	'5264-2213-8888-3367',
	'9360001400000123456',
])('%s in text from outside is masked', (secret) => {
	const { detail } = masked({ detail: `results.hp: "${secret}" is no number` });
	expect(detail).toMatch(/^results\.hp: ".*\*.*" is no number$/);
	expect(String(detail).replace(/\D/g, '').length).toBeLessThan(5);
});

test.each([
	['Token 9f8e7d6c5b4a', 'refused: Token ***'],
	['token=9f8e7d6c5b4a&next=1', 'refused: token=***&next=1'],
	['{"password":"rahasia"}', 'refused: {"password":"***"}'],
	['GET /ws/9f8e7d6c5b4a/ 401', 'refused: GET /ws/***/ 401'],
])('%s does not reveal its secret', (text, instead) => {
	expect(masked({ reason: `refused: ${text}` })).toEqual({ reason: instead });
});

test('texts in lists and objects are masked as well, and so are Secret objects', () => {
	const fields = { problems: ['token=abc'], answer: { hp: '081234567890' }, kept: new Secret('abc') };
	expect(masked(fields)).toEqual({ problems: ['token=***'], answer: { hp: '08***' }, kept: '***' });
});

test('invoice numbers, ids, hashes, file names, addresses, times, codes and amounts stay readable', () => {
	const fields = {
		invoice: 'INV/202611210042',
		note_id: '12345678-1234-4123-8123-123456789012',
		payment_id: '202611210000042',
		folder: '/var/lib/kiosk-journal/aside-20261121T130000',
		why: 'the acceptor later said "stacked" for a note, at 2026-11-21T13:00:00+07:00',
		reason: 'connect ECONNREFUSED 127.0.0.1:8443',
		nominal: 100_000,
		code: '0x45',
		hash: 'ab12345678901234cd'.repeat(4),
	};
	expect(masked(fields)).toEqual(fields);
});
