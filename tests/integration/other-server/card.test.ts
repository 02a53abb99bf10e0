// @module-tag deep
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Invoice } from '../../simulators/back-office/invoice.ts';
import { until } from '../../support/until.ts';
import { balances, leavesNothing, startWalk, type Walk } from './walk.ts';

let walk: Walk;
let receipts = 0;
beforeAll(async () => {
	walk = await startWalk('card');
	return walk.stop;
});
beforeEach(async () => {
	receipts = await walk.toHome();
});

async function toCard(bill: Invoice): Promise<void> {
	await walk.type(bill.hp);
	await walk.press('Bayar Non Tunai');
	await walk.press('Kartu Debit BCA');
	await walk.sees('PETUNJUK PEMBAYARAN');
}
const tap = (respCode: string) => until(() => expect(walk.edc.terminal.tap({ respCode })).toBe(true));

/** @returns the approved amount of each invoice; fails if an approval is repeated */
function approved(): Map<string, number> {
	const found = new Map<string, number>();
	for (const { no_invoice, repeats, success } of walk.office.books.approvals) {
		const data = typeof success === 'string' ? JSON.parse(success) : success;
		expect(data).toMatchObject({ respCode: '00' });
		expect([found.has(no_invoice), repeats], `${no_invoice} was approved twice`).toEqual([false, 0]);
		found.set(no_invoice, Number(data.amount));
	}
	return found;
}

async function ends(bill: Invoice): Promise<void> {
	await walk.page.getByRole('button', { name: 'Cetak' }).waitFor();
	await until(() => expect(walk.paper()).toHaveLength(receipts + 1));
	await until(() => expect(approved().get(bill.noinvoice)).toBe(bill.total));
	await walk.press('Kembali');
	await leavesNothing(walk, bill);
	const told = [...approved().values()].reduce((sum, amount) => sum + amount, 0);
	expect(told).toBe(walk.edc.terminal.bank.captured);
	expect(walk.faults).toEqual([]);
	await balances(walk);
}

test('during a card sale only the terminal’s approval pays the invoice, not invalid messages of the server', async () => {
	const bill = walk.bill(188_000);
	await toCard(bill);
	for (const words of [/tombol kuning/i, /PIN/, /tombol hijau|hijau/i, /struk/i]) await walk.sees(words);
	walk.noise(bill);
	expect(await walk.page.getByRole('button', { name: 'Cetak' }).count()).toBe(0);
	await tap('00');
	await ends(bill);
});

test('after a sale was declined, the customer can try again and the sale is approved', async () => {
	const bill = walk.bill(92_000);
	await toCard(bill);
	await tap('55');
	await walk.sees(/PIN/);
	await tap('00');
	await ends(bill);
});

test('a cancellation at the terminal leads to the home screen, and nothing is charged', async () => {
	const bill = walk.bill(93_000);
	await toCard(bill);
	await tap('P3');
	await leavesNothing(walk, bill);
	expect(approved().has(bill.noinvoice)).toBe(false);
});

test('if a sale is approved while the server is down, it is reported later, and only once', async () => {
	const bill = walk.bill(94_000);
	await toCard(bill);
	await walk.office.setNetwork({ up: false });
	await tap('00');
	await walk.page.getByRole('button', { name: 'Cetak' }).waitFor();
	await walk.office.setNetwork({ up: true });
	await ends(bill);
});

test('if the server books the card sale late, a returning customer is not asked to pay again', async () => {
	const bill = walk.bill(95_000);
	await toCard(bill);
	await tap('00');
	await ends(bill);
	await walk.type(bill.hp);
	await walk.page.getByRole('button', { name: /Cetak|Bayar Non Tunai/ }).waitFor();
	expect(await walk.page.getByRole('button', { name: 'Bayar Non Tunai' }).count()).toBe(0);
});
