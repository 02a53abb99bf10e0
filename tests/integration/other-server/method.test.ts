// @module-tag deep
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { json, OTHER_MAX_TO_VA } from '../../simulators/back-office/other-dealer.ts';
import { until } from '../../support/until.ts';
import { BAD_GATEWAY, leavesNothing, linesOf, REDIRECT, startWalk, type Walk } from './walk.ts';

/** After this many failed look-ups the test must wait before each further look-up. */
const MISSES = 4;
const FORGIVEN_MS = 30_000;

let walk: Walk;
beforeAll(async () => {
	walk = await startWalk('payment method');
	return walk.stop;
});
beforeEach(async () => void (await walk.toHome()));

/** A number that the server does not know. */
const NUMBER = '0857000001';

/** A valid answer of get-invoice-info, for tests that modify it. */
const sound = () => ({
	results: {
		id: 'a',
		noinvoice: 'F-1',
		konsumen_name: 'X',
		total: '50000.00',
		is_paid: 0,
		json_data: null,
		list_pembayaran: null,
		list_invoice: [],
	},
	logo: null,
	ahass_name: null,
	max_to_va: '250000.00',
});
const spoilt = (field: string, value: unknown) => {
	const answer = sound();
	return json(200, { ...answer, results: { ...answer.results, [field]: value } });
};

describe('branches', () => {
	test.each([
		['below the threshold', OTHER_MAX_TO_VA - 500, 'QRIS', 'Virtual Account'],
		['at the threshold', OTHER_MAX_TO_VA, 'Virtual Account', 'QRIS'],
	])('for a total %s (%i) the screen offers %s and not %s', async (_, total, offered, other) => {
		const bill = walk.bill(total);
		await walk.type(bill.hp);
		await walk.sees('Bayar Tunai');
		for (const word of ['Pelanggan', String(bill.konsumen_name), 'No Invoice', bill.noinvoice, 'Total Invoice', 'Status', 'Belum dibayar'])
			await walk.sees(word);
		await walk.sees(total === OTHER_MAX_TO_VA ? '250.000' : '249.500');
		for (const { produk_name } of linesOf(bill)) await walk.sees(produk_name);
		await walk.press('Bayar Non Tunai');
		await walk.sees('Kartu Debit BCA');
		await walk.sees(offered);
		expect(await walk.page.getByRole('button', { name: other }).count()).toBe(0);
		await walk.press('Kembali');
		await walk.press('Kembali');
		await leavesNothing(walk, bill);
	});

	test('a paid invoice offers only the way back and a copy of the receipt', async () => {
		const bill = walk.bill(61_000, { is_paid: true });
		await walk.type(bill.hp);
		await walk.page.getByRole('button', { name: 'Cetak' }).waitFor();
		expect(await walk.page.getByRole('button', { name: 'Bayar Tunai' }).count()).toBe(0);
		await walk.sees('Sudah dibayar');
		await walk.press('Kembali');
		await leavesNothing(walk, bill);
	});

	test('a payment screen without an invoice leads to the home screen', async () => {
		for (const path of ['payment-method', 'cash-payment', 'non-cash-payment', 'edc-bca-payment']) {
			await walk.page.goto(`${walk.daemon.url}/${path}`);
			await walk.home();
		}
	});
});

test('a refused or unreadable look-up shows the server’s message, or else the screen’s own message', { tags: 'deep' }, async () => {
	const cases = [
		[json(404, { detail: 'Tagihan lama, hubungi kasir' }), 'Tagihan lama, hubungi kasir', false],
		[json(400, { message: 'Tagihan digabung' }), 'Tagihan digabung', false],
		[json(400, { detail: 'Tagihan batal', message: null }), 'Tagihan batal', false],
		[json(500, { message: '' }), 'Kami sedang mengalami gangguan', false],
		[BAD_GATEWAY, 'Kami sedang mengalami gangguan', false],
		[REDIRECT, 'Kami sedang mengalami gangguan', false],
		['silence', 'Kami sedang mengalami gangguan', false],
		['call lost', 'Kami sedang mengalami gangguan', false],
		[{ ...BAD_GATEWAY, status: 200 }, 'Kami sedang mengalami gangguan', true],
		[json(200, null), 'Kami sedang mengalami gangguan', true],
		[json(200, 'x'), 'Kami sedang mengalami gangguan', true],
		[json(200, { results: null }), 'Kami sedang mengalami gangguan', true],
		[json(200, { results: [] }), 'Kami sedang mengalami gangguan', true],
		[spoilt('id', null), 'Kami sedang mengalami gangguan', 'results.id'],
		[spoilt('total', 'lima puluh'), 'Kami sedang mengalami gangguan', 'results.total'],
		[spoilt('total', null), 'Kami sedang mengalami gangguan', 'results.total'],
		[spoilt('total', -5_000), 'Kami sedang mengalami gangguan', 'results.total'],
		[spoilt('total', 1e300), 'Kami sedang mengalami gangguan', 'results.total'],
		[spoilt('is_paid', 'entah'), 'Kami sedang mengalami gangguan', 'results.is_paid'],
		[spoilt('list_pembayaran', [{ nominal: null, tanggal: null }]), 'Kami sedang mengalami gangguan', 'results.list_pembayaran.0.nominal'],
	] as const;
	walk.office.answerLookUps(NUMBER, json(200, sound()));
	await walk.type(NUMBER);
	await walk.sees('Bayar Tunai');
	for (const [index, [answer, sentence, field]] of cases.entries()) {
		// The daemon permits one more failed look-up every 30 s.
		if (index >= MISSES) await walk.pass(FORGIVEN_MS);
		const before = walk.oddities().length;
		walk.office.answerLookUps(NUMBER, answer);
		await walk.page.reload();
		await walk.sees(sentence);
		await walk.sees('Kembali');
		expect(await walk.page.getByRole('button', { name: 'Bayar Tunai' }).count(), JSON.stringify(answer)).toBe(0);
		const said = () => walk.oddities().slice(before).join('\n');
		if (field === false) expect(said(), JSON.stringify(answer)).toBe('');
		else await until(() => expect(said(), JSON.stringify(answer)).toContain(field === true ? 'invoice' : field));
	}
	walk.office.answerLookUps(NUMBER, spoilt('list_invoice', [{ detail: [{ harga: {} }] }]));
	await walk.page.reload();
	await walk.sees('Bayar Tunai');
	expect(walk.faults).toEqual([]);
});

test('in the tests above, the kiosk kept the server’s contract', () => {
	expect(walk.office.complaints).toEqual([]);
	expect(walk.office.live.odd).toEqual([]);
});
