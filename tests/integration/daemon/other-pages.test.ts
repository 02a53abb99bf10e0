/**
 * Other pages flood the daemon, forge messages or belong to another session. The customer's payment
 * must continue.
 */
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import { terminalReady } from '../../support/card.ts';
import { feedNote } from '../../support/feed-note.ts';
import { type Kiosk, partText, startKiosk } from '../../support/kiosk.ts';
import { as, ask, logInElsewhere, postForm, postJson, startBrowser } from '../../support/raw-page.ts';
import { until } from '../../support/until.ts';

const BUDI = '081234567890';
const JOKO = '081200000008';
const LOOK_UP = '/payment/api/v1/get-invoice-info/';
const OPEN = '/payment/api/v1/open-machine/';
const LOGIN = '/auth/login-outlet/';

let kiosk: Kiosk;
afterEach(() => kiosk.stop());

/**
 * Opens a raw live socket that ignores everything that the daemon sends, even a close message.
 * @returns a function that sends a message
 */
const stubborn = async (key: string): Promise<(message: object) => void> => {
	const { hostname, port } = new URL(kiosk.daemon.url);
	const socket = connect(Number(port), hostname);
	socket.on('error', () => undefined);
	socket.write(
		`GET /ws/${key} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: echo-protocol\r\n\r\n`,
	);
	let heard = '';
	socket.on('data', (data) => (heard += data.toString('latin1')));
	await until(() => expect(heard).toContain('101 Switching'));
	return (message) => {
		const text = Buffer.from(JSON.stringify(message));
		const head = text.length < 126 ? [0x81, 0x80 | text.length] : [0x81, 0xfe, text.length >> 8, text.length & 255];
		socket.write(Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), text]));
	};
};

test('a page that floods its live socket is disconnected, and a payment on another page continues', async () => {
	kiosk = await startKiosk({ edc: {} });
	const honest = await kiosk.screen();
	const hostile = await kiosk.screen();
	const start = { type: 'payment_edc_bca_notification', event: 'start_transaction', data: { amount: 1, id: 1 } };
	for (let at = 0; at < 2_000; at += 1) hostile.send({ message: at % 2 === 0 ? 'transaction' : start, amount: at });
	await until(() => expect(hostile.closed()).toBe(true));
	expect(kiosk.daemon.events('card.refused').length).toBeLessThanOrEqual(20);
	expect(kiosk.daemon.events('socket.odd_message')).toMatchObject([{ from: 'screen', reason: 'more than 20 messages a second' }]);
	expect(honest.closed()).toBe(false);
	await kiosk.openCash(BUDI);
	await feedNote(kiosk, 50_000);
	await until(() => expect(honest.of('payment_cash_notification')).toHaveLength(1));
});

test('a page that floods its live socket with pongs is disconnected', { tags: 'deep' }, async () => {
	kiosk = await startKiosk();
	const hostile = new WebSocket(`${kiosk.daemon.url.replace('http', 'ws')}/ws/${kiosk.token()}`, 'echo-protocol', {
		origin: kiosk.daemon.url,
	});
	const closed = new Promise((resolve) => hostile.on('close', resolve));
	hostile.on('error', () => undefined);
	hostile.on('open', () => {
		for (let at = 0; at < 2_000; at += 1) hostile.pong();
	});
	await closed;
	await until(() =>
		expect(kiosk.daemon.events('socket.odd_message')).toMatchObject([{ from: 'screen', reason: 'more than 20 messages a second' }]),
	);
});

test('messages of a page whose session has ended are ignored', async () => {
	kiosk = await startKiosk({ edc: {} });
	await terminalReady(await kiosk.screen());
	const say = await stubborn(kiosk.token());
	const second = await startBrowser(kiosk);
	const invoice = JSON.parse((await postForm(kiosk, LOOK_UP, { noinvoice: BUDI }, as(second))).body).results;
	say({ message: { type: 'payment_edc_bca_notification', event: 'start_transaction', data: { amount: invoice.total, id: invoice.id } } });
	say({ message: 'transaction', amount: 77 });
	// When this message of the second browser arrives, the daemon has handled the earlier messages.
	const honest = new WebSocket(`${kiosk.daemon.url.replace('http', 'ws')}/ws/${second}`, 'echo-protocol', { origin: kiosk.daemon.url });
	await new Promise((resolve) => honest.on('open', resolve));
	honest.send(JSON.stringify({ message: 'transaction', amount: 78 }));
	await until(() => expect(kiosk.backOffice.live.received).toContainEqual({ message: 'transaction', amount: 78 }));
	expect(kiosk.backOffice.live.received).toEqual([{ message: 'transaction', amount: 78 }]);
	for (const event of ['card.sent', 'card.refused'] as const) expect(kiosk.daemon.events(event)).toEqual([]);
	honest.terminate();
});

test('a report of another session’s page does not replace the visit that the kiosk’s screen reported', async () => {
	kiosk = await startKiosk();
	await kiosk.lookUp(BUDI);
	await kiosk.post('/kiosk/rendered', { screen: '/cash-payment', visit: BUDI, id: 1 });
	const other = await logInElsewhere(kiosk);
	await postJson(kiosk, '/kiosk/rendered', { screen: '/', visit: '' }, as(other));
	const visit = JSON.parse((await ask(kiosk, 'GET', '/kiosk/visit', kiosk.session())).body);
	expect(visit).toEqual({ visit: { screen: '/cash-payment', number: BUDI } });
});

test('refused card sales of another page do not end the customer’s cash payment', { tags: 'deep' }, async () => {
	kiosk = await startKiosk({ edc: {} });
	const other = await logInElsewhere(kiosk);
	await until(async () => expect(partText(await kiosk.health(), 'back office')).toMatch(/^live socket open/));
	await terminalReady(await kiosk.screen());
	const invoice = await kiosk.openCash(BUDI);
	await feedNote(kiosk, 50_000);
	const say = await stubborn(other);
	const forged = (data: object) => say({ message: { type: 'payment_edc_bca_notification', event: 'start_transaction', data } });
	for (const data of [
		{ amount: 1, id: invoice.id },
		{ amount: 87_500, id: 4711 },
		{ amount: 137_500 },
		{ amount: 1, id: invoice.id, method: 'qris' },
	])
		forged(data);
	for (let time = 0; time < 10; time += 1) forged({ amount: 137_500, id: invoice.id });
	say({ message: 'transaction', amount: 79 });
	await until(() => expect(kiosk.backOffice.live.received).toContainEqual({ message: 'transaction', amount: 79 }));
	await feedNote(kiosk, 100_000);
	await until(() => expect(kiosk.backOffice.books.notes).toHaveLength(2));
	expect(kiosk.daemon.events('card.sent')).toEqual([]);
});

test('the daemon refuses ambiguous form data and forwards only the fields that it has read', async () => {
	kiosk = await startKiosk();
	const { username, password } = kiosk.backOffice.account;
	const account = (name: string) => JSON.stringify({ username: name, password });
	const send = async (path: string, body: RequestInit['body'], type?: string): Promise<number> => {
		const csrf = 'c'.repeat(32);
		const headers = { ...kiosk.session(), Cookie: `csrftoken=${csrf}`, 'X-CSRFToken': csrf, ...(type && { 'Content-Type': type }) };
		return (await fetch(kiosk.daemon.url + path, { method: 'POST', headers, body: body ?? null })).status;
	};
	const two = (...texts: string[]) => {
		const fields = new FormData();
		for (const text of texts) fields.append('formData', text);
		return fields;
	};
	const before = kiosk.backOffice.calls.length;
	for (const text of [account('another'), '', '[]', '1']) expect(await send(LOGIN, two(account(username), text))).toBe(400);
	expect(await send(LOGIN, account(username), 'application/json')).toBe(400);
	expect(await send(LOGIN, two(JSON.stringify({ username: [username], password })))).toBe(400);
	expect(await send(LOOK_UP, two(`{"noinvoice":"${BUDI}"}`, `{"noinvoice":"${JOKO}"}`))).toBe(400);
	expect(await send('/payment/api/v1/login-pin-screen/', two('{"pin":"111111"}', '{"pin":"123456"}'))).toBe(400);
	expect(kiosk.backOffice.calls.slice(before)).toEqual([]);
	const more = two(JSON.stringify({ noinvoice: BUDI }));
	more.append('noinvoice', JOKO);
	expect(await send(LOOK_UP, more)).toBe(200);
	expect(kiosk.backOffice.asked.at(-1)?.fields).toEqual({ noinvoice: BUDI });
	expect(kiosk.backOffice.complaints).toEqual([]);
});

test('the call open-machine cannot bypass the limit of look-ups', { tags: 'deep' }, async () => {
	kiosk = await startKiosk();
	const before = kiosk.backOffice.calls.filter(({ path }) => path === LOOK_UP).length;
	const statuses: number[] = [];
	for (let number = 0; number < 30; number += 1)
		statuses.push((await postForm(kiosk, OPEN, { id: 4711, hp: `0899999900${number}` }, kiosk.session())).status);
	expect(kiosk.backOffice.calls.filter(({ path }) => path === LOOK_UP).length - before).toBeLessThanOrEqual(5);
});

test('slow log-ins without a session do not delay a customer', { tags: 'deep' }, async () => {
	kiosk = await startKiosk();
	let heldCalls = 0;
	const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
	kiosk.backOffice.change(LOGIN, async (answer) => {
		heldCalls += 1;
		await held;
		return answer;
	});
	const attacks = Array.from({ length: 12 }, () => postForm(kiosk, LOGIN, { username: 'x', password: 'y' }));
	await until(() => expect(heldCalls).toBe(6));
	const status = (await kiosk.call(LOOK_UP, { noinvoice: BUDI })).status;
	letGo();
	await Promise.all(attacks);
	expect(status).toBe(200);
});
