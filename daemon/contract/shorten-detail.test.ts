import { expect, test } from 'vitest';
import { shortenDetail } from './shorten-detail.ts';

/** Maximum size of a request that the daemon accepts (daemon/src/http/handler.ts). */
const LARGEST_BODY_BYTES = 512 * 1024;
const PICTURE = `data:image/png;base64,${'A'.repeat(600_000)}`;
const LINES = Array.from({ length: 8_000 }, (_, at) => ({ produk_name: `Oli “${at}”`, qty: 1, harga: 50_000 }));
const DETAIL = {
	id: 42,
	odoo_id: 'SO7',
	noinvoice: 'INV/42',
	total: 137_500,
	is_paid: false,
	json_data: { external_id: 'X1', expiry_time: '2026-11-21T15:00:00' },
	qr_url: '00020101',
	list_invoice: LINES.slice(0, 200),
	transaction_type: 'hutang_lain',
	outlet_ref: 'K7',
	logo: 'https://dealer.example/logo.png',
	max_to_va: undefined,
};

test('an ordinary invoice is unchanged, including unknown fields', () => {
	expect(shortenDetail(DETAIL)).toEqual(JSON.parse(JSON.stringify(DETAIL)));
});

test('pictures are replaced by an empty text at any depth, and all other fields stay', () => {
	const json_data = { ...DETAIL.json_data, qr: { picture: PICTURE } };
	expect(shortenDetail({ ...DETAIL, logo: PICTURE, qr_url: PICTURE, json_data, note: PICTURE })).toEqual({
		...JSON.parse(JSON.stringify(DETAIL)),
		logo: '',
		qr_url: '',
		json_data: { ...DETAIL.json_data, qr: { picture: '' } },
		note: '',
	});
});

test('fields too large for the limit are removed, the other fields of the contract stay, and the size stays below the daemon’s limit', () => {
	const { list_invoice: _, max_to_va: __, ...others } = DETAIL;
	expect(shortenDetail({ ...DETAIL, list_invoice: LINES })).toEqual(others);
	const many = Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [at, '万'.repeat(10)]));
	for (const more of [many, { deep: LINES }, { ['x'.repeat(600_000)]: 1 }, { texts: LINES.map(() => '万'.repeat(500)) }]) {
		const sent = shortenDetail({ ...more, ...DETAIL });
		expect(sent).toMatchObject({ id: 42, odoo_id: 'SO7', noinvoice: 'INV/42', total: 137_500, json_data: DETAIL.json_data });
		expect(Buffer.byteLength(JSON.stringify(sent))).toBeLessThan(0.8 * LARGEST_BODY_BYTES);
	}
});
