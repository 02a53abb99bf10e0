// @module-tag deep
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import {
	approvalsTold,
	close,
	customer,
	kiosk,
	LISTED_BY_NOW_MS,
	listed,
	lookUp,
	newScreen,
	office,
	open,
	pay,
	payByCard,
	print,
	saleOf,
	told,
} from './lying-kiosk.ts';
import {
	aroundReturnedMoney,
	booked,
	type Case,
	due,
	inserted,
	inserts,
	isDisputed,
	paysRest,
	renumber,
	SALE,
	staysDue,
	TOTAL,
	WHO,
} from './returned-case.ts';

// The back office still lists a card sale that staff have voided.

aroundReturnedMoney();

/** Pays 100,000 of an invoice by card and makes the back office list the payment. */
async function paidInPart(): Promise<Case> {
	const one = customer(SALE);
	await newScreen();
	await lookUp(one.hp);
	await payByCard(one.invoice, SALE);
	await approvalsTold();
	Object.assign(one.invoice, { total: TOTAL, list_pembayaran: [listed(SALE)] });
	await lookUp(one.hp);
	return one;
}

const voids = async (sale: string) => expect(await kiosk.ctl('edc', 'void', sale, ...WHO)).toMatchObject({ code: 0 });

/** Voids the sale at a terminal that does not answer. Then staff settle the sale as not charged. */
async function voidsWithoutAnswer(sale: string, between = async (): Promise<unknown> => undefined): Promise<void> {
	kiosk.edc.terminal.setMode('silent_after_ack');
	expect(await kiosk.ctl('edc', 'void', sale, ...WHO)).toMatchObject({ code: 1 });
	kiosk.edc.terminal.setMode('normal');
	await between();
	const settled = await kiosk.ctl('edc', 'settle', sale, '--outcome', 'not-charged', '--by', 'Sari', '--why', 'slip');
	expect(settled).toMatchObject({ code: 0 });
}

/**
 * Pays with two notes of 50,000 and a card sale of 50,000; the server lists each payment. Then
 * staff void the sale.
 */
async function voidedBesideNotes(): Promise<Case> {
	const one = await inserted(50_000, 50_000);
	await told();
	const { hp, invoice } = one;
	await lookUp(hp);
	await payByCard(invoice, 50_000);
	await approvalsTold();
	await kiosk.pass(LISTED_BY_NOW_MS);
	Object.assign(invoice, { total: 300_000, list_pembayaran: [listed(50_000), listed(50_000), listed(50_000)] });
	await lookUp(hp);
	await voids(saleOf(invoice));
	expect(await due(one)).toBe(200_000);
	return one;
}

test('a "paid" whose list includes a voided sale puts the invoice in dispute', async () => {
	const one = await paidInPart();
	await voids(saleOf(one.invoice));
	expect(await due(one)).toBe(TOTAL);
	paysRest(one);
	await isDisputed(one);
	await isDisputed(one);
});

test.each(['before', 'after'])(
	'a sale that is voided %s a change of the invoice number does not count as a payment elsewhere',
	async (when) => {
		const one = await paidInPart();
		const sale = saleOf(one.invoice);
		if (when === 'before') await voids(sale);
		renumber(one);
		if (when === 'after') {
			expect(await due(one)).toBe(TOTAL - SALE);
			await voids(sale);
		}
		await staysDue(one);
		// After the server has removed the entry of the voided sale, a later payment of the same amount
		// reduces the amount due.
		const rest = listed(TOTAL - SALE);
		Object.assign(one.invoice, { is_paid: false, total: 200_000, list_pembayaran: [rest] });
		expect(await due(one)).toBe(150_000);
		one.invoice.list_pembayaran = [rest, listed(SALE)];
		expect(await due(one)).toBe(50_000);
	},
);

test('a sale that is voided before the back office confirms its report does not count as a payment elsewhere', async () => {
	const one = customer(SALE);
	await newScreen();
	await lookUp(one.hp);
	office.answersPings = false;
	const before = office.approvals.length;
	await payByCard(one.invoice, SALE);
	await until(() => expect(office.approvals.length).toBeGreaterThan(before));
	Object.assign(one.invoice, { total: TOTAL, list_pembayaran: [listed(SALE)] });
	await voids(saleOf(one.invoice));
	expect(await due(one)).toBe(TOTAL);
	renumber(one);
	office.answersPings = true;
	await staysDue(one);
});

test.each([false, true])(
	'a voided sale that staff settle as not charged does not count as a payment elsewhere (look-up before the settlement: %s)',
	{ timeout: 60_000 },
	async (isLookedUp) => {
		const one = await paidInPart();
		await voidsWithoutAnswer(saleOf(one.invoice), () => (isLookedUp ? lookUp(one.hp) : Promise.resolve()));
		await staysDue(one);
	},
);

test('a payment that replaces a voided sale is deducted, even if staff settle the void later', { timeout: 60_000 }, async () => {
	const one = await paidInPart();
	await voidsWithoutAnswer(saleOf(one.invoice), async () => {
		one.invoice.list_pembayaran = [];
		await lookUp(one.hp);
		one.invoice.list_pembayaran = [listed(SALE)];
		await lookUp(one.hp);
	});
	expect(await due(one)).toBe(TOTAL - SALE);
});

test('after staff settle a voided sale as not charged, a "paid" without a list puts the invoice in dispute', {
	timeout: 60_000,
}, async () => {
	const one = customer(SALE);
	await newScreen();
	await lookUp(one.hp);
	await payByCard(one.invoice, SALE);
	await approvalsTold();
	// This back office has not booked the sale yet.
	await lookUp(one.hp);
	await voidsWithoutAnswer(saleOf(one.invoice));
	Object.assign(one.invoice, { is_paid: true, list_pembayaran: [] });
	await isDisputed(one);
});

test('if the invoice has got another number, a "paid" puts it in dispute as long as a voided sale may be the reason for the "paid"', async () => {
	const one = await paidInPart();
	const sale = saleOf(one.invoice);
	renumber(one);
	await lookUp(one.hp);
	await voids(sale);
	Object.assign(one.invoice, { is_paid: true, total: SALE, list_pembayaran: [] });
	await isDisputed(one);
	Object.assign(one.invoice, { is_paid: false });
	expect(await due(one)).toBe(SALE);
	Object.assign(one.invoice, { is_paid: true });
	expect(await lookUp(one.hp)).toMatchObject({ status: 200, body: { results: { is_paid: true } } });
});

test('if the invoice has got another number, a voided sale is not deducted, even if the answer has no odoo_id', async () => {
	const one = await paidInPart();
	await voids(saleOf(one.invoice));
	renumber(one).odoo_id = null;
	expect(await due(one)).toBe(TOTAL);
});

test('after a void, a payment of the same amount for another invoice with the same id is deducted', async () => {
	const one = await paidInPart();
	await voids(saleOf(one.invoice));
	Object.assign(one.invoice, { noinvoice: `${one.invoice.noinvoice}-B`, odoo_id: 'SO-other' });
	expect(await due(one)).toBe(TOTAL - SALE);
});

test('a voided sale is not deducted when a listed sum of notes grows', { timeout: 60_000 }, async () => {
	const one = customer(SALE);
	const { hp, invoice } = one;
	const insert = async (nominal: number): Promise<void> => {
		await open(hp, invoice);
		await pay(nominal);
		await close(invoice);
		await told();
	};
	await newScreen();
	await lookUp(hp);
	await insert(50_000);
	await payByCard(invoice, 50_000);
	await approvalsTold();
	Object.assign(invoice, { total: TOTAL, list_pembayaran: [listed(50_000), listed(50_000)] });
	await lookUp(hp);
	await voids(saleOf(invoice));
	expect(await due(one)).toBe(100_000);
	await insert(20_000);
	invoice.list_pembayaran = [listed(70_000), listed(50_000)];
	expect(await due(one)).toBe(80_000);
	invoice.total = 120_000;
	expect(await due(one)).toBe(50_000);
	expect((await print(invoice)).status).toBe(409);
});

test('a voided sale is not deducted when the server adds a confirmed note late to its sum of the notes', { timeout: 60_000 }, async () => {
	const one = await paidInPart();
	await voids(saleOf(one.invoice));
	one.invoice.total = 300_000;
	await inserts(one, 100_000, 20_000);
	await told();
	one.invoice.list_pembayaran = [listed(SALE), listed(100_000)];
	expect(await due(one)).toBe(180_000);
	await kiosk.pass(LISTED_BY_NOW_MS);
	one.invoice.list_pembayaran = [listed(SALE), listed(120_000)];
	expect(await due(one)).toBe(180_000);
});

test('a voided sale is not deducted when the server lists all notes, including a new note, as one sum', { timeout: 60_000 }, async () => {
	const one = await voidedBesideNotes();
	await inserts(one, 20_000);
	await booked();
	one.invoice.list_pembayaran = [listed(120_000), listed(50_000)];
	expect(await due(one)).toBe(180_000);
	one.invoice.list_pembayaran = [listed(120_000)];
	expect(await due(one)).toBe(180_000);
	one.invoice.list_pembayaran = [listed(120_000), listed(50_000)];
	expect(await due(one)).toBe(130_000);
});

test('after the server replaces all entries with one sum of the notes, a voided sale does not reduce this sum', {
	timeout: 60_000,
}, async () => {
	const one = await voidedBesideNotes();
	await inserts(one, 50_000);
	await booked();
	one.invoice.list_pembayaran = [listed(150_000)];
	expect(await due(one)).toBe(150_000);
	one.invoice.list_pembayaran = [listed(150_000), listed(50_000)];
	expect(await due(one)).toBe(100_000);
});

test('a voided sale is not deducted when the server splits a sum of notes that equals the sale', { timeout: 60_000 }, async () => {
	const one = await inserted(50_000, 50_000);
	const { hp, invoice } = one;
	await booked();
	Object.assign(invoice, { total: 200_000, list_pembayaran: [listed(100_000)] });
	await lookUp(hp);
	await payByCard(invoice, SALE);
	await approvalsTold();
	Object.assign(invoice, { total: 400_000, list_pembayaran: [listed(100_000), listed(SALE)] });
	await lookUp(hp);
	await voids(saleOf(invoice));
	invoice.list_pembayaran = [listed(50_000), listed(50_000), listed(SALE)];
	expect(await due(one)).toBe(300_000);
	invoice.list_pembayaran = [listed(50_000), listed(50_000)];
	expect(await due(one)).toBe(300_000);
	invoice.list_pembayaran = [listed(50_000), listed(50_000), listed(SALE)];
	expect(await due(one)).toBe(200_000);
});
