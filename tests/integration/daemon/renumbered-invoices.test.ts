// @module-tag deep
/**
 * The back office changes the number of an invoice for which the kiosk has already taken money.
 */
import { beforeAll, expect, test } from 'vitest';
import type { SentNote, ToldInvoice } from '../../simulators/back-office/lying-office.ts';
import { decideCase, staffCases } from '../../support/staff-cases.ts';
import { until } from '../../support/until.ts';
import {
	approvalsTold,
	aroundLyingOffice,
	close,
	customer,
	kiosk,
	listed,
	lookUp,
	newScreen,
	office,
	open as openCash,
	pay,
	payByCard,
	phases,
	print,
	saleOf,
	sell,
	tap,
	told,
} from './lying-kiosk.ts';

aroundLyingOffice();

const WHO = ['--by', 'Sari', '--why', 'test', '--yes'];

beforeAll(async () => {
	await kiosk.staff();
	await kiosk.post('/kiosk/staff/names', { action: 'add', name: 'Sari', role: 'supervisor', by: null, code: null });
});

const open = async () => (await staffCases(kiosk)).map(({ kind, noinvoice, amount }) => ({ kind, noinvoice, amount }));
const give = async (noinvoice: string) => {
	const one = (await staffCases(kiosk)).find((found) => found.noinvoice === noinvoice);
	return one && (await decideCase(kiosk, one, 'given')).status;
};
const disputes = async () => (await kiosk.health()).parts.filter(({ part }) => part === 'dispute').map(({ text }) => text);

/**
 * Makes the server book each note on the invoice with the note's invoice id, whatever invoice
 * number the note names.
 */
const book =
	(invoice: ToldInvoice & { list_pembayaran: { nominal: number }[] }) =>
	({ note_id, nominal }: SentNote) => {
		const list = [...invoice.list_pembayaran, listed(nominal, note_id) as { nominal: number }];
		const sum = list.reduce((all, one) => all + one.nominal, 0);
		Object.assign(invoice, { list_pembayaran: list, is_paid: sum >= Number(invoice.total) });
		return { status: 200 };
	};

/**
 * A note of 50,000 waits for the back office while the number of its invoice changes. This puts the
 * invoice in dispute. After a technician's review the customer pays the whole total under the new
 * number. Then all notes are uploaded.
 */
async function paidUnderTwoNumbers(): Promise<{ old: string; one: ReturnType<typeof customer> }> {
	const one = customer(137_500);
	const { hp, invoice } = one;
	office.onNote = () => ({ status: 503 });
	await kiosk.openCash(hp);
	await pay(50_000);
	await close(invoice);
	const old = invoice.noinvoice;
	invoice.noinvoice = `${old}-B`;
	await lookUp(hp);
	expect(await disputes()).toEqual([expect.stringContaining(invoice.noinvoice)]);
	expect(await kiosk.ctl('cash', 'review', invoice.noinvoice, ...WHO)).toMatchObject({ code: 0 });
	await kiosk.openCash(hp);
	expect((await kiosk.health()).parts).toContainEqual(
		expect.objectContaining({ part: 'partial cash', text: expect.stringContaining(old) }),
	);
	await pay(100_000, 50_000);
	await close(invoice);
	office.onNote = book(invoice as Parameters<typeof book>[0]);
	// After several refusals the kiosk waits up to 75 s before it sends the notes again.
	await until(async () => expect((await kiosk.health()).outbox.count).toBe(0), 100_000);
	await lookUp(hp);
	expect(await open()).toEqual([
		{ kind: 'partial', noinvoice: old, amount: 50_000 },
		{ kind: 'twice', noinvoice: invoice.noinvoice, amount: 62_500 },
	]);
	return { old, one };
}

test('after staff give back a note that counts for both numbers of an invoice, only the change is left to give', {
	timeout: 180_000,
}, async () => {
	const { old, one } = await paidUnderTwoNumbers();
	expect(await give(old)).toBe(200);
	expect(await open()).toEqual([{ kind: 'change', noinvoice: one.invoice.noinvoice, amount: 12_500 }]);
	expect(await give(one.invoice.noinvoice)).toBe(200);
	expect(await open()).toEqual([]);
	expect(await disputes()).toEqual([]);
	expect((await print(one.invoice)).status).toBe(202);
});

test('if staff give a note back under both numbers of its invoice, the invoice is in dispute and gets no receipt', {
	timeout: 180_000,
}, async () => {
	const { old, one } = await paidUnderTwoNumbers();
	expect(await give(one.invoice.noinvoice)).toBe(200);
	expect(await disputes()).toEqual([]);
	expect(await give(old)).toBe(200);
	expect(await disputes()).toEqual([expect.stringContaining('counts Rp 112500 that was given back')]);
	await lookUp(one.hp);
	expect((await print(one.invoice)).status).toBe(409);
});

test('after an invoice is renumbered, staff cannot give back its earlier money while the terminal takes the remaining amount', async () => {
	const { hp, invoice } = customer(137_500);
	const old = invoice.noinvoice;
	await newScreen();
	await kiosk.openCash(hp);
	await pay(50_000);
	await close(invoice);
	await told();
	Object.assign(invoice, { noinvoice: `${old}-B`, list_pembayaran: [listed(50_000, office.notes.at(-1)?.note_id)] });
	await lookUp(hp);
	sell(invoice, 87_500);
	await until(() => expect(kiosk.edc.terminal.waiting).not.toBeNull());
	expect(await give(old)).toBe(409);
	await tap();
	await until(() => expect(phases().at(-1)).toBe('approved'));
});

test('after an invoice is renumbered, staff cannot give back its earlier money while the customer pays the remaining amount in cash', async () => {
	const { hp, invoice } = customer(100_000);
	const old = invoice.noinvoice;
	await kiosk.openCash(hp);
	await pay(50_000);
	await close(invoice);
	await told();
	Object.assign(invoice, { noinvoice: `${old}-B`, list_pembayaran: [listed(50_000, office.notes.at(-1)?.note_id)] });
	await kiosk.openCash(hp);
	expect(await give(old)).toBe(409);
	const busy = { code: 1, out: expect.stringContaining('a customer is paying this invoice') };
	expect(await kiosk.ctl('cash', 'give-back', old, '--all', ...WHO)).toMatchObject(busy);
	expect(await kiosk.ctl('cash', 'done', old, ...WHO)).toMatchObject(busy);
	await pay(50_000);
	expect((await close(invoice)).body).toMatchObject({ received: 100_000, is_paid: true });
});

test('after an invoice is renumbered, staff cannot void its earlier sale while the customer pays the remaining amount in cash', async () => {
	const { hp, invoice } = customer(100_000);
	await newScreen();
	await lookUp(hp);
	await payByCard(invoice, 100_000);
	await approvalsTold();
	const sale = saleOf(invoice);
	Object.assign(invoice, { noinvoice: `${invoice.noinvoice}-B`, total: 150_000, list_pembayaran: [listed(100_000)] });
	office.onNote = book(invoice as Parameters<typeof book>[0]);
	await kiosk.openCash(hp);
	const refused = { code: 1, out: expect.stringContaining('a customer is paying this invoice') };
	expect(await kiosk.ctl('edc', 'void', sale, ...WHO)).toMatchObject(refused);
	await pay(50_000);
	await until(async () => expect((await print(invoice)).status).toBe(202));
	expect(kiosk.edc.terminal.bank.transactions.at(-1)).toMatchObject({ voided: false });
});

test('after an invoice is renumbered, earlier money that staff give back or void is due again, although the server still lists it', async () => {
	const [paid, sold] = [customer(100_000), customer(100_000)];
	await kiosk.openCash(paid.hp);
	await pay(50_000);
	await close(paid.invoice);
	await told();
	await newScreen();
	await lookUp(sold.hp);
	await payByCard(sold.invoice, 100_000);
	await approvalsTold();
	const sale = saleOf(sold.invoice);
	const old = paid.invoice.noinvoice;
	Object.assign(paid.invoice, { noinvoice: `${old}-B`, list_pembayaran: [listed(50_000)] });
	Object.assign(sold.invoice, { noinvoice: `${sold.invoice.noinvoice}-B`, total: 150_000, list_pembayaran: [listed(100_000)] });
	for (const { hp } of [paid, sold]) await lookUp(hp);
	expect(await kiosk.ctl('cash', 'give-back', old, '--all', ...WHO)).toMatchObject({ code: 0 });
	expect(await kiosk.ctl('edc', 'void', sale, ...WHO)).toMatchObject({ code: 0 });
	for (const { hp } of [paid, sold]) expect(await lookUp(hp)).toMatchObject({ status: 200, body: { results: { list_pembayaran: [] } } });
});

test.each(['with', 'without'])(
	'while a card sale is unknown, its invoice takes no money under another number (%s odoo_id)',
	async (how) => {
		const { hp, invoice } = customer(100_000);
		await newScreen();
		await lookUp(hp);
		kiosk.edc.terminal.setMode('silent_after_ack');
		sell(invoice, 100_000);
		await tap();
		await until(() => expect(phases().at(-1)).toBe('unknown'), 30_000);
		const sale = saleOf(invoice);
		kiosk.edc.terminal.setMode('normal');
		invoice.noinvoice += '-B';
		if (how === 'without') invoice.odoo_id = null;
		await lookUp(hp);
		expect(await openCash(hp, invoice)).toMatchObject({ status: 409, body: { code: 'paid_by_card' } });
		const code = await kiosk.call('/payment/api/v1/payment/', { payment_id: invoice.id });
		expect(code).toMatchObject({ status: 409, body: { code: 'paid_by_card' } });
		// An invoice with the same id but another odoo_id is another invoice.
		Object.assign(invoice, { noinvoice: `${invoice.noinvoice}-C`, odoo_id: 'SO-other' });
		await lookUp(hp);
		expect((await openCash(hp, invoice)).status).toBe(200);
		await close(invoice);
		expect(await kiosk.ctl('edc', 'settle', sale, '--outcome', 'not-charged', '--by', 'Sari', '--why', 'no slip')).toMatchObject({
			code: 0,
		});
	},
);
