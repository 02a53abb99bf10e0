// @module-tag deep
/**
 * Invoices with unusual ids and numbers, and invoices whose number changes while their customer
 * pays.
 */
import { expect, test } from 'vitest';
import { feedNote } from '../../support/feed-note.ts';
import type { Kiosk } from '../../support/kiosk.ts';
import { kioskForTest } from '../../support/kiosk-for-test.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const INFO = '/payment/api/v1/get-invoice-info/';

const invoiceAtOffice = (kiosk: Kiosk) => {
	const invoice = kiosk.backOffice.books.find(BUDI);
	if (!invoice) throw new Error('no such invoice');
	return invoice;
};

test('an invoice that grows and is moved to another phone number while its customer pays is not paid', async () => {
	const kiosk = await kioskForTest();
	const screen = await kiosk.screen();
	const invoice = invoiceAtOffice(kiosk);
	const { id } = await kiosk.openCash(BUDI);
	await feedNote(kiosk, 100_000);
	Object.assign(invoice, { hp: '081299999999', total: invoice.total + 100_000 });
	await feedNote(kiosk, 50_000);
	await until(() => expect(kiosk.daemon.events('invoice.total_changed')).toHaveLength(1), 15_000);
	const closed = await kiosk.post('/kiosk/cash/close', { id });
	expect(closed.body).toMatchObject({ received: 150_000, is_paid: false });
	expect(screen.of('payment_notification')).toEqual([]);
});

test('a look-up whose number is not text is refused, because the kiosk could not look the invoice up again', async () => {
	const kiosk = await kioskForTest();
	expect(await kiosk.call(INFO, { noinvoice: 81_234_567_890 })).toMatchObject({ status: 400, body: { code: 'bad_request' } });
});

test('a paid invoice whose id has 180 characters gets its receipt', async () => {
	const kiosk = await kioskForTest();
	Object.assign(invoiceAtOffice(kiosk), { id: 'x'.repeat(180) });
	const { id } = await kiosk.openCash(BUDI);
	await feedNote(kiosk, 100_000);
	await feedNote(kiosk, 50_000);
	await until(() => expect(kiosk.daemon.events('cash.paid')).toHaveLength(1));
	await kiosk.post('/kiosk/cash/close', { id });
	expect(await kiosk.post('/kiosk/print', { id })).toMatchObject({ status: 200 });
});

test('of two names that no slip can tell apart, only one can be added', async () => {
	const kiosk = await kioskForTest();
	await kiosk.staff();
	const add = (name: string, by: string | null) =>
		kiosk.post('/kiosk/staff/names', { action: 'add', name, role: 'supervisor', by, code: null });
	expect(await add('Sari', null)).toMatchObject({ status: 200 });
	expect(await add('Bəki', 'Sari')).toMatchObject({ status: 200 });
	expect(await add('Bɔki', 'Sari')).toMatchObject({ status: 409, body: { code: 'known_name' } });
});

test('no note is taken for an invoice while the page shows another invoice with the same id', async () => {
	const kiosk = await kioskForTest();
	await kiosk.openCash(BUDI);
	await feedNote(kiosk, 20_000);
	Object.assign(invoiceAtOffice(kiosk), { noinvoice: 'INV/OTHER', odoo_id: 987_654, total: 60_000 });
	const other = await kiosk.lookUp(BUDI);
	expect(other).toMatchObject({ noinvoice: 'INV/OTHER', total: 60_000 });
	await kiosk.draw(other);
	kiosk.acceptor.device.insert({ nominal: 50_000 });
	await until(() => expect(kiosk.acceptor.device.note).toBeNull());
	expect(kiosk.daemon.events('cash.note_credited').map(({ nominal }) => nominal)).toEqual([20_000]);
});
