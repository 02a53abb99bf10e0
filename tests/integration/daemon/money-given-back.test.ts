// @module-tag deep
import { expect, test } from 'vitest';
import { decideCase, staffCases } from '../../support/staff-cases.ts';
import { until } from '../../support/until.ts';
import { close, customer, kiosk, LISTED_BY_NOW_MS, listed, lookUp, newScreen, of, office, open, pay, told } from './lying-kiosk.ts';
import {
	aroundReturnedMoney,
	booked,
	type Case,
	due,
	inserted,
	inserts,
	isDisputed,
	renumber,
	SALE,
	staysDue,
	TOTAL,
	WHO,
} from './returned-case.ts';

// The back office still lists cash that staff have given back.

aroundReturnedMoney();

const parked = ({ invoice }: Case) =>
	until(async () => {
		await kiosk.pass(60_000);
		expect(of('outbox.parked', invoice)).toHaveLength(1);
	}, 30_000);

const givesBack = async ({ invoice }: Case, amount = '50.000') =>
	expect(await kiosk.ctl('cash', 'give-back', invoice.noinvoice, '--amount', amount, ...WHO)).toMatchObject({ code: 0 });

test.each(['before', 'after'])(
	'notes that are given back %s a change of the invoice number do not count as a payment elsewhere',
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

test('a note that staff booked by hand and then gave back is not deducted under another number of the invoice', {
	timeout: 60_000,
}, async () => {
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

test('a note that is given back soon after its upload is not deducted under another number of the invoice', async () => {
	const one = await inserted(50_000);
	await told();
	one.invoice.list_pembayaran = [listed(50_000)];
	await givesBack(one);
	renumber(one);
	expect(await due(one)).toBe(TOTAL);
});

test('if the back office refuses a note but books it, and staff give the note back, it is deducted under no number of the invoice', {
	timeout: 60_000,
}, async () => {
	office.onNote = () => ({ status: 422 });
	const one = await inserted(50_000);
	one.invoice.list_pembayaran = [listed(50_000)];
	await parked(one);
	await lookUp(one.hp);
	await givesBack(one);
	renumber(one);
	expect(await due(one)).toBe(TOTAL);
});

test('if staff give back a refused note and the invoice number changes, the earlier confirmed note is still deducted', {
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

test('after the cashier has removed given-back money from the list, the rest of the list is deducted in full', {
	timeout: 60_000,
}, async () => {
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

test('after the cashier has removed given-back money from the list, a new payment at the cashier is deducted', async () => {
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

test.each([false, true])(
	'if the list lacks more than staff gave back, the kiosk does not assume that the cashier removed given-back money (invoice renumbered: %s)',
	async (isRenumbered) => {
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
	},
);

test.each([[], [listed(TOTAL)]])(
	'if the list in an answer "paid" is shortened, the kiosk does not assume that the cashier removed given-back change: %j',
	async (...cut) => {
		const one = await inserted(100_000, 100_000);
		await booked();
		one.invoice.list_pembayaran = [listed(200_000)];
		await lookUp(one.hp);
		await givesBack(one);
		Object.assign(one.invoice, { is_paid: true, list_pembayaran: cut });
		await lookUp(one.hp);
		Object.assign(one.invoice, { is_paid: false, total: 250_000, list_pembayaran: [listed(200_000)] });
		expect(await due(one)).toBe(SALE);
	},
);
