import { describe, expect, test } from 'vitest';
import type { Told } from '../../simulators/back-office/lying-office.ts';
import { until } from '../../support/until.ts';
import {
	answered,
	aroundLyingOffice,
	close,
	customer,
	kiosk,
	LISTED_BY_NOW_MS,
	listed,
	lookUp,
	lookUps,
	newScreen,
	of,
	office,
	open,
	paidTexts,
	pay,
	phases,
	print,
	sell,
	told,
} from './lying-kiosk.ts';

aroundLyingOffice();

describe('messages about another total or invoice', () => {
	test('if the total grows after a cash payment, no receipt is printed, whatever payments the back office lists', async () => {
		const { hp, invoice } = customer(150_000);
		await kiosk.openCash(hp);
		await pay(100_000);
		await told();
		office.onNote = () => ({ status: 200, body: { is_paid: true } });
		await pay(50_000);
		await until(() => expect(paidTexts(invoice)).toHaveLength(1));
		await told();
		await close(invoice);
		await kiosk.pass(LISTED_BY_NOW_MS);
		for (const list of [[], [listed(100_000), listed(50_000)], [listed('150000.00')]]) {
			Object.assign(invoice, { total: 337_500, is_paid: false, list_pembayaran: list });
			const seen = await lookUp(hp);
			if (list.length > 0) expect(seen.body.results).toMatchObject({ is_paid: false, total: 337_500 });
			else expect(seen).toMatchObject({ status: 409, body: { code: 'dispute' } });
			const opened = await open(hp, invoice);
			if (list.length > 0) expect(opened.body).toMatchObject({ is_paid: false });
			else expect(opened).toMatchObject({ status: 409, body: { code: 'dispute' } });
			expect(await print(invoice)).toMatchObject({ status: 409 });
			await close(invoice);
		}
		expect(paidTexts(invoice)).toHaveLength(1);
	});

	test('if the total grows before the last note and uploads fail, the kiosk learns the new total from a look-up, and the invoice stays unpaid', {
		tags: 'deep',
	}, async () => {
		const { hp, invoice } = customer(50_000);
		await kiosk.openCash(hp);
		office.onNote = () => 'cut';
		invoice.total = 137_500;
		await pay(50_000);
		await until(() => expect(of('invoice.total_changed', invoice)).toHaveLength(1));
		expect(of('cash.paid', invoice)).toEqual([]);
		expect((await open(hp, invoice)).body).toMatchObject({ is_paid: false });
		office.onNote = () => ({ status: 200 });
		await close(invoice);
		expect(paidTexts(invoice)).toEqual([]);
	});

	test('if a message "paid" arrives and then a look-up shows a larger total, the invoice is not paid', { tags: 'deep' }, async () => {
		const { hp, invoice } = customer(50_000);
		await kiosk.openCash(hp);
		await pay(20_000);
		await told();
		office.onLookUp = async (asked) => {
			office.say({ type: 'payment_notification', id: asked.id });
			await until(() => expect(paidTexts(invoice).length).toBeGreaterThan(0));
			office.onLookUp = answered;
			Object.assign(invoice, { total: 337_500, list_pembayaran: [listed(20_000), listed(30_000)] });
			return answered(invoice);
		};
		expect((await lookUp(hp)).body.results).toMatchObject({ is_paid: false, total: 337_500 });
		expect((await open(hp, invoice)).body).toMatchObject({ is_paid: false });
		expect(await print(invoice)).toMatchObject({ status: 409 });
		await close(invoice);
	});

	test('after the total grew, a repeated message "paid" is passed on only after a look-up confirms it', { tags: 'deep' }, async () => {
		const { hp, invoice } = customer(50_000);
		await kiosk.openCash(hp);
		await pay(50_000);
		office.say({ type: 'payment_notification', id: invoice.id });
		await until(() => expect(of('cash.paid', invoice)).toHaveLength(1));
		await told();
		Object.assign(invoice, { total: 337_500, is_paid: false, list_pembayaran: [listed(50_000)] });
		await lookUp(hp);
		const before = lookUps();
		const said = paidTexts(invoice).length;
		office.say({ type: 'payment_notification', id: invoice.id });
		await until(() => expect(lookUps()).toBeGreaterThan(before));
		expect((await lookUp(hp)).body.results).toMatchObject({ is_paid: false });
		expect(paidTexts(invoice)).toHaveLength(said);
		Object.assign(invoice, { is_paid: true, list_pembayaran: [listed(50_000), listed(287_500)] });
		office.say({ type: 'payment_notification', id: invoice.id });
		await until(() => expect(paidTexts(invoice).length).toBeGreaterThan(said));
		expect(of('invoice.paid_twice', invoice)).toEqual([]);
	});

	test('if the total grows after a payment elsewhere, a late message about the smaller total does not pay the invoice', async () => {
		const { hp, invoice } = customer(150_000);
		Object.assign(invoice, { is_paid: true, list_pembayaran: [listed(150_000)] });
		await lookUp(hp);
		Object.assign(invoice, { total: 337_500, is_paid: false });
		await lookUp(hp);
		const before = lookUps();
		office.say({ type: 'payment_notification', id: invoice.id });
		await until(() => expect(lookUps()).toBeGreaterThan(before));
		expect(await print(invoice)).toMatchObject({ status: 409 });
		expect(paidTexts(invoice)).toEqual([]);
	});

	test('a late answer to an older look-up does not replace the newer answer', { tags: 'deep' }, async () => {
		const { hp, invoice } = customer(50_000);
		await kiosk.openCash(hp);
		await pay(50_000);
		await told();
		const old = { ...invoice };
		const { promise, resolve } = Promise.withResolvers<Told>();
		office.onLookUp = () => promise;
		const before = lookUps();
		const first = lookUp(hp);
		await until(() => expect(lookUps()).toBeGreaterThan(before));
		office.onLookUp = answered;
		Object.assign(invoice, { total: 337_500, list_pembayaran: [listed(50_000)] });
		expect((await lookUp(hp)).body.results).toMatchObject({ is_paid: false });
		resolve(answered(old));
		await first;
		expect((await open(hp, invoice)).body).toMatchObject({ is_paid: false });
		expect(await print(invoice)).toMatchObject({ status: 409 });
		await close(invoice);
	});

	test('if two invoices share an id, a message applies only to the invoice with the message’s odoo_id', { tags: 'deep' }, async () => {
		const old = customer(50_000);
		await kiosk.openCash(old.hp);
		await pay(20_000);
		await told();
		await close(old.invoice);
		const next = customer(90_000, { id: old.invoice.id, noinvoice: 'INV/NEW/1', odoo_id: 'SONEW' });
		await lookUp(next.hp);
		Object.assign(old.invoice, { is_paid: true, list_pembayaran: [listed(20_000), listed(50_000)] });
		office.say({ type: 'payment_notification', id: old.invoice.id, odoo_id: old.invoice.odoo_id });
		await until(() => expect(of('invoice.paid_twice', old.invoice)).toHaveLength(1));
		expect(paidTexts(next.invoice)).toEqual([]);
		expect(await print(next.invoice)).toMatchObject({ status: 409 });
		expect((await open(next.hp, next.invoice)).body).toMatchObject({ is_paid: false, entries: [] });
		await close(next.invoice);
		// A message without odoo_id may concern either invoice, so the kiosk trusts only a look-up.
		office.say({ type: 'payment_notification', id: old.invoice.id });
		const before = lookUps();
		await until(() => expect(lookUps()).toBeGreaterThan(before));
		expect(await print(next.invoice)).toMatchObject({ status: 409 });
		expect(paidTexts(next.invoice)).toEqual([]);
	});
});

test('a flood of messages about a disputed invoice triggers few look-ups and does not delay the daemon', {
	tags: 'deep',
}, async () => {
	const { hp, invoice } = customer(137_500);
	await kiosk.openCash(hp);
	await pay(50_000);
	await told();
	await close(invoice);
	// The list contradicts the first message. From then on, the kiosk believes a "paid" only after a
	// look-up confirms it.
	office.say({ type: 'payment_notification', id: invoice.id });
	await until(() => expect(of('invoice.dispute', invoice).length).toBeGreaterThan(0));
	const [said, asked] = [paidTexts(invoice).length, lookUps()];
	for (let n = 0; n < 20_000; n += 1) office.say({ type: 'payment_notification', id: invoice.id });
	const began = performance.now();
	await kiosk.health();
	expect(performance.now() - began).toBeLessThan(2_000);
	await until(() => expect(lookUps()).toBeGreaterThan(asked));
	expect(lookUps() - asked).toBeLessThan(10);
	expect(paidTexts(invoice)).toHaveLength(said);
	expect(await print(invoice)).toMatchObject({ status: 409 });
	// The restart drops the messages that are still in the socket.
	await kiosk.crash();
	await newScreen();
});

test('a message "paid" blocks further money while look-ups do not list the payment', async () => {
	const { hp, invoice } = customer(137_500);
	await lookUp(hp);
	const before = lookUps();
	office.say({ type: 'payment_notification', id: invoice.id });
	await until(() => expect(lookUps()).toBeGreaterThan(before));
	// The server has announced the payment, but has not booked it yet.
	expect(await lookUp(hp)).toMatchObject({ status: 409, body: { code: 'dispute' } });
	expect(await open(hp, invoice)).toMatchObject({ status: 409, body: { code: 'dispute' } });
	sell(invoice, 137_500);
	await until(() => expect(phases().at(-1)).toBe('unresolved'));
	expect(await print(invoice)).toMatchObject({ status: 409 });
	Object.assign(invoice, { is_paid: true, list_pembayaran: [listed(137_500)] });
	expect((await lookUp(hp)).body.results).toMatchObject({ is_paid: true });
	// If the server withdraws a payment that it had booked, the money is due again.
	Object.assign(invoice, { is_paid: false, list_pembayaran: [] });
	expect((await lookUp(hp)).body.results).toMatchObject({ is_paid: false });
	expect((await open(hp, invoice)).status).toBe(200);
	await close(invoice);
});
