// @module-tag deep
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import {
	answered,
	aroundLyingOffice,
	close,
	customer,
	kiosk,
	listed,
	lookUp,
	newScreen,
	of,
	office,
	pay,
	payByCard,
	told,
} from './lying-kiosk.ts';

aroundLyingOffice();

const TOTAL = 50_000;
/**
 * The kiosk reconnects after a few seconds, and a few seconds later it looks its newest invoices
 * up.
 */
const FOUND_MS = 60_000;
/** After a round of look-ups the next one waits a minute. */
const NEXT_ROUND_MS = 61_000;

test('invoices paid in cash or by card, and again by QRIS code while the live socket is closed, are reported as paid twice', {
	timeout: 180_000,
}, async () => {
	const cash = customer(TOTAL);
	await kiosk.openCash(cash.hp);
	await pay(TOTAL);
	await told();
	await until(() => expect(of('cash.paid', cash.invoice)).toHaveLength(1));
	await close(cash.invoice);
	const card = customer(TOTAL);
	await lookUp(card.hp);
	await payByCard(card.invoice, TOTAL);
	await until(() => expect(office.approvals).toContainEqual(expect.objectContaining({ no_invoice: card.invoice.noinvoice })));
	// A customer without money is at the screen.
	await lookUp(customer(TOTAL).hp);
	await kiosk.pass(NEXT_ROUND_MS);
	office.cutSockets();
	// The message about these payments finds no socket.
	for (const { invoice } of [cash, card]) Object.assign(invoice, { is_paid: true, list_pembayaran: [listed(TOTAL), listed(TOTAL)] });
	for (const { invoice } of [cash, card])
		await until(() => expect(of('invoice.paid_twice', invoice).at(-1)).toMatchObject({ twice: TOTAL }), FOUND_MS);
	expect(await kiosk.health()).toHaveProperty('attention', expect.arrayContaining([expect.objectContaining({ state: 'paid_twice' })]));
});

test('an invoice paid in cash, and again by QRIS code while the daemon restarts, is reported as paid twice', {
	timeout: 180_000,
}, async () => {
	const { hp, invoice } = customer(TOTAL);
	await kiosk.openCash(hp);
	await pay(TOTAL);
	await told();
	await until(() => expect(of('cash.paid', invoice)).toHaveLength(1));
	await close(invoice);
	Object.assign(invoice, { is_paid: true, list_pembayaran: [listed(TOTAL), listed(TOTAL)] });
	await kiosk.crash();
	await newScreen();
	await until(() => expect(of('invoice.paid_twice', invoice).at(-1)).toMatchObject({ twice: TOTAL }), FOUND_MS);
});

test('an invoice that grew before the kiosk declared it paid without the back office is listed after a reconnect', {
	timeout: 180_000,
}, async () => {
	const { hp, invoice } = customer(TOTAL);
	await kiosk.openCash(hp);
	office.onLookUp = () => 'cut';
	await pay(TOTAL);
	await until(() => expect(of('cash.paid', invoice).at(-1)).toMatchObject({ by: 'kiosk' }));
	await told();
	await close(invoice);
	Object.assign(invoice, { total: 2 * TOTAL, list_pembayaran: [listed(TOTAL)] });
	office.onLookUp = answered;
	await kiosk.pass(NEXT_ROUND_MS);
	office.cutSockets();
	await until(async () => expect((await kiosk.health()).parts.map(({ part }) => part)).toContain('partial cash'), FOUND_MS);
});
