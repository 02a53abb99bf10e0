// @module-tag deep
import { beforeAll, expect, test } from 'vitest';
import { sumOf } from '../../simulators/back-office/invoice.ts';
import { decideCase, staffCases } from '../../support/staff-cases.ts';
import { until } from '../../support/until.ts';
import {
	approvalsTold,
	aroundLyingOffice,
	close,
	customer,
	kiosk,
	LISTED_BY_NOW_MS,
	listed,
	lookUp,
	newScreen,
	of,
	office,
	open,
	pay,
	payByCard,
	print,
	saleOf,
	told,
} from './lying-kiosk.ts';

// The back office still lists money that was given back to the customer.

aroundLyingOffice();

beforeAll(async () => {
	await kiosk.staff();
	await kiosk.post('/kiosk/staff/names', { action: 'add', name: 'Sari', role: 'supervisor', by: null, code: null });
});

const TOTAL = 150_000;
const SALE = 100_000;
const WHO = ['--by', 'Sari', '--why', 'test', '--yes'];
const sumListed = (entries: unknown): number => sumOf(entries as { nominal: number }[]);
type Case = ReturnType<typeof customer>;

/** A card pays 100,000 of the invoice, and the back office lists it. */
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

/** @returns the amount due that the cash page shows, rupiah */
async function due({ hp, invoice }: Case): Promise<number> {
	await lookUp(hp);
	const { body } = await open(hp, invoice);
	await close(invoice);
	return Number(invoice.total) - sumListed(body.entries);
}

const voids = async (sale: string) => expect(await kiosk.ctl('edc', 'void', sale, ...WHO)).toMatchObject({ code: 0 });
const renumber = ({ invoice }: Case) => Object.assign(invoice, { noinvoice: `${invoice.noinvoice}-B` });

async function isDisputed({ hp, invoice }: Case): Promise<void> {
	expect(await lookUp(hp)).toMatchObject({ status: 409, body: { code: 'dispute' } });
	expect((await print(invoice)).status).toBe(409);
}

const paysRest = ({ invoice }: Case) => Object.assign(invoice, { is_paid: true, list_pembayaran: [listed(SALE), listed(TOTAL - SALE)] });

/**
 * Checks that the whole total stays due, also after a crash, and that a "paid" that counts the
 * returned money is a dispute.
 */
async function staysDue(one: Case): Promise<void> {
	expect(await due(one)).toBe(TOTAL);
	expect(await due(one)).toBe(TOTAL);
	await kiosk.crash();
	await kiosk.login();
	await newScreen();
	expect(await due(one)).toBe(TOTAL);
	paysRest(one);
	await isDisputed(one);
	await isDisputed(one);
}

test('"paid" with a list that includes a voided sale is a dispute, even after an "unpaid" with such a list', async () => {
	const one = await paidInPart();
	await voids(saleOf(one.invoice));
	expect(await due(one)).toBe(TOTAL);
	paysRest(one);
	await isDisputed(one);
	await isDisputed(one);
});

test.each(['before', 'after'])('a sale voided %s its invoice got another number does not count as a payment elsewhere', async (when) => {
	const one = await paidInPart();
	const sale = saleOf(one.invoice);
	if (when === 'before') await voids(sale);
	renumber(one);
	if (when === 'after') {
		expect(await due(one)).toBe(TOTAL - SALE);
		await voids(sale);
	}
	await staysDue(one);
	// The server removes the entry of the sale. A later payment of the same amount then counts.
	const rest = listed(TOTAL - SALE);
	Object.assign(one.invoice, { is_paid: false, total: 200_000, list_pembayaran: [rest] });
	expect(await due(one)).toBe(150_000);
	one.invoice.list_pembayaran = [rest, listed(SALE)];
	expect(await due(one)).toBe(50_000);
});

test('a sale that was voided while its report was not confirmed does not count as a payment elsewhere', async () => {
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

/**
 * Staff void the sale, the terminal does not answer, and staff find that the charge was returned.
 */
async function voidsWithoutAnswer(sale: string, between = async (): Promise<unknown> => undefined): Promise<void> {
	kiosk.edc.terminal.setMode('silent_after_ack');
	expect(await kiosk.ctl('edc', 'void', sale, ...WHO)).toMatchObject({ code: 1 });
	kiosk.edc.terminal.setMode('normal');
	await between();
	const settled = await kiosk.ctl('edc', 'settle', sale, '--outcome', 'not-charged', '--by', 'Sari', '--why', 'slip');
	expect(settled).toMatchObject({ code: 0 });
}

test.each([false, true])(
	'a sale that staff settled as returned does not count as a payment elsewhere (look-up before that: %s)',
	{ timeout: 60_000 },
	async (isLookedUp) => {
		const one = await paidInPart();
		await voidsWithoutAnswer(saleOf(one.invoice), () => (isLookedUp ? lookUp(one.hp) : Promise.resolve()));
		await staysDue(one);
	},
);

test('a payment that replaced a voided sale before staff settled the void counts', { timeout: 60_000 }, async () => {
	const one = await paidInPart();
	await voidsWithoutAnswer(saleOf(one.invoice), async () => {
		one.invoice.list_pembayaran = [];
		await lookUp(one.hp);
		one.invoice.list_pembayaran = [listed(SALE)];
		await lookUp(one.hp);
	});
	expect(await due(one)).toBe(TOTAL - SALE);
});

test('"paid" that comes after a sale was settled as returned is a dispute', { timeout: 60_000 }, async () => {
	const one = customer(SALE);
	await newScreen();
	await lookUp(one.hp);
	await payByCard(one.invoice, SALE);
	await approvalsTold();
	// The back office books late.
	await lookUp(one.hp);
	await voidsWithoutAnswer(saleOf(one.invoice));
	Object.assign(one.invoice, { is_paid: true, list_pembayaran: [] });
	await isDisputed(one);
});

test('"paid" under another number is a dispute while that "paid" may be due to a voided sale', async () => {
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

test('a voided sale does not count as a payment elsewhere under another number, even if the answer has no odoo_id', async () => {
	const one = await paidInPart();
	await voids(saleOf(one.invoice));
	renumber(one).odoo_id = null;
	expect(await due(one)).toBe(TOTAL);
});

test('a payment of the same amount for another invoice with the same id counts', async () => {
	const one = await paidInPart();
	await voids(saleOf(one.invoice));
	Object.assign(one.invoice, { noinvoice: `${one.invoice.noinvoice}-B`, odoo_id: 'SO-other' });
	expect(await due(one)).toBe(TOTAL - SALE);
});

test.each(['before', 'after'])(
	'notes given back %s the invoice got another number do not count as a payment elsewhere',
	{ timeout: 60_000 },
	async (when) => {
		const one = customer(TOTAL);
		await newScreen();
		await lookUp(one.hp);
		await open(one.hp, one.invoice);
		await pay(50_000, 50_000);
		await close(one.invoice);
		await told();
		await kiosk.pass(LISTED_BY_NOW_MS);
		one.invoice.list_pembayaran = [listed(SALE)];
		await lookUp(one.hp);
		const old = one.invoice.noinvoice;
		const giveBack = async () => {
			const found = (await staffCases(kiosk)).find(({ noinvoice }) => noinvoice === old) ?? expect.fail(`${old} is not listed`);
			expect((await decideCase(kiosk, found, 'given')).status).toBe(200);
		};
		if (when === 'before') await giveBack();
		renumber(one);
		if (when === 'after') {
			expect(await due(one)).toBe(TOTAL - SALE);
			await giveBack();
		}
		await staysDue(one);
	},
);

/** A customer inserts notes and leaves. */
async function inserts(one: Case, ...nominals: number[]): Promise<void> {
	await newScreen();
	await lookUp(one.hp);
	await open(one.hp, one.invoice);
	await pay(...nominals);
	await close(one.invoice);
}

async function inserted(...nominals: number[]): Promise<Case> {
	const one = customer(TOTAL);
	await inserts(one, ...nominals);
	return one;
}

/**
 * Waits until the back office has confirmed all notes, and long enough for its list to have them.
 */
async function booked(): Promise<void> {
	await told();
	await kiosk.pass(LISTED_BY_NOW_MS);
}

const parked = ({ invoice }: Case) =>
	until(async () => {
		await kiosk.pass(60_000);
		expect(of('outbox.parked', invoice)).toHaveLength(1);
	}, 30_000);

const givesBack = async ({ invoice }: Case, amount = '50.000') =>
	expect(await kiosk.ctl('cash', 'give-back', invoice.noinvoice, '--amount', amount, ...WHO)).toMatchObject({ code: 0 });

test('a note that staff booked by hand and gave back is not a payment elsewhere under another number', { timeout: 60_000 }, async () => {
	office.onNote = () => ({ status: 422 });
	const one = await inserted(50_000);
	await parked(one);
	const note = /(\d{5}-\d{5}) {2}Rp 50\.000 /.exec((await kiosk.ctl('cash', 'parked')).out)?.[1] ?? '';
	expect(await kiosk.ctl('cash', 'book', note, ...WHO)).toMatchObject({ code: 0 });
	one.invoice.list_pembayaran = [listed(50_000)];
	await lookUp(one.hp);
	await givesBack(one);
	renumber(one);
	expect(await due(one)).toBe(TOTAL);
});

test('a note given back soon after its report does not count as a payment elsewhere under another number', async () => {
	const one = await inserted(50_000);
	await told();
	one.invoice.list_pembayaran = [listed(50_000)];
	await givesBack(one);
	renumber(one);
	expect(await due(one)).toBe(TOTAL);
});

test('a refused note that was booked all the same and given back does not count as a payment elsewhere', { timeout: 60_000 }, async () => {
	office.onNote = () => ({ status: 422 });
	const one = await inserted(50_000);
	one.invoice.list_pembayaran = [listed(50_000)];
	await parked(one);
	await lookUp(one.hp);
	await givesBack(one);
	renumber(one);
	expect(await due(one)).toBe(TOTAL);
});

test('after a refused note was given back, the confirmed note still counts when the invoice gets another number', {
	timeout: 60_000,
}, async () => {
	const one = await inserted(50_000);
	await booked();
	one.invoice.list_pembayaran = [listed(50_000)];
	office.onNote = () => ({ status: 422 });
	await inserts(one, 20_000);
	await parked(one);
	await lookUp(one.hp);
	await givesBack(one, '20.000');
	renumber(one);
	expect(await due(one)).toBe(TOTAL - 50_000);
});

test('money given back that the cashier has removed from the list is not deducted a second time', { timeout: 60_000 }, async () => {
	const one = await inserted(100_000, 100_000);
	await booked();
	one.invoice.list_pembayaran = [listed(100_000), listed(100_000)];
	await lookUp(one.hp);
	await givesBack(one);
	Object.assign(one.invoice, { total: 200_000, list_pembayaran: [listed(100_000), listed(50_000)] });
	expect(await due(one)).toBe(50_000);
	renumber(one);
	expect(await due(one)).toBe(50_000);
});

test('a voided sale does not count as a payment elsewhere when a listed sum of notes grows', { timeout: 60_000 }, async () => {
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

test('a payment at the cashier counts after the cashier has removed the money that was given back', async () => {
	const one = await inserted(50_000);
	await booked();
	one.invoice.list_pembayaran = [listed(50_000)];
	await lookUp(one.hp);
	await givesBack(one);
	expect(await due(one)).toBe(TOTAL);
	one.invoice.list_pembayaran = [];
	expect(await due(one)).toBe(TOTAL);
	one.invoice.list_pembayaran = [listed(50_000)];
	expect(await due(one)).toBe(TOTAL - 50_000);
});

test.each([false, true])('a list that lacks more than was given back shows no removal (invoice renumbered: %s)', async (isRenumbered) => {
	const one = await inserted(50_000, 50_000);
	await booked();
	one.invoice.list_pembayaran = [listed(100_000)];
	await lookUp(one.hp);
	await givesBack(one);
	one.invoice.list_pembayaran = [];
	await isDisputed(one);
	one.invoice.list_pembayaran = [listed(100_000)];
	if (isRenumbered) renumber(one);
	expect(await due(one)).toBe(SALE);
});

test.each([[], [listed(TOTAL)]])('a list that is shortened in a "paid" does not show that change was removed: %j', async (...cut) => {
	const one = await inserted(100_000, 100_000);
	await booked();
	one.invoice.list_pembayaran = [listed(200_000)];
	await lookUp(one.hp);
	await givesBack(one);
	Object.assign(one.invoice, { is_paid: true, list_pembayaran: cut });
	await lookUp(one.hp);
	Object.assign(one.invoice, { is_paid: false, total: 250_000, list_pembayaran: [listed(200_000)] });
	expect(await due(one)).toBe(SALE);
});

test('a voided sale does not count as a payment elsewhere when a sum of notes is listed late', { timeout: 60_000 }, async () => {
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

/**
 * Pays two notes of 50,000 and a card sale of 50,000, each listed in an entry of its own. Then the
 * sale is voided.
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

test('a voided sale does not count as a payment elsewhere when the notes become one sum with a new note', { timeout: 60_000 }, async () => {
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

test('a removed voided sale does not count as listed when the notes become a sum of all earlier entries', { timeout: 60_000 }, async () => {
	const one = await voidedBesideNotes();
	await inserts(one, 50_000);
	await booked();
	one.invoice.list_pembayaran = [listed(150_000)];
	expect(await due(one)).toBe(150_000);
	one.invoice.list_pembayaran = [listed(150_000), listed(50_000)];
	expect(await due(one)).toBe(100_000);
});

test('a voided sale does not count as a payment elsewhere when an equal sum of notes is listed in parts', { timeout: 60_000 }, async () => {
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
