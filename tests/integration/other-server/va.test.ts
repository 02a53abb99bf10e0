// @module-tag deep
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Invoice } from '../../simulators/back-office/invoice.ts';
import { json } from '../../simulators/back-office/other-dealer.ts';
import { until } from '../../support/until.ts';
import { BAD_GATEWAY, balances, leavesNothing, picturesShow, startWalk, type Walk } from './walk.ts';

let walk: Walk;
let receipts = 0;
beforeAll(async () => {
	walk = await startWalk('virtual account');
	return walk.stop;
});
beforeEach(async () => {
	receipts = await walk.toHome();
	walk.office.asked.length = 0;
});

async function toBanks(bill: Invoice): Promise<void> {
	await walk.type(bill.hp);
	await walk.press('Bayar Non Tunai');
	await walk.press('Virtual Account');
	await walk.sees('Pilih Virtual Account');
	// Waits for the list of banks, so that the request for it does not use up the next programmed
	// answer.
	await walk.sees('Bank Mandiri');
}

const asked = (call: string) => walk.office.asked.filter((one) => one.call === call);
/** @returns the text of the screen without spaces, to find grouped digits */
const digitsOn = async () => ((await walk.page.locator('main').textContent()) ?? '').replaceAll(/\s/g, '');

/** Checks number, company, expiry and steps in the specification's wording. */
async function shows(bill: Invoice, bank: Bank, company: number | null): Promise<void> {
	for (const word of ['Bayar Sebelum', 'Nomor Virtual Account', 'Cara Pembayaran', 'Pilih Metode Pembayaran Lain', 'Kembali'])
		await walk.sees(word);
	if (bill.no_va === '') throw new Error('the server knows no virtual account');
	await until(async () => expect(await digitsOn()).toContain(bill.no_va));
	const [date = '', time = ''] = bill.json_data?.expiry_time.split('T') ?? [];
	const [year, month, day] = date.split('-');
	await walk.sees(`${day}-${month}-${year} ${time.slice(0, 5)}`);
	await walk.sees(new RegExp(bank, 'i'));
	expect((await walk.page.getByText('Kode Perusahaan').count()) > 0).toBe(company !== null);
	if (company !== null) await walk.sees(String(company));
	for (const word of STEPS[bank]) await walk.sees(word);
}

type Bank = 'bca' | 'mandiri' | 'bni';
const STEPS: Record<Bank, string[]> = {
	bca: ['Klik BCA', 'm-BCA'],
	mandiri: ['Internet Banking'],
	bni: ['iBank Personal', 'Mobile Banking'],
};

describe.each([
	['bca', 'Bank Central Asia', null, 'service'],
	['mandiri', 'Bank Mandiri', 88_608, 'service'],
	['bni', 'Bank Negara Indonesia', null, 'hutang_lain'],
] as const)('%s', (bank, name, company, type) => {
	test('a virtual account is opened once, is shown again to a returning customer, and is paid', async () => {
		const bill = walk.bill(412_000, { transaction_type: type });
		await toBanks(bill);
		await walk.sees(name);
		await picturesShow(walk);
		// A double tap must open only one account.
		await walk.page.getByRole('button', { name: new RegExp(name) }).dblclick();
		await shows(bill, bank, company);
		expect(asked(type === 'service' ? 'create_va' : 'create_va_hutang_lain')).toHaveLength(1);
		expect(asked(type === 'service' ? 'create_va_hutang_lain' : 'create_va')).toHaveLength(0);
		walk.noise(bill);
		await walk.press('Kembali');
		await leavesNothing(walk, bill);
		await walk.type(bill.hp);
		await shows(bill, bank, company);
		walk.pay(bill);
		await walk.page.getByRole('button', { name: 'Cetak' }).waitFor();
		await until(() => expect(walk.paper()).toHaveLength(receipts + 1));
		await walk.press('Kembali');
		await leavesNothing(walk, bill);
		expect(walk.faults).toEqual([]);
		await balances(walk);
	});
});

test('if the bank list fails or is empty, a message is shown', async () => {
	await toBanks(walk.bill(300_000));
	for (const answer of [
		BAD_GATEWAY,
		json(500, null),
		json(200, {}),
		json(200, []),
		json(200, { results: [{ id: null }] }),
		'call lost',
	] as const) {
		const before = walk.oddities().length;
		walk.office.next('master_va', answer);
		await walk.page.reload();
		await walk.sees('Unable to fetch Data');
		if (typeof answer === 'object' && answer.status === 200)
			await until(() => expect(walk.oddities().slice(before).join()).toMatch(/master_va|bank\/daftar|master-va/));
	}
	walk.office.next('master_va', json(200, { results: null }));
	await walk.page.reload();
	await walk.sees('Belum ada bank yang tersedia');
	expect(walk.faults).toEqual([]);
});

test('if a bank refuses, a message is shown and the customer can choose another bank', async () => {
	const bill = walk.bill(301_000);
	await toBanks(bill);
	const cases = [
		[json(400, { detail: 'Bank sedang tutup' }), 'Bank sedang tutup'],
		[json(422, { message: 'Batas VA tercapai', detail: null }), 'Batas VA tercapai'],
		[BAD_GATEWAY, 'Kami sedang mengalami gangguan'],
		[json(200, {}), 'Kami sedang mengalami gangguan'],
		[json(200, { result_record: { no_va: null } }), 'Kami sedang mengalami gangguan'],
		[json(200, { result_record: [] }), 'Kami sedang mengalami gangguan'],
		['call lost', 'Kami sedang mengalami gangguan'],
	] as const;
	for (const [answer, sentence] of cases) {
		const before = walk.oddities().length;
		walk.office.next('create_va', answer);
		const answered = walk.answered('create_va');
		await walk.page.getByRole('button', { name: /Bank Mandiri/ }).click();
		await answered;
		await walk.sees(sentence);
		if (typeof answer === 'object' && answer.status === 200)
			await until(() => expect(walk.oddities().slice(before).join()).toContain('result_record'));
	}
	// The account is paid before the create call is answered.
	walk.office.during('create_va', () => walk.pay(bill));
	await walk.page.getByRole('button', { name: /Bank Central Asia/ }).click();
	await walk.page.getByRole('button', { name: 'Cetak' }).waitFor();
	await walk.press('Kembali');
	await leavesNothing(walk, bill);
});

test('[spec 6.8, 8.12] a token revoked before the bank list is fetched leads to /login', async () => {
	const bill = walk.bill(302_000);
	await walk.type(bill.hp);
	await walk.press('Bayar Non Tunai');
	walk.office.during('payment', () => walk.office.books.revokeTokens());
	await walk.press('Virtual Account');
	await walk.page.getByLabel('Username').waitFor();
	await walk.fresh();
});
