/** The acceptor takes notes only for the screen that shows the cash page of the invoice. */
import { afterEach, expect, test } from 'vitest';
import { feedNote } from '../../support/feed-note.ts';
import { type Kiosk, partText, startKiosk } from '../../support/kiosk.ts';
import { as, logInElsewhere, postForm, postJson, startBrowser } from '../../support/raw-page.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const JOKO = '081200000008';
const LOOK_UP = '/payment/api/v1/get-invoice-info/';
const OPEN = '/payment/api/v1/open-machine/';
const LOGIN = '/auth/login-outlet/';

let kiosk: Kiosk;
afterEach(() => kiosk.stop());

const closedWithin = async (ms: number): Promise<void> => {
	const since = performance.now();
	await until(() => expect(kiosk.acceptor.device.enabled).toBe(false));
	expect(performance.now() - since).toBeLessThan(ms);
};
const booked = () => kiosk.backOffice.books.notes.map(({ id, nominal }) => [id, nominal]);
const open = (hp: string, invoice: object) => postForm(kiosk, OPEN, { ...invoice, hp }, kiosk.session());
const isBooked = (...notes: [id: unknown, nominal: number][]) => until(() => expect(booked()).toEqual(notes));

test('after the browser dies, no note is taken until a screen draws the cash page again', async () => {
	kiosk = await startKiosk();
	const screen = await kiosk.screen();
	const invoice = await kiosk.openCash(BUDI);
	await feedNote(kiosk, 50_000);
	screen.close();
	await closedWithin(5_000);
	await kiosk.screen();
	await kiosk.draw(invoice);
	await feedNote(kiosk, 100_000);
	await isBooked([invoice.id, 50_000], [invoice.id, 100_000]);
});

test('if the page is reloaded while a note moves, it shows the acceptor as ready as soon as notes can be taken again', async () => {
	kiosk = await startKiosk({ acceptor: { timing: { startMs: 20, resetMs: 50, recogniseMs: 20, stackMs: 1_500, returnMs: 20 } } });
	const before = await kiosk.screen();
	const invoice = await kiosk.openCash(BUDI);
	await feedNote(kiosk, 50_000, 'accepted');
	before.close();
	await until(() => expect(kiosk.daemon.events('cash.screen_frozen')).toHaveLength(1));
	const screen = await kiosk.screen();
	await kiosk.draw(invoice);
	await isBooked([invoice.id, 50_000]);
	expect(screen.of('machine_ready').at(-1)).toMatchObject({ is_ready: true });
	await feedNote(kiosk, 100_000);
});

test('after a second browser replaces the first, the acceptor takes notes only for the second', { tags: 'deep' }, async () => {
	kiosk = await startKiosk();
	const invoice = await kiosk.openCash(BUDI);
	await feedNote(kiosk, 50_000);
	const second = await startBrowser(kiosk);
	await postJson(kiosk, '/kiosk/rendered', { screen: '/', visit: '' }, as(second));
	await closedWithin(5_000);
	const known = JSON.parse((await postForm(kiosk, LOOK_UP, { noinvoice: BUDI }, as(second))).body).results;
	expect(known.list_pembayaran).toHaveLength(1);
	expect((await postForm(kiosk, OPEN, { id: invoice.id, hp: BUDI }, as(second))).status).toBe(200);
	await postJson(kiosk, '/kiosk/rendered', { screen: '/cash-payment', visit: BUDI, id: invoice.id }, as(second));
	await feedNote(kiosk, 100_000);
	await isBooked([invoice.id, 50_000], [invoice.id, 100_000]);
});

test('a log-in of another outlet closes the customer’s cash session', async () => {
	kiosk = await startKiosk();
	const invoice = await kiosk.openCash(BUDI);
	await feedNote(kiosk, 50_000);
	kiosk.backOffice.change(LOGIN, (answer) => ({
		...answer,
		status: 200,
		body: JSON.stringify({ token: kiosk.backOffice.books.issueToken(), development: false }),
	}));
	await until(() => expect(booked()).toHaveLength(1));
	expect((await postForm(kiosk, LOGIN, { username: 'other', password: 'x' })).status).toBe(200);
	await kiosk.draw(invoice);
	await closedWithin(3_000);
	expect(booked()).toEqual([[invoice.id, 50_000]]);
});

test('a note is taken only while the customer’s page session reports that it draws the cash page of the open invoice', async () => {
	kiosk = await startKiosk();
	const other = await logInElsewhere(kiosk);
	await until(async () => expect(partText(await kiosk.health(), 'back office')).toMatch(/^live socket open/));
	await kiosk.screen();
	const invoice = await kiosk.lookUp(BUDI);
	expect((await open(BUDI, { ...invoice, total: 2_000, is_paid: true })).status).toBe(200);
	const report = (drawn: object, key = kiosk.token()) => postJson(kiosk, '/kiosk/rendered', { visit: BUDI, ...drawn }, as(key));
	for (const drawn of [{ screen: '/cash-payment', id: 9 }, { screen: '/cash-payment' }, { screen: '/', id: invoice.id }])
		await report(drawn);
	for (const drawn of [
		{ screen: '/cash-payment', id: invoice.id },
		{ screen: '/', id: null },
	])
		await report(drawn, other);
	expect(partText(await kiosk.health(), 'cash')).not.toBe('takes notes');
	expect(kiosk.acceptor.device.insert({ nominal: 50_000 })).toMatchObject({ taken: false });
	await report({ screen: '/cash-payment', id: String(invoice.id) });
	await feedNote(kiosk, 50_000);
	await report({ screen: '/cash-payment', id: 9 });
	for (let time = 0; time < 5; time += 1) await report({ screen: '/cash-payment', id: invoice.id }, other);
	await closedWithin(3_000);
	expect(kiosk.acceptor.device.insert({ nominal: 50_000 })).toMatchObject({ taken: false });
	await kiosk.openCash(BUDI);
	await feedNote(kiosk, 100_000);
	await isBooked([invoice.id, 50_000], [invoice.id, 100_000]);
});

test('of three attempts to open cash while a note moves, one succeeds, and the note is credited to its own invoice', async () => {
	kiosk = await startKiosk({ acceptor: { timing: { stackMs: 1_500, startMs: 20, resetMs: 50, recogniseMs: 20, returnMs: 20 } } });
	await kiosk.screen();
	const budi = await kiosk.openCash(BUDI);
	await until(() => expect(kiosk.acceptor.device.insert({ nominal: 50_000 })).toMatchObject({ taken: true }));
	await until(() => expect(kiosk.acceptor.device.note?.place).toBe('stacking'));
	const joko = await kiosk.lookUp(JOKO);
	const opens = [open(JOKO, joko), open(BUDI, budi), open(JOKO, joko)];
	const statuses = (await Promise.all(opens)).map(({ status }) => status).sort();
	expect(statuses).toEqual([200, 409, 409]);
	await isBooked([budi.id, 50_000]);
	const pending = open(BUDI, budi);
	const closing = kiosk.post('/kiosk/cash/close', { id: budi.id });
	await Promise.all([pending, closing]);
	await kiosk.post('/kiosk/cash/close', { id: joko.id });
	await kiosk.openCash(JOKO);
	await feedNote(kiosk, 5_000);
	await isBooked([budi.id, 50_000], [joko.id, 5_000]);
});
