// @module-tag deep
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import type { Bill } from './bills.ts';
import { BAD_GATEWAY, json, qrText } from './calls.ts';
import { balances, leavesNothing, picturesShow, startWalk, type Walk } from './walk.ts';

const HEADING = 'Gunakan Mbanking anda, dan scan QR dibawah ini';

let walk: Walk;
let receipts = 0;
beforeAll(async () => {
	walk = await startWalk('QRIS');
	await walk.fresh();
});
afterAll(() => walk.stop());
beforeEach(async () => {
	await walk.page.goto(walk.daemon.url);
	await walk.home();
	receipts = walk.paper().length;
	walk.server.asked.length = 0;
});

async function toQris(bill: Bill): Promise<void> {
	await walk.type(bill.key);
	await walk.press('Bayar Non Tunai');
	await walk.press('QRIS');
	await walk.sees(HEADING);
}

const asked = (call: string) => walk.server.asked.filter((one) => one.call === call);

async function ends(bill: Bill, leaves: 'by itself' | 'with Kembali' = 'with Kembali'): Promise<void> {
	await walk.page.getByRole('button', { name: 'Cetak' }).waitFor();
	await until(() => expect(walk.paper()).toHaveLength(receipts + 1));
	expect(walk.paper().at(-1)).toContain(bill.noinvoice);
	if (leaves === 'with Kembali') await walk.press('Kembali');
	await leavesNothing(walk, bill);
	expect(walk.paper()).toHaveLength(receipts + 1);
	expect(walk.faults).toEqual([]);
	await balances(walk);
}

test('a code at the top level of the answer; paid is announced three times; one receipt', async () => {
	const bill = walk.server.bill(130_000);
	await toQris(bill);
	await picturesShow(walk);
	await walk.sees('Pilih Metode Pembayaran Lain');
	await walk.sees('Kembali');
	expect(await walk.page.getByText(qrText(bill)).count()).toBe(0);
	walk.server.socket.noise(bill);
	walk.server.pay(bill);
	await ends(bill, 'by itself');
	await walk.page.goBack();
	await leavesNothing(walk, bill);
	expect(asked('payment').map(({ fields }) => fields)).toEqual([{ payment_id: bill.id }]);
});

test('a code only inside json_data; a returning customer sees the same code', async () => {
	const bill = walk.server.bill(99_000, { qrAt: 'inside' });
	await toQris(bill);
	await picturesShow(walk);
	await walk.press('Kembali');
	await leavesNothing(walk, bill);
	await walk.type(bill.key);
	await walk.sees(HEADING);
	await picturesShow(walk);
	expect(asked('payment')).toHaveLength(1);
	walk.server.pay(bill);
	await ends(bill);
});

test('a code that is a picture on another host', async () => {
	const bill = walk.server.bill(45_500, { qrPicture: walk.server.picture });
	await toQris(bill);
	await until(async () => expect(await walk.page.locator('main img').count()).toBeGreaterThan(0));
	await picturesShow(walk);
	walk.server.pay(bill, 1);
	await ends(bill);
});

test('paid before the create call is answered', async () => {
	const bill = walk.server.bill(77_000);
	walk.server.during('payment', () => walk.server.pay(bill));
	await walk.type(bill.key);
	await walk.press('Bayar Non Tunai');
	await walk.press('QRIS');
	await ends(bill);
});

test('paid while the server was unreachable: found by polling, without a message', async () => {
	const bill = walk.server.bill(81_000);
	await toQris(bill);
	await walk.server.setUp(false);
	await walk.sees('Offline');
	bill.paid = true;
	walk.server.socket.refuses = true;
	await walk.server.setUp(true);
	await ends(bill);
	walk.server.socket.refuses = false;
});

test('another method: the payment is cancelled, and the server may refuse that', async () => {
	const bill = walk.server.bill(66_000);
	await toQris(bill);
	await walk.press('Pilih Metode Pembayaran Lain');
	walk.server.next('cancel_payment', json(409, { detail: 'Kode masih diproses bank' }));
	await walk.press('Bayar Tunai');
	await walk.sees('Kode masih diproses bank');
	expect(walk.acceptor.device.enabled).toBe(false);
	await walk.press('Batalkan QRIS');
	await walk.press('Ya, batalkan');
	await until(() => expect(bill.charge).toBeNull());
	expect(asked('cancel_payment').at(-1)?.fields).toMatchObject({ id: bill.id });
	// A late message about it settles nothing that is unpaid.
	walk.server.socket.noise(bill);
	expect(await walk.page.getByRole('button', { name: 'Cetak' }).count()).toBe(0);
});

test('another method is chosen, but the code was paid meanwhile: no cash is taken', async () => {
	const bill = walk.server.bill(67_000);
	await toQris(bill);
	await walk.press('Pilih Metode Pembayaran Lain');
	await walk.sees('Bayar Tunai');
	bill.paid = true;
	await walk.press('Bayar Tunai');
	await ends(bill);
	expect(walk.acceptor.device.enabled).toBe(false);
});

test('messages about one customer never reach the next', async () => {
	const first = walk.server.bill(52_000);
	await toQris(first);
	await walk.press('Kembali');
	await walk.home();
	const second = walk.server.bill(53_000);
	await toQris(second);
	walk.server.pay(first);
	walk.server.socket.noise(second);
	await walk.sees(HEADING);
	expect(await walk.page.getByRole('button', { name: 'Cetak' }).count()).toBe(0);
	walk.server.pay(second);
	await ends(second);
});

test('a payment that cannot be created shows the server’s message, else the kiosk’s; then it can', async () => {
	const bill = walk.server.bill(58_000);
	await walk.type(bill.key);
	await walk.press('Bayar Non Tunai');
	for (const [answer, sentence] of [
		[BAD_GATEWAY, 'Kami sedang mengalami gangguan'],
		[json(400, { detail: 'QRIS sedang tutup' }), 'QRIS sedang tutup'],
		['call lost', 'Kami sedang mengalami gangguan'],
	] as const) {
		walk.server.next('payment', answer);
		await walk.press('QRIS');
		await walk.sees(sentence);
	}
	await walk.press('QRIS');
	await walk.sees(HEADING);
	await walk.press('Kembali');
	await leavesNothing(walk, bill);
});

test('unusable payment data shows a message, never a blank page', async () => {
	const later = new Date(Date.now() + 3_600_000);
	const charges = ['', 'x'.repeat(9_000), 'data:image/png;base64,AAAA'].map((content) => ({
		charge: { kind: 'qris' as const, content, expires: later },
	}));
	const data = ['bukan JSON', 1, { expiry_time: 'besok' }, '{"expiry_time": 17, "qr_url": {"a": 1}}'].map((oddData) => ({ oddData }));
	for (const wanted of [...charges, ...data]) {
		const bill = walk.server.bill(59_000, wanted);
		await walk.type(bill.key);
		await walk.sees(/^(Kode QR |Gambar QR |Pilih cara bayar)/);
		await walk.press('Kembali');
		await leavesNothing(walk, bill);
	}
	expect(walk.faults).toEqual([]);
});

test('an expired code is renewed', async () => {
	const charge = { kind: 'qris' as const, content: 'kode lama', expires: new Date(Date.now() - 60_000) };
	const bill = walk.server.bill(48_000, { charge });
	await walk.type(bill.key);
	await walk.press('Buat kode baru');
	await until(() => expect(bill.charge).toMatchObject({ content: qrText(bill) }));
	await until(async () => expect(await walk.page.locator('main img').count()).toBe(1));
	walk.server.pay(bill);
	await ends(bill);
});

test('development mode shows the code’s text', async () => {
	walk.server.development = true;
	await walk.fresh();
	walk.server.development = false;
	const bill = walk.server.bill(47_000);
	await toQris(bill);
	await walk.sees(qrText(bill));
});
