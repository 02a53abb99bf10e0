// @module-tag deep
/**
 * Decisions about the money of one invoice arrive at the same moment, from two pages and from
 * kioskctl.
 */
import type { StaffCase } from '@kiosk/contract/staff-cases';
import { beforeAll, expect, test } from 'vitest';
import { tapCard } from '../../support/card.ts';
import { feedNote } from '../../support/feed-note.ts';
import { staffCall } from '../../support/staff-call.ts';
import { decideCase, staffCase } from '../../support/staff-cases.ts';
import { until } from '../../support/until.ts';
import { aroundLyingOffice, close, customer, kiosk, listed, lookUp, newScreen, of, pay, phases, sell, told } from './lying-kiosk.ts';

aroundLyingOffice();

const BY = { by: 'Sari', why: 'x' };
const WHO = ['--by', 'Sari', '--why', 'test', '--yes'];

beforeAll(async () => {
	await kiosk.staff();
	await kiosk.post('/kiosk/staff/names', { action: 'add', name: 'Sari', role: 'supervisor', by: null, code: null });
	await kiosk.post('/kiosk/staff/names', { action: 'add', name: 'Dewi', role: 'supervisor', by: 'Sari', code: null });
});

const ask = <T>(method: string, path: string, body: object | null = null) => staffCall<T>(kiosk, method, path, body);

/** @returns the invoice's amounts as kioskctl shows them before it asks for confirmation */
const shown = async (noinvoice: string) =>
	(
		await ask<{
			held: number;
			settled: boolean;
			balance: { state: string; twice: number; why: string };
			after_review: { due: number } | null;
		}>('GET', `/money/invoice/${encodeURIComponent(noinvoice)}`)
	).body;

const caseOf = (noinvoice: string) => staffCase(kiosk, noinvoice);
const decide = (one: StaffCase, decision: string, by = 'Sari') => decideCase(kiosk, one, decision, { by });
const givenBack = ({ noinvoice }: { noinvoice: string }) =>
	kiosk.daemon.events('cash.given_back').filter(({ invoice }) => invoice === noinvoice);

/** @returns an invoice of which the customer paid 50,000 before leaving */
async function partlyPaid() {
	const { hp, invoice } = customer(137_500);
	await kiosk.openCash(hp);
	await pay(50_000);
	await close(invoice);
	await told();
	return invoice;
}

/** @returns kioskctl's request to give the 50,000 back, with the amounts that kioskctl shows now */
async function giveBackAll(noinvoice: string) {
	const { held, settled } = await shown(noinvoice);
	return { action: 'give_back', invoice: noinvoice, amount: 50_000, held, settled, whole: true, ...BY };
}

test('if two pages and kioskctl give the same money back at the same moment, the money is given back only once', async () => {
	const invoice = await partlyPaid();
	const [one, wish] = [await caseOf(invoice.noinvoice), await giveBackAll(invoice.noinvoice)];
	const answers = await Promise.all([
		decide(one, 'given'),
		decide(one, 'given', 'Dewi'),
		ask('POST', '/money', wish),
		ask('POST', '/money', wish),
	]);
	expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
	expect(givenBack(invoice)).toHaveLength(1);
});

test('if staff record that the rest was paid elsewhere while kioskctl asks for confirmation, kioskctl does not give the money back', async () => {
	const invoice = await partlyPaid();
	const [one, wish] = [await caseOf(invoice.noinvoice), await giveBackAll(invoice.noinvoice)];
	expect(await decide(one, 'rest_elsewhere')).toMatchObject({ status: 200 });
	expect(await ask('POST', '/money', wish)).toMatchObject({ status: 409, body: { code: 'changed' } });
	expect(givenBack(invoice)).toEqual([]);
	// A new command shows the present amounts first, so it can still give the money back.
	expect(await shown(invoice.noinvoice)).toMatchObject({ held: 50_000, settled: true });
	expect(await kiosk.ctl('cash', 'give-back', invoice.noinvoice, '--all', ...WHO)).toMatchObject({ code: 0 });
});

test('if the whole invoice is paid elsewhere while kioskctl asks for confirmation, kioskctl settles nothing, and the invoice stays listed as paid twice', async () => {
	const { hp, invoice } = customer(137_500);
	await kiosk.openCash(hp);
	await pay(50_000);
	await close(invoice);
	await told();
	const { held, balance } = await shown(invoice.noinvoice);
	Object.assign(invoice, { is_paid: true, list_pembayaran: [listed(50_000), listed(137_500)] });
	await lookUp(hp);
	const { state, twice } = balance;
	const done = { action: 'partial', invoice: invoice.noinvoice, held, state, twice, ...BY };
	expect(await ask('POST', '/cash', done)).toMatchObject({ status: 409, body: { code: 'changed' } });
	expect(await caseOf(invoice.noinvoice)).toMatchObject({ kind: 'twice', amount: 50_000 });
	expect(await kiosk.ctl('cash', 'done', invoice.noinvoice, ...WHO)).toMatchObject({ code: 0 });
});

test('if another payment arrives while kioskctl asks for confirmation, kioskctl does not settle the double payment as given back elsewhere', async () => {
	const { hp, invoice } = customer(100_000);
	await kiosk.openCash(hp);
	await pay(100_000);
	await close(invoice);
	await told();
	Object.assign(invoice, { is_paid: true, list_pembayaran: [listed(100_000), listed(100_000)] });
	await lookUp(hp);
	const { held, balance } = await shown(invoice.noinvoice);
	const { state, twice } = balance;
	invoice.list_pembayaran = [listed(100_000), listed(100_000), listed(100_000)];
	await lookUp(hp);
	const done = { action: 'partial', invoice: invoice.noinvoice, held, state, twice, ...BY };
	expect(await ask('POST', '/cash', done)).toMatchObject({ status: 409, body: { code: 'changed' } });
	expect((await caseOf(invoice.noinvoice)).kind).toBe('twice');
	expect(await kiosk.ctl('cash', 'done', invoice.noinvoice, ...WHO)).toMatchObject({ code: 0 });
});

test('if the back office’s answer changes while kioskctl asks for confirmation, kioskctl does not end the dispute', async () => {
	const { hp, invoice } = customer(137_500);
	await kiosk.openCash(hp);
	await pay(50_000);
	await close(invoice);
	await told();
	Object.assign(invoice, { is_paid: true, list_pembayaran: [listed(50_000), listed(87_500)] });
	await lookUp(hp);
	invoice.is_paid = false;
	await lookUp(hp);
	const before = await shown(invoice.noinvoice);
	expect(before.after_review).toMatchObject({ due: 0 });
	invoice.list_pembayaran = [listed(50_000)];
	await lookUp(hp);
	const review = { action: 'review', invoice: invoice.noinvoice, due: before.after_review?.due, dispute: before.balance.why, ...BY };
	expect(await ask('POST', '/money', review)).toMatchObject({ status: 409, body: { code: 'changed' } });
	expect((await shown(invoice.noinvoice)).balance.state).toBe('dispute');
	expect(await kiosk.ctl('cash', 'review', invoice.noinvoice, ...WHO)).toMatchObject({ code: 0 });
});

test('if staff give the money of a card charge back in cash while kioskctl asks for confirmation, kioskctl does not void the charge', async () => {
	const { hp, invoice } = customer(100_000);
	await newScreen();
	await lookUp(hp);
	sell(invoice, 100_000);
	await until(() => expect(phases().at(-1)).toBe('unknown'), 30_000);
	const attempt = String(of('card.sent', invoice).at(-1)?.attempt_id);
	const settle = (outcome: string) => kiosk.ctl('edc', 'settle', attempt.slice(0, 8), '--outcome', outcome, ...WHO.slice(0, 4));
	expect(await settle('not-charged')).toMatchObject({ code: 0 });
	await kiosk.openCash(hp);
	await pay(100_000);
	await close(invoice);
	await tapCard(kiosk);
	await until(async () => expect((await kiosk.health()).card.unknown).toHaveLength(1));
	expect(await settle('charged')).toMatchObject({ code: 0 });
	const one = await caseOf(invoice.noinvoice);
	expect(one).toMatchObject({ kind: 'twice', amount: 100_000 });
	const sale = (await ask<{ held: number }>('GET', `/edc/sale/${attempt}`)).body;
	expect(await decide(one, 'given')).toMatchObject({ status: 200 });
	const wish = { action: 'void', attempt, held: sale.held, ...BY };
	expect(await ask('POST', '/edc', wish)).toMatchObject({ status: 409, body: { code: 'changed' } });
	expect(kiosk.edc.terminal.bank.transactions.map(({ voided }) => voided)).toEqual([false]);
	// A new command shows the present amounts first, so it can still void the charge.
	expect(await kiosk.ctl('edc', 'void', attempt.slice(0, 8), ...WHO)).toMatchObject({ code: 0 });
});

test('of two contradicting decisions about a note in doubt, an unknown sale or the acceptor’s lock, only one is accepted', async () => {
	const [paid, sold] = [customer(137_500), customer(100_000)];
	await kiosk.openCash(paid.hp);
	await feedNote(kiosk, 50_000, 'accepted');
	await kiosk.crashWhileStacking();
	await kiosk.afterDoubt();
	await newScreen();
	await lookUp(sold.hp);
	sell(sold.invoice, 100_000);
	await until(() => expect(phases().at(-1)).toBe('unknown'), 30_000);
	kiosk.acceptor.device.break('fish');
	await until(() => expect(kiosk.daemon.events('acceptor.locked')).toHaveLength(1));
	kiosk.acceptor.device.clear();

	const note = await caseOf(paid.invoice.noinvoice);
	expect(note).toMatchObject({ kind: 'note', amount: 50_000 });
	const settle = { action: 'settle', note: note.id, outcome: 'returned', nominal: null, ...BY };
	const notes = await Promise.all([decide(note, 'in_box'), decide(note, 'returned', 'Dewi'), ask('POST', '/cash', settle)]);
	expect(notes.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
	expect(kiosk.daemon.events('cash.note_settled')).toHaveLength(1);

	const sale = await caseOf(sold.invoice.noinvoice);
	const charged = { action: 'settle', attempt: sale.id, outcome: 'charged', ...BY };
	const sales = await Promise.all([
		decide(sale, 'not_charged'),
		decide(sale, 'charged', 'Dewi'),
		ask<{ code: string }>('POST', '/edc', charged),
	]);
	const isDone = ({ status, body }: (typeof sales)[number]) => status === 200 && (!('code' in body) || body.code === 'done');
	expect(sales.filter(isDone)).toHaveLength(1);
	expect((await kiosk.health()).card.unknown).toEqual([]);

	const lock = { kind: 'lock', id: 'acceptor', noinvoice: '', time: '', amount: null, heard: '' } as const;
	const locks = await Promise.all([decide(lock, 'unlocked'), decide(lock, 'unlocked', 'Dewi')]);
	expect(locks.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test('if the screen and kioskctl save a count of the cashbox at the same moment, one count is saved', async () => {
	await kiosk.staff();
	const { body } = await ask<{ expected: number; number: number }>('GET', '/cash/due');
	const { expected } = body;
	expect(expected).toBeGreaterThan(0);
	expect((await kiosk.post('/kiosk/staff/box/count', { by: 'Sari', notes: [] })).status).toBe(200);
	const saved = await Promise.all([
		kiosk.post('/kiosk/staff/box/save', { by: 'Sari', period: body.number, expected, counted: 0 }),
		ask('POST', '/cash', { action: 'collected', by: 'Dewi', expected, counted: expected, through: body.number }),
		kiosk.post('/kiosk/staff/box/save', { by: 'Dewi', period: body.number, expected, counted: 0 }),
	]);
	expect(saved.filter(({ status }) => status === 200)).toHaveLength(1);
	expect((await ask<{ expected: number }>('GET', '/cash/due')).body).toMatchObject({ expected: 0, number: body.number + 1 });
});
