import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import WebSocket from 'ws';
import { feedNote } from '../../support/feed-note.ts';
import { type Kiosk, partText, startKiosk } from '../../support/kiosk.ts';
import { type RawAnswer, rawRequest } from '../../support/raw-request.ts';
import { until } from '../../support/until.ts';

// Attacks by pages, browsers and a server; afterwards an honest customer pays.

const BUDI = '081234567890';
const JOKO = '081200000008';
const LOOK_UP = '/payment/api/v1/get-invoice-info/';
const OPEN = '/payment/api/v1/open-machine/';
const LOGIN = '/auth/login-outlet/';

let kiosk: Kiosk;
afterEach(() => kiosk.stop());

const feed = (nominal: number): Promise<void> => feedNote(kiosk, nominal);
const draw = ({ id }: Record<string, unknown>): Promise<void> => kiosk.draw({ id });
const closedWithin = async (ms: number): Promise<void> => {
	const since = performance.now();
	await until(() => expect(kiosk.acceptor.device.enabled).toBe(false));
	expect(performance.now() - since).toBeLessThan(ms);
};
const booked = () => kiosk.backOffice.books.notes.map(({ id, nominal }) => [id, nominal]);
const form = (value: object) => `formData=${encodeURIComponent(JSON.stringify(value))}`;

const ask = (method: string, path: string, headers: Record<string, string> = {}, body = ''): Promise<RawAnswer> =>
	rawRequest(kiosk.daemon.url, method, path, headers, body);
const as = (key: string) => ({ Authorization: `Token ${key}` });
const postForm = (path: string, value: object, key: string | null = kiosk.token()) =>
	ask(
		'POST',
		path,
		{
			...(key ? as(key) : {}),
			'Content-Type': 'application/x-www-form-urlencoded',
			Cookie: 'csrftoken=abcdefgh',
			'X-CSRFToken': 'abcdefgh',
		},
		form(value),
	);
const postJson = (path: string, value: object, key: string) =>
	ask('POST', path, { ...as(key), 'Content-Type': 'application/json' }, JSON.stringify(value));
/** Starts another browser as systemd does. @returns the new session's key */
const startBrowser = async (): Promise<string> => {
	const answer = await ask('GET', kiosk.daemon.startAddress().slice(kiosk.daemon.url.length));
	return /kiosk_screen=([\w-]+)/.exec(String(answer.headers['set-cookie']))?.[1] ?? '';
};
/** Logs in on another page. @returns that session's key */
const logInElsewhere = async (): Promise<string> => {
	const { username, password } = kiosk.backOffice.account;
	return (JSON.parse((await postForm(LOGIN, { username, password }, null)).body) as { token: string }).token;
};
/**
 * Opens a live socket by hand, which stays open whatever the daemon sends.
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
	await feed(50_000);
	await until(() => expect(honest.of('payment_cash_notification')).toHaveLength(1));
});

test('after the browser dies no note is taken until a screen draws the page again', async () => {
	kiosk = await startKiosk();
	const screen = await kiosk.screen();
	const invoice = await kiosk.openCash(BUDI);
	await feed(50_000);
	screen.close();
	await closedWithin(5_000);
	await kiosk.screen();
	await draw(invoice);
	await feed(100_000);
	await until(() =>
		expect(booked()).toEqual([
			[invoice.id, 50_000],
			[invoice.id, 100_000],
		]),
	);
});

test('a second browser replaces the first, whose session takes no more notes at once', { tags: 'deep' }, async () => {
	kiosk = await startKiosk();
	const invoice = await kiosk.openCash(BUDI);
	await feed(50_000);
	const second = await startBrowser();
	await postJson('/kiosk/rendered', { screen: '/', visit: '' }, second);
	await closedWithin(5_000);
	const known = JSON.parse((await postForm(LOOK_UP, { noinvoice: BUDI }, second)).body).results;
	expect(known.list_pembayaran).toHaveLength(1);
	expect((await postForm(OPEN, { id: invoice.id, hp: BUDI }, second)).status).toBe(200);
	await postJson('/kiosk/rendered', { screen: '/cash-payment', visit: BUDI, id: invoice.id }, second);
	await feed(100_000);
	await until(() =>
		expect(booked()).toEqual([
			[invoice.id, 50_000],
			[invoice.id, 100_000],
		]),
	);
});

test('the daemon refuses a call that the server could read differently, or forwards only what it has read itself', async () => {
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

test('a log-in of another outlet closes the customer’s cash session', async () => {
	kiosk = await startKiosk();
	const invoice = await kiosk.openCash(BUDI);
	await feed(50_000);
	kiosk.backOffice.change(LOGIN, (answer) => ({
		...answer,
		status: 200,
		body: JSON.stringify({ token: kiosk.backOffice.books.issueToken(), development: false }),
	}));
	await until(() => expect(booked()).toHaveLength(1));
	expect((await postForm(LOGIN, { username: 'other', password: 'x' }, null)).status).toBe(200);
	await draw(invoice);
	await closedWithin(3_000);
	expect(booked()).toEqual([[invoice.id, 50_000]]);
});

test('messages of a page whose session has ended are ignored, even on its open socket', async () => {
	kiosk = await startKiosk({ edc: {} });
	const say = await stubborn(kiosk.token());
	const second = await startBrowser();
	const invoice = JSON.parse((await postForm(LOOK_UP, { noinvoice: BUDI }, second)).body).results;
	say({ message: { type: 'payment_edc_bca_notification', event: 'start_transaction', data: { amount: invoice.total, id: invoice.id } } });
	say({ message: 'transaction', amount: 77 });
	// A message from the second browser's page shows that the earlier messages have been handled.
	const honest = new WebSocket(`${kiosk.daemon.url.replace('http', 'ws')}/ws/${second}`, 'echo-protocol', { origin: kiosk.daemon.url });
	await new Promise((resolve) => honest.on('open', resolve));
	honest.send(JSON.stringify({ message: 'transaction', amount: 78 }));
	await until(() => expect(kiosk.backOffice.live.received).toContainEqual({ message: 'transaction', amount: 78 }));
	expect(kiosk.backOffice.live.received).toEqual([{ message: 'transaction', amount: 78 }]);
	expect(kiosk.daemon.events('card.requested')).toEqual([]);
	honest.terminate();
});

test('a message about another invoice does not replace the customer’s invoice', { tags: 'deep' }, async () => {
	kiosk = await startKiosk({ edc: {} });
	const budi = await kiosk.openCash(BUDI);
	await feed(100_000);
	await feed(50_000);
	await until(() => expect(booked()).toHaveLength(2));
	await kiosk.post('/kiosk/cash/close', { id: budi.id });
	const joko = await kiosk.lookUp(JOKO);
	for (let time = 0; time < 3; time += 1) kiosk.backOffice.live.say({ type: 'payment_notification', id: budi.id, is_paid: true });
	const screen = await kiosk.screen();
	kiosk.backOffice.live.say({ type: 'payment_notification', id: 99, is_paid: false });
	await until(() => expect(screen.of('payment_notification').at(-1)).toMatchObject({ id: 99 }));
	screen.send({ message: { type: 'payment_edc_bca_notification', event: 'start_transaction', data: { amount: joko.total, id: joko.id } } });
	await until(() => expect(kiosk.edc.terminal.tap({ respCode: '00' })).toBe(true));
	await until(() => expect(screen.of('kiosk_edc_sale').at(-1)).toMatchObject({ phase: 'approved', id: joko.id }));
});

test('open-machine cannot bypass the look-up limit', async () => {
	kiosk = await startKiosk();
	const before = kiosk.backOffice.calls.filter(({ path }) => path === LOOK_UP).length;
	const statuses: number[] = [];
	for (let number = 0; number < 30; number += 1) statuses.push((await postForm(OPEN, { id: 4711, hp: `0899999900${number}` })).status);
	expect(kiosk.backOffice.calls.filter(({ path }) => path === LOOK_UP).length - before).toBeLessThanOrEqual(5);
});

test('slow log-ins without a session do not delay a customer', { tags: 'deep' }, async () => {
	kiosk = await startKiosk();
	let let_go = () => {};
	let held_calls = 0;
	const held = new Promise<void>((resolve) => (let_go = resolve));
	kiosk.backOffice.change(LOGIN, async (answer) => {
		held_calls += 1;
		await held;
		return answer;
	});
	const attacks = Array.from({ length: 12 }, () => postForm(LOGIN, { username: 'x', password: 'y' }, null));
	await until(() => expect(held_calls).toBe(6));
	const status = (await kiosk.call(LOOK_UP, { noinvoice: BUDI })).status;
	let_go();
	await Promise.all(attacks);
	expect(status).toBe(200);
});

test('another session’s page does not count as the kiosk’s screen', async () => {
	kiosk = await startKiosk();
	await kiosk.lookUp(BUDI);
	await kiosk.post('/kiosk/rendered', { screen: '/cash-payment', visit: BUDI, id: 1 });
	const other = await logInElsewhere();
	await postJson('/kiosk/rendered', { screen: '/', visit: '' }, other);
	const visit = JSON.parse((await ask('GET', '/kiosk/visit', as(kiosk.token()))).body);
	expect(visit).toEqual({ visit: { screen: '/cash-payment', number: BUDI } });
});

test('a total that grew while the machine was opening is the amount due', async () => {
	kiosk = await startKiosk();
	const invoice = await kiosk.lookUp(BUDI);
	let let_go = () => {};
	const held = new Promise<void>((resolve) => (let_go = resolve));
	let asked = false;
	kiosk.backOffice.change(OPEN, async (answer) => {
		asked = true;
		await held;
		return answer;
	});
	const opening = kiosk.call(OPEN, { ...invoice, hp: BUDI });
	await until(() => expect(asked).toBe(true));
	kiosk.backOffice.change(LOOK_UP, (answer) => ({ ...answer, body: answer.body.replace('"total":137500', '"total":337500') }));
	const grown = await kiosk.lookUp(BUDI);
	expect(grown.total).toBe(337_500);
	let_go();
	expect((await opening).status).toBe(200);
	await draw(invoice);
	expect(kiosk.daemon.events('cash.opened').at(-1)).toMatchObject({ total: 337_500 });
	await feed(100_000);
});

test('a look-up of another invoice’s double payment does not replace the customer’s invoice', { tags: 'deep' }, async () => {
	kiosk = await startKiosk({ edc: {} });
	await kiosk.backOffice.setNetwork({ mode: 'error', path: 'payment-cash' });
	const budi = await kiosk.openCash(BUDI);
	await feed(100_000);
	await feed(50_000);
	await until(() => expect(kiosk.daemon.events('cash.paid')).toHaveLength(1));
	await kiosk.post('/kiosk/cash/close', { id: budi.id });
	const joko = await kiosk.lookUp(JOKO);
	const before = kiosk.backOffice.calls.length;
	kiosk.backOffice.live.say({ type: 'payment_notification', id: budi.id });
	await until(() => expect(kiosk.daemon.events('invoice.paid_twice')).toHaveLength(1));
	await until(() =>
		expect(kiosk.backOffice.calls.slice(before).filter(({ path, status }) => path === LOOK_UP && status === 200)).toHaveLength(1),
	);
	const screen = await kiosk.screen();
	screen.send({ message: { type: 'payment_edc_bca_notification', event: 'start_transaction', data: { amount: joko.total, id: joko.id } } });
	await until(() => expect(kiosk.edc.terminal.tap({ respCode: '00' })).toBe(true));
	await until(() => expect(screen.of('kiosk_edc_sale').at(-1)).toMatchObject({ phase: 'approved', id: joko.id }));
	expect((await kiosk.post('/kiosk/print', { id: joko.id })).status).toBe(200);
	expect((await kiosk.health()).state).not.toBe('ok');
});

test('the outlet token appears nowhere, even when the server repeats it everywhere', async () => {
	kiosk = await startKiosk();
	const token = (): string =>
		(JSON.parse(readFileSync(join(kiosk.directory, 'journal', 'outlet-token.json'), 'utf8')) as { token: string }).token;
	const hostile = token();
	const seen: [string, string][] = [];
	const keep = (from: string, answer: RawAnswer) => seen.push([from, decodeURIComponent(JSON.stringify(answer.headers)) + answer.body]);
	const repeat = {
		'set-cookie': [`csrftoken=${hostile}; Path=/`, `fww_client=${hostile}`],
		'x-token': hostile,
		location: `/${hostile}`,
		'content-type': `application/json; token=${hostile}`,
	};
	const texts: Record<string, (body: string) => string> = {
		fields: (body) =>
			body.replace(
				/"(konsumen_name|nopol|ahass_name|nowo_odoo|produk_name|logo|payment_type_display|odoo_id)":"[^"]*"/g,
				`"$1":"x ${hostile}"`,
			),
		odd: (body) => body.replace(/"(is_paid|total)":[^,}]*/g, `"$1":"${hostile}"`),
		message: () => JSON.stringify({ message: `x ${hostile}`, detail: hostile }),
		text: () => `<pre>${hostile}</pre>`,
	};
	const paths = [LOOK_UP, OPEN, '/payment/api/v1/login-pin-screen/', '/payment/api/v1/payment/', '/payment/api/v1/cancel-payment/'];
	for (const [name, change] of Object.entries(texts))
		for (const status of [200, 302, 400, 500]) {
			kiosk.backOffice.change('/payment/', (answer) => ({ status, headers: repeat, body: change(answer.body) }));
			for (const path of paths)
				keep(`${name} ${status} ${path}`, await postForm(path, { noinvoice: BUDI, id: 1, hp: BUDI, pin: '123456' }));
			for (const path of ['/payment/api/v1/payment-group/?offset=0&limit=10', '/payment/api/v1/master-va/'])
				keep(`${name} ${status} ${path}`, await ask('GET', path, as(kiosk.token())));
		}
	kiosk.backOffice.change('/payment/', null);
	kiosk.backOffice.change(LOOK_UP, (answer) => ({ ...answer, body: texts.fields?.(answer.body) ?? '' }));
	await kiosk.crash();
	const screen = await kiosk.screen();
	const invoice = await kiosk.openCash(BUDI);
	await feed(100_000);
	await feed(50_000);
	await until(() => expect(booked()).toHaveLength(2));
	keep('print', await postJson('/kiosk/print', { id: invoice.id }, kiosk.token()));
	for (const text of [
		{ type: 'payment_notification', id: hostile, odoo_id: hostile, is_paid: hostile },
		{ type: 'payment_notification', id: hostile, odoo_id: hostile },
		{ type: hostile, id: hostile },
		hostile,
		{ type: 'payment_notification', id: 99, is_paid: false },
	])
		kiosk.backOffice.live.say(text as { type: string });
	await until(() => expect(screen.of('payment_notification').at(-1)).toMatchObject({ id: 99 }));
	for (const path of ['/health', '/metrics', '/kiosk/visit', '/kiosk/settings', '/']) keep(path, await ask('GET', path, as(kiosk.token())));
	seen.push(['socket', JSON.stringify(screen.messages)], ['log', JSON.stringify(kiosk.daemon.log)]);
	seen.push(['kioskctl', (await kiosk.ctl('journal', 'show')).out + (await kiosk.ctl('health')).out]);
	expect(
		seen
			.filter(([, text]) => text.includes(hostile))
			.map(([from, text]) => [from, text.slice(Math.max(0, text.indexOf(hostile) - 120), text.indexOf(hostile) + 20)]),
	).toEqual([]);
	expect(kiosk.token()).not.toBe(hostile);
});

test('a card sale that the page may not start does not end the customer’s cash payment', async () => {
	kiosk = await startKiosk({ edc: {} });
	const other = await logInElsewhere();
	await until(async () => expect(partText(await kiosk.health(), 'back office')).toMatch(/^live socket open/));
	await kiosk.screen();
	const invoice = await kiosk.openCash(BUDI);
	await feed(50_000);
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
	await feed(100_000);
	await until(() => expect(booked()).toHaveLength(2));
	expect(kiosk.daemon.events('card.requested')).toEqual([]);
});

test('an invoice that was paid at the first look-up and is unpaid at the next gets no receipt', { tags: 'deep' }, async () => {
	kiosk = await startKiosk({ movableClock: true });
	const siti = await kiosk.lookUp('081200000001');
	expect(siti.is_paid).toBe(true);
	kiosk.backOffice.change(LOOK_UP, (answer) => ({ ...answer, body: answer.body.replace('"is_paid":true', '"is_paid":false') }));
	await kiosk.pass(31_000);
	expect((await kiosk.post('/kiosk/print', { id: siti.id })).body).toMatchObject({ code: 'not_paid' });
});

test('no note is taken without a heartbeat for this route, invoice and session', async () => {
	kiosk = await startKiosk();
	const other = await logInElsewhere();
	await until(async () => expect(partText(await kiosk.health(), 'back office')).toMatch(/^live socket open/));
	await kiosk.screen();
	const invoice = await kiosk.lookUp(BUDI);
	expect((await postForm(OPEN, { ...invoice, hp: BUDI, total: 2_000, is_paid: true })).status).toBe(200);
	const report = (drawn: object, key = kiosk.token()) => postJson('/kiosk/rendered', { visit: BUDI, ...drawn }, key);
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
	await feed(50_000);
	await report({ screen: '/cash-payment', id: 9 });
	for (let time = 0; time < 5; time += 1) await report({ screen: '/cash-payment', id: invoice.id }, other);
	await closedWithin(3_000);
	expect(kiosk.acceptor.device.insert({ nominal: 50_000 })).toMatchObject({ taken: false });
	await kiosk.openCash(BUDI);
	await feed(100_000);
	await until(() =>
		expect(booked()).toEqual([
			[invoice.id, 50_000],
			[invoice.id, 100_000],
		]),
	);
});

test('three attempts to open cash while a note moves: the note counts for the first invoice, and one session opens', async () => {
	kiosk = await startKiosk({ acceptor: { timing: { stackMs: 1_500, startMs: 20, resetMs: 50, recogniseMs: 20, returnMs: 20 } } });
	await kiosk.screen();
	const budi = await kiosk.openCash(BUDI);
	await until(() => expect(kiosk.acceptor.device.insert({ nominal: 50_000 })).toMatchObject({ taken: true }));
	await until(() => expect(kiosk.acceptor.device.note?.place).toBe('stacking'));
	const joko = await kiosk.lookUp(JOKO);
	const opens = [postForm(OPEN, { ...joko, hp: JOKO }), postForm(OPEN, { ...budi, hp: BUDI }), postForm(OPEN, { ...joko, hp: JOKO })];
	const statuses = (await Promise.all(opens)).map(({ status }) => status).sort();
	expect(statuses).toEqual([200, 409, 409]);
	await until(() => expect(booked()).toEqual([[budi.id, 50_000]]));
	const pending = postForm(OPEN, { ...budi, hp: BUDI });
	const closing = kiosk.post('/kiosk/cash/close', { id: budi.id });
	await Promise.all([pending, closing]);
	await kiosk.post('/kiosk/cash/close', { id: joko.id });
	await kiosk.openCash(JOKO);
	await feed(5_000);
	await until(() =>
		expect(booked()).toEqual([
			[budi.id, 50_000],
			[joko.id, 5_000],
		]),
	);
});
