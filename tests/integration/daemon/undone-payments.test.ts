// @module-tag deep
import { expect, test } from 'vitest';
import { sumOf } from '../../simulators/back-office/invoice.ts';
import { tapCard } from '../../support/card.ts';
import { until } from '../../support/until.ts';
import {
	approvalsTold,
	aroundLyingOffice,
	close,
	customer,
	kiosk,
	listed,
	lookUp,
	lookUps,
	newScreen,
	office,
	open,
	pay,
	payByCard,
	phases,
	print,
	saleOf,
	sell,
	told,
} from './lying-kiosk.ts';

// Staff void card sales, a note is confirmed late, and another account logs in before an approval
// is reported.

aroundLyingOffice();

const TOTAL = 137_500;
const WHO = ['--by', 'Sari', '--why', 'test', '--yes'];
const sumListed = (entries: unknown): number => sumOf(entries as { nominal: number }[]);
type Case = ReturnType<typeof customer>;

/**
 * Pays an invoice by card and waits until the back office has the approval.
 * @param list whether the back office lists payments
 */
async function paidByCard(list: boolean): Promise<Case> {
	const one = customer(TOTAL);
	await lookUp(one.hp);
	await payByCard(one.invoice, TOTAL);
	await approvalsTold();
	Object.assign(one.invoice, { is_paid: true, list_pembayaran: list ? [listed(TOTAL)] : [] });
	await lookUp(one.hp);
	return one;
}

test.each([true, false])('after a void no receipt is printed while the back office still says paid (payment list: %s)', async (list) => {
	const one = await paidByCard(list);
	expect(await kiosk.ctl('edc', 'void', saleOf(one.invoice), ...WHO)).toMatchObject({ code: 0 });
	expect((await print(one.invoice)).status).toBe(409);
	expect(await lookUp(one.hp)).toMatchObject({ status: 409, body: { code: 'dispute' } });
	const code = await kiosk.call('/payment/api/v1/payment/', { payment_id: one.invoice.id });
	expect(code).toMatchObject({ status: 409, body: { code: 'dispute' } });
	expect((await kiosk.health()).parts).toContainEqual(expect.objectContaining({ part: 'dispute', state: 'warn' }));

	Object.assign(one.invoice, { is_paid: false, list_pembayaran: [] });
	expect(await lookUp(one.hp)).toMatchObject({ status: 200, body: { results: { is_paid: false } } });
	Object.assign(one.invoice, { is_paid: true, list_pembayaran: list ? [listed(TOTAL)] : [] });
	expect(await lookUp(one.hp)).toMatchObject({ status: 200, body: { results: { is_paid: true } } });
	expect((await print(one.invoice)).status).toBe(202);
});

test('if an invoice has grown and the back office still lists a voided sale, the sale is not deducted', async () => {
	const one = await paidByCard(true);
	Object.assign(one.invoice, { is_paid: false, total: 200_000 });
	await lookUp(one.hp);
	const due = async () => {
		await lookUp(one.hp);
		const { body } = await open(one.hp, one.invoice);
		await close(one.invoice);
		return 200_000 - sumListed(body.entries);
	};
	expect(await due()).toBe(62_500);
	expect(await kiosk.ctl('edc', 'void', saleOf(one.invoice), ...WHO)).toMatchObject({ code: 0 });
	expect(await due()).toBe(200_000);
	await kiosk.crash();
	await kiosk.login();
	await newScreen();
	expect(await due()).toBe(200_000);
	// After the server has removed the entry of the voided sale, a later payment of the same amount
	// reduces the amount due.
	one.invoice.list_pembayaran = [];
	expect(await due()).toBe(200_000);
	one.invoice.list_pembayaran = [listed(TOTAL)];
	expect(await due()).toBe(62_500);
});

test('if the terminal does not answer a void, no receipt is printed until staff settle the sale', async () => {
	const one = await paidByCard(true);
	kiosk.edc.terminal.setMode('silent_after_ack');
	const voided = await kiosk.ctl('edc', 'void', saleOf(one.invoice), ...WHO);
	kiosk.edc.terminal.setMode('normal');
	expect(voided.code).not.toBe(0);
	expect((await print(one.invoice)).status).toBe(409);
	expect((await lookUp(one.hp)).status).toBe(409);
	await kiosk.ctl('edc', 'settle', saleOf(one.invoice), '--outcome', 'charged', '--by', 'Sari', '--why', 'slip');
	expect(await lookUp(one.hp)).toMatchObject({ status: 200, body: { results: { is_paid: true } } });
});

test('an invoice that is paid elsewhere and by card stays paid after the card sale is voided', async () => {
	const one = customer(TOTAL);
	await lookUp(one.hp);
	sell(one.invoice, TOTAL);
	await until(() => expect(kiosk.edc.terminal.waiting).not.toBeNull());
	Object.assign(one.invoice, { is_paid: true, list_pembayaran: [listed(TOTAL)] });
	office.say({ type: 'payment_notification', id: one.invoice.id });
	await kiosk.edc.terminal.tap({ respCode: '00' });
	await until(() => expect(phases().at(-1)).toBe('approved'));
	await until(async () => expect((await kiosk.health()).card.twice).toHaveLength(1));
	expect(await kiosk.ctl('edc', 'void', saleOf(one.invoice), ...WHO)).toMatchObject({ code: 0 });
	expect(await lookUp(one.hp)).toMatchObject({ status: 200, body: { results: { is_paid: true } } });
	expect((await print(one.invoice)).status).toBe(202);
});

test('if the back office confirms a note after a payment elsewhere, the invoice is reported as paid twice', {
	timeout: 120_000,
}, async () => {
	const { hp, invoice } = customer(TOTAL);
	office.onNote = () => ({ status: 503 });
	await lookUp(hp);
	await open(hp, invoice);
	await pay(50_000);
	await close(invoice);
	Object.assign(invoice, { is_paid: true, list_pembayaran: [listed(TOTAL)] });
	office.say({ type: 'payment_notification', id: invoice.id });
	const before = lookUps();
	await until(() => expect(lookUps()).toBeGreaterThan(before));
	office.onNote = () => {
		invoice.list_pembayaran = [listed(TOTAL), listed(50_000)];
		return { status: 200 };
	};
	await told();
	const twice = expect.objectContaining({ noinvoice: invoice.noinvoice, state: 'paid_twice', received: TOTAL + 50_000, twice: 50_000 });
	await until(async () => expect(await kiosk.health()).toHaveProperty('attention', [twice]), 90_000);
});

test('an unreported approval blocks the log-in of another account', async () => {
	const { hp, invoice } = customer(TOTAL);
	await lookUp(hp);
	const login = (username: string) => kiosk.call('/auth/login-outlet/', { username, password: 'x' });
	// The first log-in comes while the sale still waits for the card.
	sell(invoice, TOTAL);
	await until(() => expect(kiosk.edc.terminal.waiting).not.toBeNull());
	expect((await login('second')).status).toBe(200);
	await tapCard(kiosk);
	await until(async () => expect((await kiosk.health()).card.approvals_waiting).toBe(1));
	expect(await login('third')).toMatchObject({ status: 409, body: { code: 'money_waits', message: expect.stringContaining('137.500') } });
	expect(office.approvals.filter(({ no_invoice }) => no_invoice === invoice.noinvoice)).toEqual([]);
	expect((await login('outlet')).status).toBe(200);
	await until(() => expect(office.approvals.filter(({ no_invoice }) => no_invoice === invoice.noinvoice)).toHaveLength(1));
});
