import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Invoice } from '../../simulators/back-office/invoice.ts';
import { json } from '../../simulators/back-office/other-dealer.ts';
import { until } from '../../support/until.ts';
import { BAD_GATEWAY, balances, leavesNothing, startWalk, type Walk } from './walk.ts';

let walk: Walk;
/** Number of receipts printed before this test. */
let receipts = 0;
beforeAll(async () => {
	walk = await startWalk('cash');
	return walk.stop;
});
beforeEach(async () => {
	receipts = await walk.toHome();
});

async function toCash(bill: Invoice): Promise<void> {
	await walk.type(bill.hp);
	await walk.press('Bayar Tunai');
	await walk.sees(/^Ready$/);
}

/**
 * Waits until the invoice is paid, the receipt is printed and the screen is cleared. Then compares
 * the books.
 */
async function ends(bill: Invoice, leaves: 'by itself' | 'with Kembali' = 'with Kembali'): Promise<string> {
	await walk.page.getByRole('button', { name: 'Cetak' }).waitFor();
	await until(() => expect(walk.paper()).toHaveLength(receipts + 1));
	if (leaves === 'with Kembali') await walk.press('Kembali');
	await leavesNothing(walk, bill);
	await balances(walk);
	expect(walk.faults).toEqual([]);
	return walk.paper().at(-1) ?? '';
}

test('a payment of the exact amount shows the specified texts and prints the receipt, despite invalid messages', async () => {
	const bill = walk.bill(75_000);
	await toCash(bill);
	for (const word of ['Online', 'Reload Mesin', 'Total diterima', 'Total Invoice', 'Kurang Bayar', 'Kembali']) await walk.sees(word);
	for (const note of ['100.000', '50.000', '20.000', '10.000', '5.000', '2.000', '1.000']) await walk.sees(note);
	walk.noise(bill);
	await walk.insert(50_000);
	await walk.sees('Terima 1');
	await walk.sees('Rp 25.000');
	walk.noise(bill);
	await walk.insert(20_000);
	await walk.sees('Terima 2');
	walk.noise(bill);
	await walk.insert(5_000);
	const paper = await ends(bill, 'by itself');
	for (const word of [
		'Tanggal',
		'AHASS',
		bill.noinvoice,
		String(bill.konsumen_name),
		'Sudah dibayar',
		'Metode Pembayaran',
		'NOPOL',
		String(bill.nopol),
	])
		expect(paper).toContain(word);
	expect(paper).toMatch(/Untaxed Amount +(Rp )?67\.568/);
	expect(paper).toMatch(/Taxed +(Rp )?7\.432/);
	expect(paper).toMatch(/Total +(Rp )?75\.000/);
});

test('if answers to the upload of a note are lost, an overpayment still shows Lebih Bayar', { tags: 'deep' }, async () => {
	const bill = walk.bill(163_500);
	await toCash(bill);
	walk.office.next('cash_notification', 'answer lost', BAD_GATEWAY);
	await walk.insert(100_000);
	await walk.insert(100_000);
	await walk.sees('Lebih Bayar');
	await walk.sees('Rp 36.500');
	expect(await ends(bill)).toMatch(/Lebih Bayar +Rp 36\.500/);
});

test('an invoice that is partly paid elsewhere opens the cash screen, and this payment is deducted', { tags: 'deep' }, async () => {
	const bill = walk.bill(88_500, { list_pembayaran: [{ nominal: 50_000, tanggal: new Date(Date.now() - 3_600_000).toISOString() }] });
	await walk.type(bill.hp);
	await walk.sees(/^Ready$/);
	await walk.sees('Terima 1');
	await walk.sees('Rp 38.500');
	await walk.insert(20_000);
	await walk.sees('Rp 18.500');
	await walk.insert(20_000);
	await walk.sees('Rp 1.500');
	await ends(bill);
});

test('late messages about one customer do not affect the next customer', { tags: 'deep' }, async () => {
	const first = walk.bill(50_000);
	await toCash(first);
	await walk.insert(50_000);
	await ends(first);
	receipts += 1;
	walk.pay(first);
	await walk.home();
	const second = walk.bill(40_000);
	await toCash(second);
	walk.pay(first);
	walk.office.live.say({ type: 'payment_cash_notification', id: first.id, is_paid: true, nominal: 50_000 });
	walk.noise(second);
	await walk.insert(20_000);
	await walk.sees('Terima 1');
	await walk.sees('Kurang Bayar');
	expect(await walk.page.getByRole('button', { name: 'Cetak' }).count()).toBe(0);
	// Enters the remaining amount at the server, as if the cashier had taken it.
	second.list_pembayaran.push({ nominal: 20_000, tanggal: new Date().toISOString() });
	walk.pay(second);
	await ends(second);
});

test('[spec 7.17] a refusal to open the acceptor shows the server’s message, or else the kiosk’s own message', {
	tags: 'deep',
}, async () => {
	const bill = walk.bill(45_000);
	walk.office.next('open_machine', json(409, { detail: 'Sedang dibayar di kiosk lain' }));
	await walk.type(bill.hp);
	await walk.press('Bayar Tunai');
	await walk.sees('Sedang dibayar di kiosk lain');
	walk.office.next('open_machine', { ...BAD_GATEWAY, status: 400 });
	await walk.press('Reload Mesin');
	await walk.sees('Error reload bill acceptor');
	walk.office.next('open_machine', BAD_GATEWAY);
	await walk.press('Reload Mesin');
	await walk.sees(/^Ready$/);
	await walk.press('Kembali');
	await leavesNothing(walk, bill);
});

test('invalid answers to uploads and look-ups do not change the payment', { tags: 'deep' }, async () => {
	const bill = walk.bill(37_000);
	await toCash(bill);
	walk.office.next('cash_notification', json(400, { note_id: ['sudah ada'] }), 'call lost');
	await walk.insert(20_000);
	await until(() => expect(walk.office.books.notes.length).toBe(walk.acceptor.device.stacked.length));
	walk.office.next('invoice_info', json(200, { results: 'x' }));
	await walk.page.reload();
	await walk.sees('Terima 1');
	await walk.insert(10_000);
	await walk.sees('Terima 2');
	await walk.sees('Rp 7.000');
	await walk.insert(10_000);
	await ends(bill);
});

test('if the server goes down during a payment, the invoice is paid, the receipt is printed and the notes are uploaded later', {
	tags: 'deep',
}, async () => {
	const bill = walk.bill(70_000);
	await toCash(bill);
	await walk.insert(50_000);
	await walk.sees('Terima 1');
	await walk.office.setNetwork({ up: false });
	await walk.sees('Offline');
	await walk.insert(20_000);
	await walk.page.getByRole('button', { name: 'Cetak' }).waitFor();
	await until(() => expect(walk.paper()).toHaveLength(receipts + 1));
	await leavesNothing(walk, bill);
	await walk.type('0857000009');
	await walk.sees('Kami sedang mengalami gangguan');
	await walk.press('Kembali');
	await walk.home();
	await walk.office.setNetwork({ up: true });
	await balances(walk);
	await walk.sees('Online');
});

test('if the token is revoked during a payment, the notes are uploaded after the next log-in and the payment continues', {
	tags: 'deep',
}, async () => {
	const bill = walk.bill(60_000);
	await toCash(bill);
	walk.office.books.revokeTokens();
	await walk.insert(50_000);
	await walk.sees('Terima 1');
	await walk.fresh();
	await balances(walk);
	await walk.type(bill.hp);
	await walk.sees(/^Ready$/);
	await walk.sees('Rp 10.000');
	await walk.insert(10_000);
	await ends(bill);
});

test('if the server does not list a note yet, the note is still deducted when the customer returns', { tags: 'deep' }, async () => {
	const bill = walk.bill(60_000);
	await toCash(bill);
	walk.office.next('cash_notification', BAD_GATEWAY, BAD_GATEWAY, BAD_GATEWAY);
	await walk.insert(50_000);
	await walk.sees('Terima 1');
	await walk.press('Kembali');
	await walk.press('Ya, kembali');
	await walk.home();
	await walk.type(bill.hp);
	// The method screen must not appear, because a QRIS code would ask for the whole amount.
	const methods = walk.page.getByRole('button', { name: 'Bayar Non Tunai' });
	await walk.page
		.getByText(/^Ready$/)
		.or(methods)
		.waitFor();
	expect(await methods.count()).toBe(0);
	await walk.insert(10_000);
	await ends(bill);
});

test('if the invoice is paid elsewhere during a cash payment, the receipt shows the cash that the kiosk took', {
	tags: 'deep',
}, async () => {
	const bill = walk.bill(40_000);
	await toCash(bill);
	await walk.insert(20_000);
	await walk.sees('Terima 1');
	walk.pay(bill);
	expect(await ends(bill)).toMatch(/20\.000/);
});
