/**
 * Another outlet logs in while messages of the previous outlet are unread, its calls are
 * unanswered, or its staff screens and other pages are open.
 */
import { beforeEach, expect, test } from 'vitest';
import { feedNote } from '../../support/feed-note.ts';
import type { Kiosk } from '../../support/kiosk.ts';
import { kioskForTest } from '../../support/kiosk-for-test.ts';
import { logInElsewhere } from '../../support/raw-page.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const PIN = '/payment/api/v1/login-pin-screen/';
/** Number of messages that is larger than what the live socket delivers in one read. */
const MANY = 600;

let kiosk: Kiosk;
beforeEach(async () => {
	kiosk = await kioskForTest();
});

/** Logs the other outlet in on a separate page. @returns the key of that page's session */
const otherOutlet = (): Promise<string> => logInAs(`${kiosk.backOffice.account.username}-2`);

/** @param username the outlet's user name at the back office from now on */
function logInAs(username: string): Promise<string> {
	kiosk.backOffice.account.username = username;
	return logInElsewhere(kiosk);
}

test('unread live messages of the previous outlet pay no invoice of the next outlet', async () => {
	const { id } = await kiosk.lookUp(BUDI);
	for (let count = 0; count < MANY; count += 1) kiosk.backOffice.live.say({ type: 'payment_notification', id, is_paid: true });
	await otherOutlet();
	expect(await kiosk.lookUp(BUDI)).toMatchObject({ id, is_paid: false });
});

/**
 * Makes a call and holds back the back office's answer until another outlet has logged in.
 * @returns the result of `ask`, which makes the call
 */
async function answeredTooLate<T>(path: string, call: string, ask: () => Promise<T>): Promise<T> {
	const held = Promise.withResolvers<void>();
	kiosk.backOffice.change(path, async (answer) => {
		await held.promise;
		return answer;
	});
	const asked = ask();
	await until(() => expect(kiosk.backOffice.asked.at(-1)?.call).toBe(call));
	await otherOutlet();
	held.resolve();
	return asked;
}

const cases = async () => (await fetch(`${kiosk.daemon.url}/kiosk/staff/cases`, { headers: kiosk.session() })).status;

test('a log-in of another outlet closes staff screens that the previous outlet’s PIN opened', async () => {
	await kiosk.staff();
	expect(await cases()).toBe(200);
	await otherOutlet();
	expect(await cases()).toBe(403);
});

test('the previous outlet’s PIN opens no staff screens of the next outlet, even offline', async () => {
	await answeredTooLate(PIN, 'pin', () => kiosk.call(PIN, { pin: kiosk.backOffice.account.pin }));
	expect(await cases()).toBe(403);
	await kiosk.backOffice.setNetwork({ up: false });
	expect((await kiosk.call(PIN, { pin: kiosk.backOffice.account.pin })).status).toBe(502);
});

test('a page cannot open the acceptor if the id of its invoice now belongs to another invoice', async () => {
	const shown = await kiosk.lookUp(BUDI);
	const { books } = kiosk.backOffice;
	Object.assign(books.find(BUDI) ?? {}, { noinvoice: 'INV/OTHER' });
	await kiosk.lookUp(BUDI);
	const open = (invoice: object) => kiosk.call('/payment/api/v1/open-machine/', { ...invoice, hp: BUDI });
	expect(await open(shown)).toMatchObject({ status: 409, body: { code: 'no_invoice' } });
	expect(await open(await kiosk.lookUp(BUDI))).toMatchObject({ status: 200 });
});

test('a staff list that arrives after another outlet has logged in is refused', async () => {
	const LIST = '/payment/api/v1/payment-group/';
	await kiosk.staff();
	const ask = () => fetch(`${kiosk.daemon.url}${LIST}?offset=0&limit=10`, { headers: kiosk.session() });
	expect((await answeredTooLate(LIST, 'payment_group', ask)).status).toBe(401);
});

test('a confirmed "paid" is not sent to a page that shows another invoice with the same id', async () => {
	const { books, live } = kiosk.backOffice;
	const budi = books.find(BUDI);
	if (!budi) throw new Error('no such invoice');
	const { id, total } = budi;
	// The invoice was already "paid" with a smaller total. Therefore the kiosk confirms the next
	// "paid" by a look-up.
	Object.assign(budi, { total: total - 10_000, is_paid: true });
	await kiosk.lookUp(BUDI);
	Object.assign(budi, { total, is_paid: false });
	await kiosk.lookUp(BUDI);
	const screen = await kiosk.screen();
	live.say({ type: 'payment_notification', id, is_paid: true });
	budi.is_paid = true;
	books.invoices.push({ ...budi, noinvoice: 'INV/OTHER', list_invoice: [], is_paid: false });
	const asked = kiosk.backOffice.asked.length;
	expect(await kiosk.lookUp(BUDI)).toMatchObject({ id, noinvoice: 'INV/OTHER', is_paid: false });
	await until(() => expect(kiosk.backOffice.asked.slice(asked).map(({ fields }) => fields.noinvoice)).toContain(budi.noinvoice));
	await kiosk.lookUp(BUDI);
	expect(screen.of('payment_notification')).toEqual([]);
});

test('after a log-in with another spelling of the user name, the waiting note is sent and the PIN stays valid', {
	tags: 'deep',
}, async () => {
	const { backOffice } = kiosk;
	await kiosk.openCash(BUDI);
	backOffice.change('payment-cash', (answer) => ({ ...answer, status: 503 }));
	await feedNote(kiosk, 50_000);
	await until(async () => expect((await kiosk.health()).outbox.count).toBe(1));
	await kiosk.staff();
	await logInAs(backOffice.account.username.toUpperCase());
	expect(await cases()).toBe(200);
	backOffice.change('payment-cash', null);
	await until(() => expect(backOffice.books.find(BUDI)?.list_pembayaran).toMatchObject([{ nominal: 50_000 }]));
	await until(async () => expect((await kiosk.health()).outbox.count).toBe(0));
});

test('a note in doubt is still shown after a log-in with another spelling of the user name', async () => {
	await kiosk.openCash(BUDI);
	kiosk.acceptor.device.insert({ nominal: 50_000 });
	await kiosk.crashWhileStacking();
	const doubts = async () => (await kiosk.lookUp(BUDI)).kiosk_doubts;
	expect(await doubts()).toMatchObject([{ nominal: 50_000 }]);
	await fetch(`${kiosk.daemon.url}/kiosk/logout`, { method: 'POST', headers: kiosk.session() });
	kiosk.backOffice.account.username = kiosk.backOffice.account.username.toUpperCase();
	await kiosk.login();
	expect(await doubts()).toMatchObject([{ nominal: 50_000 }]);
});
