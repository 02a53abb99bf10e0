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
/** Time limit for the reconnection and the following look-ups of the newest invoices, ms. */
const FOUND_MS = 60_000;
/** A round of look-ups starts at most once a minute. */
const NEXT_ROUND_MS = 61_000;

test('an invoice that is paid again by QRIS code while the live socket is closed is reported as paid twice', {
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
	// The customer at the screen has paid nothing yet.
	await lookUp(customer(TOTAL).hp);
	await kiosk.pass(NEXT_ROUND_MS);
	office.cutSockets();
	// The kiosk gets no message about these payments, because the socket is closed.
	for (const { invoice } of [cash, card]) Object.assign(invoice, { is_paid: true, list_pembayaran: [listed(TOTAL), listed(TOTAL)] });
	for (const { invoice } of [cash, card])
		await until(() => expect(of('invoice.paid_twice', invoice).at(-1)).toMatchObject({ twice: TOTAL }), FOUND_MS);
	expect(await kiosk.health()).toHaveProperty('attention', expect.arrayContaining([expect.objectContaining({ state: 'paid_twice' })]));
});

test('an invoice that is paid again by QRIS code while the daemon restarts is reported as paid twice', {
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

test('an invoice that grew while the kiosk could not look it up is listed as partly paid after a reconnect', {
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
