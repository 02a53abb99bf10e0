// @module-tag deep
/**
 * An outlet has open money of several kinds. Another outlet logs in and takes payments, then the
 * first outlet logs in again.
 */
import type { StaffCase, StaffCases } from '@kiosk/contract/staff-cases';
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import {
	aroundLyingOffice,
	close,
	customer,
	kiosk,
	lookUp,
	newScreen,
	of,
	office,
	openScreen,
	pay,
	phases,
	sell,
	told,
} from './lying-kiosk.ts';

aroundLyingOffice();

const LOGIN = '/auth/login-outlet/';

async function cases(): Promise<StaffCase[]> {
	await kiosk.staff();
	const answer = await fetch(`${kiosk.daemon.url}/kiosk/staff/cases`, { headers: kiosk.session() });
	return ((await answer.json()) as StaffCases).cases;
}

/**
 * Logs out, then logs in as this outlet.
 * @param waits whether money of another outlet waits for the back office. The first log-in then
 * gets a warning, which a second log-in must confirm
 */
async function changeOutlet(username: string, waits: boolean): Promise<void> {
	await kiosk.staff();
	expect((await kiosk.post('/kiosk/logout', {})).status).toBe(204);
	kiosk.backOffice.account.username = username;
	if (waits) expect(await kiosk.call(LOGIN, kiosk.backOffice.account)).toMatchObject({ status: 409, body: { code: 'money_waits' } });
	await kiosk.login();
	await openScreen();
}
const sentTo = (outlet: string) => office.notes.filter(({ authorization }) => authorization === `Token token-of-${outlet}`);
const textOf = async (part: string) => (await kiosk.health()).parts.find((one) => one.part === part)?.text;

test('owed change, a parked note, a waiting note and an unknown sale stay with their outlet', { timeout: 180_000 }, async () => {
	await kiosk.staff();
	await kiosk.post('/kiosk/staff/names', { action: 'add', name: 'Sari', role: 'supervisor', by: null, code: null });
	const [parked, over, waiting, sold] = [customer(137_500), customer(137_500), customer(137_500), customer(100_000)];

	await kiosk.openCash(over.hp);
	await pay(100_000, 50_000);
	await close(over.invoice);
	await told();
	office.onNote = () => ({ status: 422 });
	await kiosk.openCash(parked.hp);
	await pay(50_000);
	await close(parked.invoice);
	await until(() => expect(kiosk.daemon.events('outbox.parked')).toHaveLength(1), 60_000);
	office.onNote = () => ({ status: 503 });
	await kiosk.openCash(waiting.hp);
	await pay(20_000);
	await close(waiting.invoice);
	await newScreen();
	await lookUp(sold.hp);
	sell(sold.invoice, 100_000);
	await until(() => expect(phases().at(-1)).toBe('unknown'), 30_000);
	const attempt = String(of('card.sent', sold.invoice).at(-1)?.attempt_id);
	const left = (await cases()).map(({ kind, amount }) => [kind, amount]);
	expect(left).toEqual([
		['sale', 100_000],
		['change', 12_500],
		['partial', 50_000],
		['partial', 20_000],
		['parked', 50_000],
	]);

	await changeOutlet('second', true);
	expect((await cases()).map(({ kind, amount }) => [kind, amount])).toEqual(left);
	office.onNote = () => ({ status: 200 });
	// The second outlet has invoices with the same ids and numbers.
	for (const { hp } of [parked, over, waiting, sold])
		expect(await lookUp(hp)).toMatchObject({ body: { results: { is_paid: false, list_pembayaran: [] } } });
	await kiosk.openCash(waiting.hp);
	await pay(10_000);
	await close(waiting.invoice);
	await until(() => expect(sentTo('second')).toMatchObject([{ nominal: 10_000 }]));
	expect(await textOf('outbox')).toContain('1 of them, Rp 20000, for another account');
	const settled = await kiosk.ctl('edc', 'settle', attempt.slice(0, 8), '--outcome', 'charged', '--by', 'Sari', '--why', 'slip');
	expect(settled).toMatchObject({ code: 0 });
	expect(await textOf('approvals')).toContain('1 of them, Rp 100000, for another account');
	expect(await lookUp(sold.hp)).toMatchObject({ body: { results: { is_paid: false, list_pembayaran: [] } } });
	const { kind, id, amount } = (await cases()).find((one) => one.kind === 'change') ?? {};
	const given = { kind, id, amount, decision: 'given', nominal: null, by: 'Sari', second: null };
	expect(await kiosk.post('/kiosk/staff/cases', given)).toMatchObject({ status: 200 });
	expect(await kiosk.post('/kiosk/staff/cases', given)).toMatchObject({ status: 409 });
	expect([office.approvals, sentTo('second').length]).toEqual([[], 1]);

	await changeOutlet('outlet', false);
	await until(() => expect(office.approvals).toMatchObject([{ no_invoice: sold.invoice.noinvoice, access_token: 'token-of-outlet' }]));
	await until(async () => expect((await kiosk.health()).outbox.count).toBe(0));
	expect(sentTo('outlet').at(-1)).toMatchObject({ noinvoice: waiting.invoice.noinvoice, nominal: 20_000 });
	expect(sentTo('second')).toHaveLength(1);
	expect((await cases()).map((one) => [one.kind, one.amount]).sort()).toEqual([
		['parked', 50_000],
		['partial', 10_000],
		['partial', 20_000],
		['partial', 50_000],
	]);
});
