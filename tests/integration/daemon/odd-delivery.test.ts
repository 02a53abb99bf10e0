// @module-tag deep
/**
 * While a customer pays, the network delivers the back office's answers late, in pieces or
 * incompletely.
 */
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listen } from '../../simulators/listen.ts';
import { startPrinter } from '../../simulators/printer/start.ts';
import { saleShown, startCard, tapCard, terminalReady } from '../../support/card.ts';
import { feedNote } from '../../support/feed-note.ts';
import { type Kiosk, printerSection, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

const LOOK_UP = '/get-invoice-info/';
const NOTES = '/payment-cash/';
const TIMEOUT_MS = 4_000;

/** Writes the back office's answer to the socket in an odd way, e.g. in pieces. */
type Delivery = (socket: Socket, status: number, body: Buffer) => void;
const head = (status: number, more: string) => `HTTP/1.1 ${status} Odd\r\nContent-Type: application/json\r\n${more}\r\n\r\n`;
const lengthOf = (body: Buffer) => `Content-Length: ${body.length}`;
const AT_ONCE = 'two answers on one connection';
const DELIVERIES: Record<string, Delivery> = {
	'one byte a second'(socket, status, body) {
		const answer = Buffer.concat([Buffer.from(head(status, lengthOf(body))), body]);
		let at = 0;
		const timer = setInterval(() => (at < answer.length ? socket.write(answer.subarray(at, ++at)) : clearInterval(timer)), 1_000);
		socket.on('close', () => clearInterval(timer));
	},
	'the head at once and the body late'(socket, status, body) {
		socket.write(head(status, lengthOf(body)));
		setTimeout(() => socket.write(body), TIMEOUT_MS - 1_000);
	},
	[AT_ONCE](socket, status, body) {
		const answer = Buffer.concat([Buffer.from(head(status, lengthOf(body))), body]);
		socket.write(Buffer.concat([answer, answer]));
	},
	'a chunk, and never the last one'(socket, status, body) {
		socket.write(head(status, 'Transfer-Encoding: chunked'));
		socket.write(Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')]));
	},
};

let kiosk: Kiosk;
let network: { server: Server; port: number; close: () => Promise<void> };
let odd: { paths: string[]; delivery: Delivery } | null = null;
/** Paths of the answers that were delivered oddly since the test began. */
let delivered: string[] = [];
const printer = startPrinter({ port: 0, printMs: 50 });

async function pass(asked: IncomingMessage): Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }> {
	const body = Buffer.concat(await asked.toArray());
	const sent = request(kiosk.backOffice.url + asked.url, { method: asked.method, headers: asked.headers, agent: false });
	return new Promise((resolve, reject) => {
		sent.on('error', reject).on('response', async (answer) => {
			resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(await answer.toArray()) });
		});
		sent.end(body);
	});
}

beforeAll(async () => {
	const server = createServer(async (asked, response) => {
		const { status, headers, body } = await pass(asked);
		const path = odd?.paths.find((one) => asked.url?.includes(one));
		if (odd && path !== undefined) {
			delivered.push(path);
			return odd.delivery(asked.socket, status, body);
		}
		response.writeHead(status, headers).end(body);
	});
	server.on('upgrade', (asked, socket, first) => {
		const { port } = new URL(kiosk.backOffice.url);
		const to = connect(Number(port), '127.0.0.1');
		const lines = asked.rawHeaders.flatMap((text, at, all) => (at % 2 === 0 ? [`${text}: ${all[at + 1]}`] : []));
		to.write(`GET ${asked.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
		to.write(first);
		to.pipe(socket).pipe(to);
		for (const end of [to, socket]) end.on('error', () => undefined).on('close', () => void [to.destroy(), socket.destroy()]);
	});
	network = { server, ...(await listen(server, 0)) };
	kiosk = await startKiosk({
		login: false,
		edc: {},
		url: `http://127.0.0.1:${network.port}`,
		socketUrl: `ws://127.0.0.1:${network.port}/ws/{token}/`,
		backOffice: `timeout_ms = ${TIMEOUT_MS}\n`,
		settings: printerSection((await printer).uri),
	});
	await kiosk.login();
});
afterAll(async () => {
	await kiosk.stop();
	await network.close();
	await (await printer).stop();
});
beforeEach(() => {
	odd = null;
	delivered = [];
});

let customers = 0;
/** @returns the next customer's phone number and unpaid invoice of 100,000 rupiah */
function nextInvoice() {
	customers += 1;
	const hp = `0812${String(customers).padStart(8, '0')}`;
	const { books } = kiosk.backOffice;
	const invoice = books.find(hp) ?? books.addInvoice(hp, 100_000, new Date());
	Object.assign(invoice, { total: 100_000, is_paid: false, list_pembayaran: [] });
	return { hp, invoice };
}
const booked = (noinvoice: string) =>
	kiosk.backOffice.books.notes.filter((note) => note.noinvoice === noinvoice).map(({ nominal }) => nominal);
const isWell = async () => {
	await until(async () => expect((await kiosk.health()).outbox.count).toBe(0));
	expect((await kiosk.health()).parts.filter(({ part }) => /paid twice|dispute|parked/.test(part))).toEqual([]);
};

test.each(Object.entries(DELIVERIES))(
	'if answers to notes come as %s, the customer can pay and each note is booked once',
	async (_how, delivery) => {
		const { hp, invoice } = nextInvoice();
		const screen = await kiosk.screen();
		await kiosk.openCash(hp);
		odd = { paths: [NOTES], delivery };
		for (const nominal of [50_000, 50_000]) await feedNote(kiosk, nominal);
		const begun = performance.now();
		await until(() => expect(screen.of('payment_notification')).toContainEqual(expect.objectContaining({ id: invoice.id, is_paid: true })));
		expect(performance.now() - begun).toBeLessThan(15_000);
		expect(await kiosk.post('/kiosk/print', { id: invoice.id, of: 'invoice' })).toMatchObject({ status: 202 });
		expect(await kiosk.post('/kiosk/cash/close', { id: invoice.id })).toMatchObject({
			status: 200,
			body: { is_paid: true, received: 100_000 },
		});
		const again = await kiosk.call(`/payment/api/v1${LOOK_UP}`, { noinvoice: hp });
		expect(again.body.results).toMatchObject({ is_paid: true, total: 100_000 });
		odd = null;
		await isWell();
		expect(booked(invoice.noinvoice)).toEqual([50_000, 50_000]);
		screen.close();
	},
);

test.each(Object.entries(DELIVERIES))(
	'if answers to look-ups come as %s, the customer can pay and each note is booked once',
	async (_how, delivery) => {
		const { hp, invoice } = nextInvoice();
		const screen = await kiosk.screen();
		await kiosk.openCash(hp);
		await feedNote(kiosk, 50_000);
		await until(() => expect(booked(invoice.noinvoice)).toEqual([50_000]));
		odd = { paths: [LOOK_UP], delivery };
		const looking = kiosk.call(`/payment/api/v1${LOOK_UP}`, { noinvoice: hp });
		await feedNote(kiosk, 50_000);
		await until(() => expect(screen.of('payment_notification')).toContainEqual(expect.objectContaining({ id: invoice.id, is_paid: true })));
		const looked = await looking;
		if (looked.status === 200) expect((looked.body.results as { total: number }).total).toBe(100_000);
		odd = null;
		expect((await kiosk.lookUp(hp)).is_paid).toBe(true);
		await kiosk.post('/kiosk/cash/close', { id: invoice.id });
		await isWell();
		expect(booked(invoice.noinvoice)).toEqual([50_000, 50_000]);
		screen.close();
	},
);

test.each(Object.entries(DELIVERIES))(
	'if answers to a PIN and a staff list come as %s, the customer can pay by cash and card',
	async (_how, delivery) => {
		const { hp, invoice } = nextInvoice();
		const screen = await kiosk.screen();
		await terminalReady(screen);
		await kiosk.staff();
		odd = { paths: ['/login-pin-screen/', '/payment-group/'], delivery };
		const listed = fetch(`${kiosk.daemon.url}/payment/api/v1/payment-group/?offset=0&limit=10`, { headers: kiosk.session() });
		const slow = [kiosk.staff(), listed].map((answer) => answer.catch(() => undefined));
		await until(() => expect(delivered.toSorted()).toEqual(odd?.paths));
		await kiosk.openCash(hp);
		await feedNote(kiosk, 50_000);
		await until(() => expect(screen.of('payment_cash_notification')).toContainEqual(expect.objectContaining({ id: invoice.id })));
		await kiosk.post('/kiosk/cash/close', { id: invoice.id });
		const { id, odoo_id, noinvoice } = await kiosk.lookUp(hp);
		startCard(screen, { amount: 50_000, id, odoo_id, noinvoice });
		await tapCard(kiosk);
		await saleShown(screen, 'approved');
		await until(() => expect(screen.of('payment_notification')).toContainEqual(expect.objectContaining({ id: invoice.id, is_paid: true })));
		odd = null;
		await Promise.all(slow);
		await isWell();
		screen.close();
	},
);

const LOG_IN = '/login-outlet/';
/**
 * Logs an outlet in from a page that has no session.
 * @returns the status, or null if no answer came
 */
async function logInAs(username: string): Promise<number | null> {
	const body = new FormData();
	body.set('formData', JSON.stringify({ ...kiosk.backOffice.account, username }));
	kiosk.backOffice.account.username = username;
	return fetch(`${kiosk.daemon.url}/auth/login-outlet/`, { method: 'POST', body }).then(
		({ status }) => status,
		() => null,
	);
}

test.each(Object.entries(DELIVERIES))(
	'if the answer to a log-in comes as %s, and the outlet logs out or the kiosk restarts before this answer, the log-in has no effect',
	{ timeout: 60_000 },
	async (_how, delivery) => {
		const { username } = kiosk.backOffice.account;
		const asked = () => kiosk.backOffice.asked.filter(({ call }) => call === 'login').length;
		const slowLogIn = async () => {
			const before = asked();
			odd = { paths: [LOG_IN], delivery };
			const answered = logInAs('second-outlet');
			await until(() => expect(asked()).toBeGreaterThan(before));
			return { answered };
		};
		await kiosk.staff();
		const beforeLogOut = await slowLogIn();
		// If the answer came at once, the second outlet is logged in, this page's session has ended,
		// and the log-out is refused.
		if ((await kiosk.post('/kiosk/logout', {})).status === 204) {
			expect(await beforeLogOut.answered).not.toBe(200);
			expect((await kiosk.call(`/payment/api/v1${LOOK_UP}`, { noinvoice: '081234567890' })).status).toBe(401);
		} else expect(await beforeLogOut.answered).toBe(200);

		odd = null;
		kiosk.backOffice.account.username = username;
		await kiosk.login();
		const { hp, invoice } = nextInvoice();
		await kiosk.openCash(hp);
		await feedNote(kiosk, 50_000);
		await kiosk.post('/kiosk/cash/close', { id: invoice.id });
		await until(async () => expect((await kiosk.health()).outbox.count).toBe(0));
		// This part is skipped if the answer comes at once, because the answer would arrive before the
		// kiosk stops.
		if (delivery !== DELIVERIES[AT_ONCE]) {
			const beforeRestart = await slowLogIn();
			await kiosk.crash();
			expect(await beforeRestart.answered).not.toBe(200);
		}
		odd = null;
		kiosk.backOffice.account.username = username;
		expect(booked(invoice.noinvoice)).toEqual([50_000]);
		expect(await kiosk.lookUp(hp)).toMatchObject({ list_pembayaran: [{ nominal: 50_000 }] });
	},
);
