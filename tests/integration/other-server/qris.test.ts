// @module-tag deep
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Invoice } from '../../simulators/back-office/invoice.ts';
import { json } from '../../simulators/back-office/other-dealer.ts';
import { until } from '../../support/until.ts';
import { BAD_GATEWAY, balances, leavesNothing, picturesShow, qrisCode, qrText, startWalk, type Walk } from './walk.ts';

const HEADING = 'Gunakan Mbanking anda, dan scan QR dibawah ini';

let walk: Walk;
let receipts = 0;
beforeAll(async () => {
	walk = await startWalk('QRIS');
	return walk.stop;
});
beforeEach(async () => {
	receipts = await walk.toHome();
	walk.office.asked.length = 0;
});

async function toQris(bill: Invoice): Promise<void> {
	await walk.type(bill.hp);
	await walk.press('Bayar Non Tunai');
	await walk.press('QRIS');
	await walk.sees(HEADING);
}

const asked = (call: string) => walk.office.asked.filter((one) => one.call === call);

async function ends(bill: Invoice, leaves: 'by itself' | 'with Kembali' = 'with Kembali'): Promise<void> {
	await walk.page.getByRole('button', { name: 'Cetak' }).waitFor();
	await until(() => expect(walk.paper()).toHaveLength(receipts + 1));
	expect(walk.paper().at(-1)).toContain(bill.noinvoice);
	if (leaves === 'with Kembali') await walk.press('Kembali');
	await leavesNothing(walk, bill);
	expect(walk.paper()).toHaveLength(receipts + 1);
	expect(walk.faults).toEqual([]);
	await balances(walk);
}

test('a code at the top level of the answer is shown, and a payment that is announced three times gets only one receipt', async () => {
	const bill = walk.bill(130_000);
	await toQris(bill);
	await picturesShow(walk);
	await walk.sees('Pilih Metode Pembayaran Lain');
	await walk.sees('Kembali');
	expect(await walk.page.getByText(qrText(bill)).count()).toBe(0);
	walk.noise(bill);
	walk.pay(bill);
	await ends(bill, 'by itself');
	await walk.page.goBack();
	await leavesNothing(walk, bill);
	expect(asked('payment').map(({ fields }) => fields)).toEqual([{ payment_id: bill.id }]);
});

test('a code that is only inside json_data is shown, and a returning customer sees the same code', async () => {
	const bill = walk.bill(99_000, { codeInside: true });
	await toQris(bill);
	await picturesShow(walk);
	await walk.press('Kembali');
	await leavesNothing(walk, bill);
	await walk.type(bill.hp);
	await walk.sees(HEADING);
	await picturesShow(walk);
	expect(asked('payment')).toHaveLength(1);
	walk.pay(bill);
	await ends(bill);
});

test('a QR code that the server gives as the address of a picture is shown', async () => {
	const bill = walk.bill(45_500, { qrPicture: walk.picture });
	await toQris(bill);
	await until(async () => expect(await walk.page.locator('main img').count()).toBeGreaterThan(0));
	await picturesShow(walk);
	walk.pay(bill, 1);
	await ends(bill);
});

test('a code that is paid before the create call is answered leads to the paid screen', async () => {
	const bill = walk.bill(77_000);
	walk.office.during('payment', () => walk.pay(bill));
	await walk.type(bill.hp);
	await walk.press('Bayar Non Tunai');
	await walk.press('QRIS');
	await ends(bill);
});

test('a payment during an outage is found by polling', async () => {
	const bill = walk.bill(81_000);
	await toQris(bill);
	await walk.office.setNetwork({ up: false });
	await walk.sees('Offline');
	bill.is_paid = true;
	await walk.office.setNetwork({ mode: 'error', path: '/siaran' });
	await walk.office.setNetwork({ up: true });
	await ends(bill);
	await walk.office.setNetwork({ mode: 'normal', path: '' });
});

test('if the server refuses to cancel a code, cash does not open, and the customer can cancel the code later', async () => {
	const bill = walk.bill(66_000);
	await toQris(bill);
	await walk.press('Pilih Metode Pembayaran Lain');
	walk.office.next('cancel_payment', json(409, { detail: 'Kode masih diproses bank' }));
	await walk.press('Bayar Tunai');
	await walk.sees('Kode masih diproses bank');
	walk.office.next('cancel_payment', json(200, { message: 'Kode belum dapat ditutup' }));
	await walk.press('Bayar Tunai');
	await walk.sees('Kode belum dapat ditutup');
	expect(walk.acceptor.device.enabled).toBe(false);
	await walk.press('Batalkan QRIS');
	await walk.press('Ya, batalkan');
	await until(() => expect(bill.json_data).toBeNull());
	expect(asked('cancel_payment').at(-1)?.fields).toMatchObject({ id: bill.id });
	// Invalid messages about the invoice must not pay it.
	walk.noise(bill);
	expect(await walk.page.getByRole('button', { name: 'Cetak' }).count()).toBe(0);
});

test('if the code was paid before the customer chooses cash, no cash is taken', async () => {
	const bill = walk.bill(67_000);
	await toQris(bill);
	await walk.press('Pilih Metode Pembayaran Lain');
	await walk.sees('Bayar Tunai');
	bill.is_paid = true;
	await walk.press('Bayar Tunai');
	await ends(bill);
	expect(walk.acceptor.device.enabled).toBe(false);
});

test('messages about one customer do not affect the next customer', async () => {
	const first = walk.bill(52_000);
	await toQris(first);
	await walk.press('Kembali');
	await walk.home();
	const second = walk.bill(53_000);
	await toQris(second);
	walk.pay(first);
	walk.noise(second);
	await walk.sees(HEADING);
	expect(await walk.page.getByRole('button', { name: 'Cetak' }).count()).toBe(0);
	walk.pay(second);
	await ends(second);
});

test('a failed QRIS request shows the server’s or the kiosk’s message, and a later attempt works', async () => {
	const bill = walk.bill(58_000);
	await walk.type(bill.hp);
	await walk.press('Bayar Non Tunai');
	for (const [answer, sentence] of [
		[BAD_GATEWAY, 'Kami sedang mengalami gangguan'],
		[json(400, { detail: 'QRIS sedang tutup' }), 'QRIS sedang tutup'],
		[json(200, { message: 'QRIS gangguan' }), 'QRIS gangguan'],
		['call lost', 'Kami sedang mengalami gangguan'],
	] as const) {
		walk.office.next('payment', answer);
		await walk.press('QRIS');
		await walk.sees(sentence);
	}
	await walk.press('QRIS');
	await walk.sees(HEADING);
	await walk.press('Kembali');
	await leavesNothing(walk, bill);
});

test('unusable payment data leads to a message or to the method screen, not to a blank page', async () => {
	const later = new Date(Date.now() + 3_600_000);
	const charges = ['', 'x'.repeat(9_000), 'data:image/png;base64,AAAA'].map((content) => qrisCode(content, later));
	const data = ['bukan JSON', 1, { expiry_time: 'besok' }, '{"expiry_time": 17, "qr_url": {"a": 1}}'].map((oddData) => ({ oddData }));
	for (const wanted of [...charges, ...data]) {
		const bill = walk.bill(59_000, wanted);
		await walk.type(bill.hp);
		await walk.sees(/^(Kode QR |Gambar QR |Pilih cara bayar)/);
		await walk.press('Kembali');
		await leavesNothing(walk, bill);
	}
	expect(walk.faults).toEqual([]);
});

test('the customer can renew an expired code', async () => {
	const bill = walk.bill(48_000, qrisCode('kode lama', new Date(Date.now() - 60_000)));
	await walk.type(bill.hp);
	await walk.press('Buat kode baru');
	await until(() => expect(bill.qr_url).toBe(qrText(bill)));
	await until(async () => expect(await walk.page.locator('main img').count()).toBe(1));
	walk.pay(bill);
	await ends(bill);
});

test('development mode shows the code’s text', async () => {
	walk.office.development = true;
	await walk.fresh();
	walk.office.development = false;
	const bill = walk.bill(47_000);
	await toQris(bill);
	await walk.sees(qrText(bill));
});
