// @module-tag deep
/** Empty or unusual order ids and invoice numbers in the back office's answers and messages. */
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import {
	aroundLyingOffice,
	close,
	customer,
	kiosk,
	LISTED_BY_NOW_MS,
	lookUp,
	lookUps,
	office,
	paidTexts,
	pay,
	told,
} from './lying-kiosk.ts';

aroundLyingOffice();

test.each([{}, { noinvoice: 12_345 }, { noinvoice: null }, { odoo_id: false }, { odoo_id: '' }, { odoo_id: [] }])(
	'a payment_notification with the fields %j reaches the page',
	async (fields) => {
		const { hp, invoice } = customer(137_500);
		await lookUp(hp);
		office.say({ type: 'payment_notification', id: invoice.id, ...fields });
		await until(() => expect(paidTexts(invoice)).toHaveLength(1));
	},
);

test.each([{}, { odoo_id: false }, { odoo_id: '' }, { odoo_id: [] }])(
	'after a payment_cash_notification with is_paid and the fields %j, the invoice is looked up',
	async (fields) => {
		const { hp, invoice } = customer(137_500);
		await lookUp(hp);
		const before = lookUps();
		office.say({ type: 'payment_cash_notification', id: invoice.id, is_paid: true, ...fields });
		await until(() => expect(lookUps()).toBeGreaterThan(before));
	},
);

test('a "paid" message that cannot be read is logged', async () => {
	office.say({ type: 'payment_notification', id: [], is_paid: true });
	await until(() => expect(kiosk.daemon.events('socket.odd_message').at(-1)).toMatchObject({ path: 'id' }));
});

test.each([null, false, '', ' '])(
	'the money for an invoice with the order id %j stays known when the invoice gets a number and an order id',
	async (odoo_id) => {
		const { hp, invoice } = customer(137_500, { odoo_id, noinvoice: `DRAFT/${JSON.stringify(odoo_id)}` });
		await kiosk.openCash(hp);
		await pay(50_000);
		await close(invoice);
		await told();
		await kiosk.pass(LISTED_BY_NOW_MS);
		Object.assign(invoice, { noinvoice: `POSTED/${JSON.stringify(odoo_id)}`, odoo_id: 'SO/POSTED' });
		// The server's list lacks the note, so the invoice is in dispute instead of due in full.
		expect(await lookUp(hp)).toMatchObject({ status: 409, body: { code: 'dispute' } });
	},
);
