// @module-tag deep
import type { Locator } from 'playwright-core';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { json, OTHER_ACCOUNT } from '../../simulators/back-office/other-dealer.ts';
import { until } from '../../support/until.ts';
import { BAD_GATEWAY, linesOf, startWalk, type Walk } from './walk.ts';

let walk: Walk;
beforeAll(async () => {
	walk = await startWalk('staff list');
	return walk.stop;
});
beforeEach(async () => {
	await walk.page.goto(walk.daemon.url);
	await walk.home();
	await walk.type('000000');
	await walk.sees('Masukan PIN');
});

async function unlock(pin = OTHER_ACCOUNT.pin): Promise<void> {
	await walk.page.locator('input[type=password]').fill(pin);
	await walk.press('Submit');
}
const rows = (): Locator => walk.page.locator('tbody tr');
const first = () => walk.office.books.invoices[0];

test('a refused or invalid answer to a PIN does not open the staff list, and a refusal shows a message', async () => {
	for (const [answer, sentence] of [
		[json(403, { detail: 'PIN keliru' }), 'PIN keliru'],
		[json(400, { message: 'PIN kedaluwarsa' }), 'PIN kedaluwarsa'],
		[BAD_GATEWAY, 'Kami sedang alami gangguan'],
		['call lost', 'Kami sedang alami gangguan'],
		[json(200, false), null],
		[json(200, 0), null],
		[json(200, null), null],
		[{ status: 200, body: '', type: 'text/plain' }, null],
	] as const) {
		walk.office.next('pin', answer);
		const before = walk.office.asked.length;
		await unlock('111');
		if (sentence === null) await until(() => expect(walk.office.asked.length).toBeGreaterThan(before));
		else await walk.sees(sentence);
		await walk.sees('Masukan PIN');
		expect(await rows().count()).toBe(0);
		// Enters the right PIN, because only the right PIN resets the count of wrong PINs.
		await unlock();
		await until(async () => expect(await rows().count()).toBe(10));
		await walk.page.reload();
		await walk.sees('Masukan PIN');
	}
});

test('the list shows its columns, has pages of ten rows and can be searched', async () => {
	await unlock();
	for (const word of ['#', 'HP', 'NOPOL', 'Konsumen Name', 'Tanggal', 'IS Paid', 'Total', 'Action', 'Kembali']) await walk.sees(word);
	await until(async () => expect(await rows().count()).toBe(10));
	await walk.sees(String(first()?.konsumen_name));
	await walk.sees(/^Paid$/);
	await walk.sees(/^UnPaid$/);
	const page = (words: string) => walk.page.locator('button').filter({ hasText: new RegExp(`^${words}$`) });
	expect(await page('<<').count()).toBe(0);
	await page('7').click();
	await walk.sees(String(walk.office.books.invoices[60]?.konsumen_name));
	await page('<<').waitFor();
	await page('>>').click();
	await walk.sees(String(walk.office.books.invoices[126]?.konsumen_name));
	expect(await rows().count()).toBe(7);
	const wanted = walk.office.books.invoices[33];
	await walk.page.locator('input').first().fill(String(wanted?.hp));
	await walk.page.keyboard.press('Enter');
	await until(async () => expect(await rows().count()).toBe(1));
	await walk.sees(String(wanted?.konsumen_name));
	expect(await page('2').count()).toBe(0);
	await walk.page.locator('input').first().fill('tidak ada yang begini');
	await walk.page.keyboard.press('Enter');
	await until(async () => expect(await walk.page.getByText(String(wanted?.konsumen_name)).count()).toBe(0));
	await walk.press('Kembali');
	await walk.home();
	expect(await walk.page.content()).not.toContain(String(wanted?.hp));
	expect(walk.faults).toEqual([]);
});

test('[spec 8.5] in the detail Cetak prints a receipt, and Resend shows success, refusal or failure', async () => {
	const paid = walk.office.books.invoices.findIndex((bill) => bill.is_paid);
	const bill = walk.office.books.invoices[paid];
	if (!bill) throw new Error('the invoice is not paid');
	await unlock();
	await until(async () => expect(await rows().count()).toBe(10));
	await rows().nth(paid).getByRole('button').click();
	for (const word of ['Nama Konsumen', 'HP', 'Total', 'Qty', 'Harga', 'Cetak', 'Resend', 'Cancel']) await walk.sees(word);
	for (const { produk_name } of linesOf(bill)) await walk.sees(produk_name);
	await walk.sees(new Intl.NumberFormat('id-ID').format(bill.total));
	for (const [answer, sentence] of [
		[undefined, 'Resend berhasil!'],
		[json(200, { success: false, message: 'Odoo menolak' }), 'Gagal: Odoo menolak'],
		[json(200, { success: 0, message: 'Antre' }), 'Gagal: Antre'],
		[BAD_GATEWAY, 'Terjadi kesalahan saat mencoba mengirim permintaan.'],
		['call lost', 'Terjadi kesalahan saat mencoba mengirim permintaan.'],
		[json(200, 'x'), 'Terjadi kesalahan saat mencoba mengirim permintaan.'],
	] as const) {
		if (answer !== undefined) walk.office.next('resend_callback', answer);
		await walk.press('Resend');
		await walk.sees(sentence);
	}
	expect(walk.office.asked.filter(({ call }) => call === 'resend_callback').every(({ id }) => id === bill.id)).toBe(true);
	const receipts = walk.paper().length;
	await walk.press('Cetak');
	await until(() => expect(walk.paper()).toHaveLength(receipts + 1));
	expect(walk.paper().at(-1)).toContain(bill.noinvoice);
	await walk.press('Cancel');
	const unpaid = walk.office.books.invoices.findIndex((one) => !one.is_paid);
	await rows().nth(unpaid).getByRole('button').click();
	await walk.sees('Nama Konsumen');
	expect(await walk.page.getByRole('button', { name: 'Resend' }).count()).toBe(0);
	expect(walk.faults).toEqual([]);
});

test('[spec 8.4] a failed list shows the server’s message, or else the kiosk’s own message', async () => {
	for (const [answer, sentence] of [
		[json(400, { detail: 'Daftar sedang dihitung' }), 'Daftar sedang dihitung'],
		[BAD_GATEWAY, 'Kami sedang alami gangguan'],
		['call lost', 'Kami sedang alami gangguan'],
		[json(200, { count: '0' }), 'Kami sedang alami gangguan'],
		[json(200, { results: [{ id: 1, total: 'x' }], count: 1 }), 'Kami sedang alami gangguan'],
		[json(200, true), 'Kami sedang alami gangguan'],
	] as const) {
		const before = walk.oddities().length;
		walk.office.next('payment_group', answer);
		await unlock();
		await walk.sees(sentence);
		if (typeof answer === 'object' && answer.status === 200) expect(walk.oddities().slice(before).join()).toMatch(/payment.group/);
		await walk.page.reload();
		await walk.sees('Masukan PIN');
	}
	expect(walk.faults).toEqual([]);
});

test('an empty list is shown as empty in every form that the server may send, even with an unreadable count', async () => {
	for (const answer of [{ results: null, count: '0' }, { results: [], count: 'banyak' }, { results: false }]) {
		walk.office.next('payment_group', json(200, answer));
		await unlock();
		await walk.sees('Belum ada transaksi.');
		await walk.page.reload();
		await walk.sees('Masukan PIN');
	}
	expect(walk.faults).toEqual([]);
});

test('a revoked token leads to the log-in screen, and the kiosk has kept the contract', async () => {
	walk.office.during('pin', () => walk.office.books.revokeTokens());
	await unlock();
	await walk.page.getByLabel('Username').waitFor();
	expect(walk.office.complaints).toEqual([]);
	expect(walk.office.live.odd).toEqual([]);
});
