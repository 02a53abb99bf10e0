import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { aroundLyingOffice, close, customer, kiosk, listed, lookUp, of, office, pay, payByCard, told } from './lying-kiosk.ts';

aroundLyingOffice();

const TOTAL = 50_000;
/** The kiosk reconnects after a few seconds, and a few seconds later it looks up. */
const FOUND_MS = 60_000;

test('a code that is paid after cash or card, while the live socket is away, is reported as paid twice', { timeout: 180_000 }, async () => {
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
	office.cutSockets();
	// The message about these payments finds no socket.
	for (const { invoice } of [cash, card]) Object.assign(invoice, { is_paid: true, list_pembayaran: [listed(TOTAL), listed(TOTAL)] });
	for (const { invoice } of [cash, card])
		await until(() => expect(of('invoice.paid_twice', invoice).at(-1)).toMatchObject({ twice: TOTAL }), FOUND_MS);
	expect(await kiosk.health()).toHaveProperty('attention', expect.arrayContaining([expect.objectContaining({ state: 'paid_twice' })]));
});
