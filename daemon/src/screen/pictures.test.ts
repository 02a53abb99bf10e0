import fc from 'fast-check';
import { expect, test } from 'vitest';
import { picturesIn } from './pictures.ts';

test('only the web addresses in the fields `qr_url` and `logo` of an answer are collected', () => {
	const answer = {
		logo: 'https://a.test/logo.png',
		homepage: 'https://a.test/',
		results: [
			{ qr_url: 'http://b.test/qr?x=1', note: 'http://c.test/', list_invoice: [{ logo: 'HTTPS://D.test/l.svg' }] },
			{ qr_url: '00020101021226', logo: 'data:image/png;base64,AA', json_data: null },
			{ logo: '/media/logo.png', qr_url: 'javascript:alert(1)' },
			{ logo: 'file:///etc/passwd', qr_url: 'http://[' },
		],
	};
	expect(picturesIn(answer)).toEqual(['https://a.test/logo.png', 'http://b.test/qr?x=1', 'HTTPS://D.test/l.svg']);
});

test('in json_data every web address is collected, even from JSON inside a string', () => {
	const inside = { actions: [{ name: 'qr', url: 'https://pay.test/qr/1' }], image: 'https://pay.test/2' };
	expect(picturesIn({ results: { json_data: inside } })).toEqual(['https://pay.test/qr/1', 'https://pay.test/2']);
	expect(picturesIn({ json_data: JSON.stringify(inside) })).toEqual(['https://pay.test/qr/1', 'https://pay.test/2']);
	expect(picturesIn({ json_data: 'https://pay.test/3' })).toEqual(['https://pay.test/3']);
});

test('from any `json_data`, only http and https addresses are collected', () => {
	fc.assert(
		fc.property(fc.jsonValue(), fc.webUrl(), (value, url) => {
			for (const found of picturesIn({ json_data: [value, { url }] })) expect(['http:', 'https:']).toContain(new URL(found).protocol);
		}),
	);
});
