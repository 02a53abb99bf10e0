// @module-tag deep
/**
 * Staff try to void a card sale of an invoice while its customer pays the remaining amount in cash.
 */
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { approvalsTold, aroundLyingOffice, close, customer, kiosk, of, office, open, pay, payByCard, saleOf } from './lying-kiosk.ts';

aroundLyingOffice();

const WHO = ['--by', 'Sari', '--why', 'test', '--yes'];

/** @returns an invoice of 100,000 that was paid by card and has then grown to 150,000 */
async function grownSale() {
	const { hp, invoice } = customer(100_000);
	await kiosk.lookUp(hp);
	await payByCard(invoice, 100_000);
	await approvalsTold();
	invoice.total = 150_000;
	return { hp, invoice };
}

test('while the customer pays the rest of a grown invoice in cash, the card sale of this invoice cannot be voided', async () => {
	const { hp, invoice } = await grownSale();
	await kiosk.openCash(hp);
	const attempt = saleOf(invoice);
	const voided = await kiosk.ctl('edc', 'void', attempt, ...WHO);
	expect(voided).toMatchObject({ code: 1, out: expect.stringContaining('a customer is paying') });
	office.onLookUp = () => 'cut';
	await pay(50_000);
	await until(() => expect(of('cash.paid', invoice)).toMatchObject([{ received: 150_000 }]));
	await close(invoice);
	expect(await kiosk.ctl('edc', 'void', attempt, ...WHO)).toMatchObject({ code: 0 });
});

test('while the card sale of a grown invoice is being voided, the customer cannot pay the rest of this invoice in cash', async () => {
	const { hp, invoice } = await grownSale();
	await kiosk.lookUp(hp);
	const attempt = saleOf(invoice);
	kiosk.edc.terminal.setMode('silent_after_ack');
	const before = kiosk.daemon.events('card.staff_asked').length;
	const voiding = kiosk.ctl('edc', 'void', attempt, ...WHO);
	await until(() => expect(kiosk.daemon.events('card.staff_asked').length).toBeGreaterThan(before));
	expect(await open(hp, invoice)).toMatchObject({ status: 409, body: { code: 'paid_by_card' } });
	await voiding;
	kiosk.edc.terminal.setMode('normal');
});
