// @module-tag deep
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isFields } from '../../simulators/http.ts';
import { until } from '../../support/until.ts';
import { type Bill, totalOf } from './bills.ts';
import { balances, leavesNothing, startWalk, type Walk } from './walk.ts';

let walk: Walk;
let receipts = 0;
beforeAll(async () => {
	walk = await startWalk('card');
	await walk.fresh();
});
afterAll(() => walk.stop());
beforeEach(async () => {
	await walk.page.goto(walk.daemon.url);
	await walk.home();
	receipts = walk.paper().length;
});

async function toCard(bill: Bill): Promise<void> {
	await walk.type(bill.key);
	await walk.press('Bayar Non Tunai');
	await walk.press('Kartu Debit BCA');
	await walk.sees('PETUNJUK PEMBAYARAN');
}
const tap = (respCode: string) => until(() => expect(walk.edc.terminal.tap({ respCode })).toBe(true));

/** Approvals received by the server, each invoice once. */
function approved(): Map<unknown, unknown> {
	const found = new Map<unknown, unknown>();
	for (const { message } of walk.server.socket.heard) {
		if (!isFields(message) || message.event !== 'transaction_approve') continue;
		const { no_invoice, access_token, json_success_payment } = message.data as Record<string, unknown>;
		expect(message.type).toBe('payment_edc_bca_notification');
		expect(walk.server.tokens.has(String(access_token))).toBe(true);
		const data = typeof json_success_payment === 'string' ? JSON.parse(json_success_payment) : json_success_payment;
		expect(data).toMatchObject({ respCode: '00' });
		expect(found.has(no_invoice), `${no_invoice} was approved twice`).toBe(false);
		found.set(no_invoice, Number(data.amount));
	}
	return found;
}

async function ends(bill: Bill): Promise<void> {
	await walk.page.getByRole('button', { name: 'Cetak' }).waitFor();
	await until(() => expect(walk.paper()).toHaveLength(receipts + 1));
	await until(() => expect(approved().get(bill.noinvoice)).toBe(totalOf(bill)));
	await walk.press('Kembali');
	await leavesNothing(walk, bill);
	const told = [...approved().values()].reduce<number>((sum, amount) => sum + Number(amount), 0);
	expect(told).toBe(walk.edc.terminal.bank.captured);
	expect(walk.faults).toEqual([]);
	await balances(walk);
}

test('approved: the screen’s texts, and no server message counts as the terminal’s', async () => {
	const bill = walk.server.bill(188_000);
	await toCard(bill);
	for (const words of [/tombol kuning/i, /PIN/, /tombol hijau|hijau/i, /struk/i]) await walk.sees(words);
	walk.server.socket.noise(bill);
	expect(await walk.page.getByRole('button', { name: 'Cetak' }).count()).toBe(0);
	await tap('00');
	await ends(bill);
});

test('declined once, then approved', async () => {
	const bill = walk.server.bill(92_000);
	await toCard(bill);
	await tap('55');
	await walk.sees(/PIN/);
	await tap('00');
	await ends(bill);
});

test('cancelled at the terminal: home, and nothing is charged', async () => {
	const bill = walk.server.bill(93_000);
	await toCard(bill);
	await tap('P3');
	await leavesNothing(walk, bill);
	expect(approved().has(bill.noinvoice)).toBe(false);
});

test('approved while the server is down: the payment completes, and the server is told once later', async () => {
	const bill = walk.server.bill(94_000);
	await toCard(bill);
	await walk.server.setUp(false);
	await tap('00');
	await walk.page.getByRole('button', { name: 'Cetak' }).waitFor();
	await walk.server.setUp(true);
	await ends(bill);
});

test('a server slow to book the card: a returning customer is not asked to pay again', async () => {
	const bill = walk.server.bill(95_000);
	await toCard(bill);
	await tap('00');
	await ends(bill);
	await walk.type(bill.key);
	await walk.page.getByRole('button', { name: /Cetak|Bayar Non Tunai/ }).waitFor();
	expect(await walk.page.getByRole('button', { name: 'Bayar Non Tunai' }).count()).toBe(0);
});
