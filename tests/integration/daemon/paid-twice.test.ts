import { describe, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import {
	aroundLyingOffice,
	close,
	customer,
	kiosk,
	LISTED_BY_NOW_MS,
	listed,
	lookUp,
	lookUps,
	of,
	office,
	open,
	paidTexts,
	pay,
	payByCard,
	phases,
	print,
	screen,
	sell,
	tap,
	told,
} from './lying-kiosk.ts';

aroundLyingOffice();

const gauge = async (name: string): Promise<number> => {
	const metrics = await (await fetch(`${kiosk.daemon.service}/metrics`)).text();
	return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)?.[1]);
};

describe('payments by more than one method', () => {
	test('a double payment of another customer’s invoice is reported, and the present customer can still pay by card', async () => {
		const b = customer(90_000);
		await kiosk.openCash(b.hp);
		await pay(20_000);
		await told();
		await close(b.invoice);
		const a = customer(70_000);
		await lookUp(a.hp);
		Object.assign(b.invoice, { is_paid: true, list_pembayaran: [listed(20_000), listed(90_000)] });
		const before = lookUps();
		const counted = await gauge('kiosk_invoices_paid_twice');
		office.say({ type: 'payment_notification', id: b.invoice.id });
		await until(() => expect(lookUps()).toBeGreaterThan(before));
		await until(() => expect(of('invoice.paid_twice', b.invoice).at(-1)).toMatchObject({ received: 110_000, twice: 20_000 }));
		expect(await gauge('kiosk_invoices_paid_twice')).toBe(counted + 1);
		await payByCard(a.invoice, 70_000);
		expect(of('invoice.paid_twice', a.invoice)).toEqual([]);
	});

	test('after a card payment a message about another payment triggers a look-up, which finds the double payment', {
		tags: 'deep',
	}, async () => {
		const { hp, invoice } = customer(80_000);
		await lookUp(hp);
		await payByCard(invoice, 80_000);
		await until(() => expect(office.approvals).toContainEqual(expect.objectContaining({ no_invoice: invoice.noinvoice })));
		Object.assign(invoice, { is_paid: true, list_pembayaran: [listed(80_000)] });
		office.say({ type: 'payment_notification', id: invoice.id });
		const before = lookUps();
		await until(() => expect(lookUps()).toBeGreaterThan(before));
		expect(of('invoice.paid_twice', invoice)).toEqual([]);
		invoice.list_pembayaran = [listed(80_000), listed(80_000)];
		office.say({ type: 'payment_notification', id: invoice.id });
		await until(() => expect(of('invoice.paid_twice', invoice).at(-1)).toMatchObject({ twice: 80_000 }));
		await until(() => expect(screen.of('kiosk_paid_twice').at(-1)).toMatchObject({ id: invoice.id, twice: 80_000 }));
	});

	test('an invoice that is paid elsewhere while the terminal waits for the card, and then by card, is reported as paid twice', {
		tags: 'deep',
	}, async () => {
		const { hp, invoice } = customer(60_000);
		await lookUp(hp);
		sell(invoice, 60_000);
		await until(() => expect(phases().at(-1)).toBe('acked'));
		Object.assign(invoice, { is_paid: true, list_pembayaran: [listed(60_000)] });
		office.say({ type: 'payment_notification', id: invoice.id });
		await until(() => expect(paidTexts(invoice)).toHaveLength(1));
		await tap();
		await until(() => expect(of('invoice.paid_twice', invoice).at(-1)).toMatchObject({ twice: 60_000 }));
		const sent = phases().length;
		const taken = kiosk.edc.terminal.bank.captured;
		sell(invoice, 60_000);
		await until(() => expect(phases().length).toBeGreaterThan(sent));
		expect(kiosk.edc.terminal.bank.captured).toBe(taken);
	});

	test('an invoice that is partly paid in cash and then wholly paid elsewhere is reported as paid twice', { tags: 'deep' }, async () => {
		const { hp, invoice } = customer(137_500);
		await kiosk.openCash(hp);
		await pay(50_000);
		await told();
		await close(invoice);
		invoice.list_pembayaran = [listed(50_000), listed(137_500)];
		invoice.is_paid = true;
		office.say({ type: 'payment_notification', id: invoice.id });
		await until(() => expect(of('invoice.paid_twice', invoice).at(-1)).toMatchObject({ received: 187_500, twice: 50_000 }));
	});
});

test('a note that the back office lists with another spelling of its id is counted once', async () => {
	const { hp, invoice } = customer(100_000);
	await kiosk.openCash(hp);
	await pay(50_000);
	await told();
	const id = String(office.notes.at(-1)?.note_id);
	for (const spelled of [id.toUpperCase(), id.replaceAll('-', ''), `{${id}}`, ` ${id}`]) {
		invoice.list_pembayaran = [listed(50_000, spelled)];
		expect((await lookUp(hp)).body.results).toMatchObject({ is_paid: false });
		expect(await print(invoice)).toMatchObject({ status: 409 });
	}
	await close(invoice);
});

test('an invoice whose list contradicts the kiosk’s note is in dispute; if the list has an impossible amount, the invoice gets no receipt and is not reported as paid twice', async () => {
	const { hp, invoice } = customer(137_500);
	await kiosk.openCash(hp);
	await pay(50_000);
	await told();
	await close(invoice);
	const id = String(office.notes.at(-1)?.note_id);
	// The server must list the note before time passes, because the kiosk may look the invoice up by
	// itself, and a list without the note would cause a dispute.
	invoice.list_pembayaran = [listed(50_000, id)];
	await kiosk.pass(LISTED_BY_NOW_MS);
	const disputed = await gauge('kiosk_invoices_disputed');
	for (const list of [[listed(100_000, id)], [listed(50_000, id), listed(50_000, id)], [listed(20_000, id)], [listed(50_000, 'other')]]) {
		invoice.list_pembayaran = list;
		expect(await lookUp(hp)).toMatchObject({ status: 409, body: { code: 'dispute' } });
		expect(await gauge('kiosk_invoices_disputed')).toBe(disputed + 1);
	}
	invoice.list_pembayaran = [listed(50_000, id), listed(50_000, 'another-kiosk')];
	expect((await lookUp(hp)).status).toBe(200);
	expect(await gauge('kiosk_invoices_disputed')).toBe(disputed);
	expect((await open(hp, invoice)).body).toMatchObject({ is_paid: false, entries: [{ nominal: 50_000 }, { nominal: 50_000 }] });
	await close(invoice);
	for (const odd of [
		{ list_pembayaran: [listed(-50_000)] },
		{ list_pembayaran: [listed(1e15)] },
		{ total: 1e12, is_paid: true },
		{ total: '1e5' },
	]) {
		Object.assign(invoice, { total: 137_500, is_paid: false, list_pembayaran: [] }, odd);
		const before = of('invoice.paid_twice', invoice).length;
		await lookUp(hp);
		expect(await print(invoice)).toMatchObject({ status: 409 });
		expect(of('invoice.paid_twice', invoice)).toHaveLength(before);
	}
});
