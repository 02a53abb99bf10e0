import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Acceptor, startAcceptor } from '../../simulators/acceptor/start.ts';
import { referenceOf } from '../../simulators/back-office/calls.ts';
import type { WrittenAnswer } from '../../simulators/back-office/dialect.ts';
import { type Invoice, openPayment, receivedFor } from '../../simulators/back-office/invoice.ts';
import {
	type Oddity,
	OTHER_ACCOUNT,
	OTHER_MAX_TO_VA,
	otherDealer,
	otherInvoice,
	PATHS,
} from '../../simulators/back-office/other-dealer.ts';
import { qrisPayload } from '../../simulators/back-office/qris.ts';
import { type BackOffice, startBackOffice } from '../../simulators/back-office/start.ts';
import { jakartaIso } from '../../simulators/back-office/time.ts';
import { type Edc, startEdc } from '../../simulators/edc/start.ts';
import { escposText } from '../../simulators/printer/escpos-text.ts';
import { type Printer, startPrinter } from '../../simulators/printer/start.ts';
import { sharedBrowser } from '../../support/browser.ts';
import { type Daemon, freePort, startDaemon } from '../../support/daemon.ts';
import { daemonClock } from '../../support/daemon-clock.ts';
import { feedNote } from '../../support/feed-note.ts';
import { NOTES } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

const QUICK = { startMs: 20, resetMs: 50, recogniseMs: 20, stackMs: 40, returnMs: 20 };
/** Limit of a wait. A wait usually takes a second, but a busy computer may need this long. */
const LIMIT_MS = 15_000;
/** Time limit of a call. It is longer than any correct answer of this server takes. */
const CALL_MS = 5_000;
const LAST_LINES = 6;
/** Console messages that tests cause on purpose by invalid answers. */
const EXPECTED = /^Failed to load resource|^answer does not fit/;
const PANEL = { width: 1920, height: 1080 };

/** Longer than any correct message, in characters. */
const HUGE = 200_000;
/** The smallest PNG: one grey dot. */
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==', 'base64');

/** A redirect to another address. */
export const REDIRECT: WrittenAnswer = { status: 302, body: '', type: 'text/html', location: '/masuk/' };
/** Answer of a proxy while its server restarts. */
export const BAD_GATEWAY: WrittenAnswer = { status: 502, body: '<html><h1>502 Bad Gateway</h1></html>', type: 'text/html' };

/** The QRIS code's text, as a banking app reads it. */
export const qrText = (bill: Invoice): string => qrisPayload(bill.total - receivedFor(bill), referenceOf(bill));
export const linesOf = (bill: Invoice) => bill.list_invoice.flatMap(({ detail }) => detail);

/** Fields of an invoice whose QRIS code was created earlier. */
export function qrisCode(qr_url: string, expires: Date): Partial<Invoice> {
	const fields = {} as Invoice;
	openPayment(fields, 'qris', { expiry_time: jakartaIso(expires), qr_url });
	return fields;
}

/**
 * What a walk through the screens uses: another dealer's back office with its own conventions, the
 * real daemon, simulated devices and a real browser.
 */
export interface Walk {
	office: BackOffice;
	/** Address of a picture at the server. */
	picture: string;
	/** Adds an invoice. @param total rupiah */
	bill(total: number, wanted?: Partial<Invoice> & Oddity): Invoice;
	/** Marks the invoice as paid elsewhere and announces this to the kiosk `times` times. */
	pay(bill: Invoice, times?: number): void;
	/**
	 * Sends many kinds of invalid messages about this invoice. None of these messages pays the
	 * invoice.
	 */
	noise(bill: Invoice): void;
	daemon: Daemon;
	acceptor: Acceptor;
	printer: Printer;
	edc: Edc;
	page: Page;
	/** Errors in the page: exceptions and console errors that the test does not expect. */
	faults: string[];
	/** All console messages of the page. */
	said: string[];
	/** Opens a new page, logs in and shows the home screen. */
	fresh(): Promise<void>;
	/** Enters a number on the home screen. */
	type(key: string): Promise<void>;
	press(name: string | RegExp): Promise<void>;
	sees(text: string | RegExp): Promise<void>;
	/** Waits for the answer to a call of the page. Start the wait before the page makes the call. */
	answered(call: keyof typeof PATHS): Promise<unknown>;
	home(): Promise<void>;
	/** Opens the home screen. @returns the number of receipts printed so far */
	toHome(): Promise<number>;
	insert(nominal: number): Promise<void>;
	/** @returns the printed receipts so far, as text */
	paper(): string[];
	/** Log lines of screen and daemon about invalid answers. */
	oddities(): string[];
	/** Speeds up the daemon's monotonic clock until this many ms have passed. */
	pass(ms: number): Promise<void>;
	stop(): Promise<void>;
}

/**
 * Starts a walk with a logged-in page on the home screen. Prints the seed of the walk. The
 * environment variable KIOSK_SEED sets the seed, to repeat a walk.
 */
export async function startWalk(name: string): Promise<Walk> {
	const seed = Number(process.env.KIOSK_SEED ?? Date.now() % 1_000_000);
	process.stdout.write(`${name}: KIOSK_SEED=${seed}\n`);
	const directory = mkdtempSync(join(tmpdir(), 'other-'));
	const officePort = await freePort();
	// Uses the server's own origin, the only private address from which the kiosk fetches pictures.
	const picture = `http://127.0.0.1:${officePort}/pictures/kode.png`;
	const dealer = otherDealer(seed, picture);
	const [office, acceptor, printer, edc, port] = await Promise.all([
		startBackOffice({ port: officePort, account: OTHER_ACCOUNT, maxToVa: OTHER_MAX_TO_VA, dialect: dealer }),
		startAcceptor({ port: 0, timing: QUICK }),
		startPrinter({ port: 0, printMs: 50 }),
		startEdc({ port: 0, timing: { ackMs: 20, customerMs: 200 } }),
		freePort(),
	]);
	office.pictures = (request, response) => {
		const found = request.url?.endsWith('.png') === true;
		response.writeHead(found ? 200 : 404, { 'Content-Type': 'image/png' }).end(found ? PNG : '');
	};
	const settings = `[back_office]
url = "${office.url}"
socket_url = "${office.url.replace('http', 'ws')}/siaran?kunci={token}"
timeout_ms = ${CALL_MS}
[back_office.paths]
${Object.entries(PATHS)
	.map(([call, path]) => `${call} = "${path}"`)
	.join('\n')}
[acceptor]
port = "tcp:127.0.0.1:${acceptor.port}"
${NOTES}
[edc]
port = "tcp:127.0.0.1:${edc.port}"
[printer]
uri = "${printer.uri}"
per_minute = 600
`;
	const { environment, pass } = daemonClock(directory, 40);
	const [daemon, browser] = await Promise.all([startDaemon({ settings, directory, port, environment }), sharedBrowser()]);
	let page = await openPage(browser, [], []);
	// Card payments stay unbooked, as at a server that books them late or never.
	office.books.manners.booksCards = false;
	let bills = 0;
	const walk: Walk = {
		office,
		picture,
		bill(total, { codeInside, qrPicture, oddData, ...wanted } = {}) {
			bills += 1;
			const bill = otherInvoice(bills, total, wanted);
			dealer.odd.set(bill.noinvoice, { ...(codeInside && { codeInside }), ...(qrPicture && { qrPicture }), oddData });
			office.books.invoices.push(bill);
			return bill;
		},
		pay(bill, times = 3) {
			bill.is_paid = true;
			for (let time = 0; time < times; time += 1) office.tellPaid(bill);
		},
		noise: (bill) => noise(office, bill),
		daemon,
		acceptor,
		printer,
		edc,
		faults: [],
		said: [],
		get page() {
			return page;
		},
		async fresh() {
			await page.context().close();
			walk.faults.length = 0;
			page = await openPage(browser, walk.faults, walk.said);
			await logIn(walk);
		},
		async type(key) {
			await page.getByRole('textbox').fill(key);
			await page.getByRole('button', { name: 'Lanjut' }).click();
		},
		press: (named) => page.getByRole('button', { name: named }).first().click(),
		async sees(text) {
			const found = page.getByText(text).filter({ visible: true }).first();
			await found.waitFor().catch(async () => {
				const words = (await page.locator('body').ariaSnapshot()).replaceAll(/\s+/g, ' ');
				const last = daemon.log.slice(-LAST_LINES).map((line) => JSON.stringify(line));
				throw new Error(`no "${text}" in "${words}"; the log ends with\n${last.join('\n')}`);
			});
		},
		answered: (call) => page.waitForResponse((response) => new URL(response.url()).pathname.startsWith(PATHS[call].replace('{id}', ''))),
		home: () => page.getByText('Masukan nomor HP anda').waitFor(),
		async toHome() {
			await page.goto(daemon.url);
			await walk.home();
			return walk.paper().length;
		},
		insert: (nominal) => feedNote({ acceptor, daemon }, nominal),
		paper: () => printer.queue.receipts.map(({ data }) => escposText(data)),
		oddities: () =>
			daemon.log
				.filter(({ event }) => ['back_office.odd_answer', 'screen.fault', 'socket.odd_message'].includes(event))
				.map((line) => JSON.stringify(line)),
		pass,
		async stop() {
			await page.context().close();
			await daemon.kill();
			await Promise.all([office.stop(), acceptor.stop(), printer.stop(), edc.stop()]);
			rmSync(directory, { recursive: true, force: true });
		},
	};
	try {
		await walk.fresh();
	} catch (error) {
		// A running daemon would keep the test runner from ending.
		await walk.stop();
		throw error;
	}
	return walk;
}

async function openPage(browser: Browser, faults: string[], said: string[]): Promise<Page> {
	const page = await browser.newPage({ viewport: PANEL, reducedMotion: 'reduce', timezoneId: 'Asia/Jakarta' });
	page.setDefaultTimeout(LIMIT_MS);
	page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
	page.on('console', (message) => {
		said.push(message.text());
		if (message.type() === 'error' && !EXPECTED.test(message.text())) faults.push(message.text());
	});
	return page;
}

/** Logs in as staff do, and waits until the live socket is open. */
export async function logIn({ page, daemon, office }: Walk): Promise<void> {
	await page.goto(`${daemon.url}/login`);
	await page.getByLabel('Username').fill(OTHER_ACCOUNT.username);
	await page.getByLabel('Password', { exact: true }).fill(OTHER_ACCOUNT.password);
	await page.getByRole('button', { name: 'Submit' }).click();
	await page.getByText('Masukan nomor HP anda').waitFor();
	await until(() => expect(office.live.count()).toBeGreaterThan(0));
}

/**
 * Checks after a visit that page, storage, history, console and log contain no data of this
 * customer. Only the log may name the invoice.
 */
export async function leavesNothing({ page, said, daemon }: Walk, bill: Invoice): Promise<void> {
	await page.getByText('Masukan nomor HP anda').waitFor();
	const words = [String(bill.id), bill.hp, bill.noinvoice, bill.konsumen_name, bill.nopol].filter((word) => word !== '');
	const left = await page.evaluate(() => ({
		page: document.documentElement.outerHTML,
		typed: [...document.querySelectorAll('input')].map((input) => input.value),
		session: { ...sessionStorage },
		local: { ...localStorage },
		history: history.state as unknown,
		address: location.href,
		title: document.title,
		cookies: document.cookie,
	}));
	const holds = (text: string, word: string): boolean => text.includes(JSON.stringify(word).slice(1, -1));
	expect(
		words.filter((word) => holds(JSON.stringify(left), word)),
		'left behind on the screen',
	).toEqual([]);
	expect(
		words.filter((word) => holds(said.join('\n'), word)),
		'left behind on the console',
	).toEqual([]);
	// Staff find payments in the log by the invoice.
	const person = words.filter((word) => word !== bill.id && word !== bill.noinvoice);
	expect(
		person.filter((word) => holds(JSON.stringify(daemon.log), word)),
		'left behind in the log',
	).toEqual([]);
}

/** Waits until every visible picture has loaded. */
export async function picturesShow({ page }: Walk): Promise<void> {
	await until(async () => {
		const broken = await page.evaluate(() =>
			[...document.images].filter((image) => image.offsetWidth > 0 && image.naturalWidth === 0).map((image) => image.src),
		);
		expect(broken).toEqual([]);
	});
}

/** Checks that the server's books match the cashbox and that the kiosk kept the contract. */
export async function balances({ office, acceptor }: Walk): Promise<void> {
	await until(() => expect(office.books.notes.map((note) => note.nominal)).toEqual(acceptor.device.stacked.map((note) => note.nominal)));
	expect(office.complaints).toEqual([]);
	expect(office.live.odd).toEqual([]);
}

function noise({ live }: BackOffice, bill: Invoice): void {
	const about = { type: 'payment_notification', id: bill.id };
	live.sayRaw('bukan JSON {');
	live.sayRaw('');
	live.sayRaw('null');
	live.sayRaw('[1,2]');
	live.sayRaw(JSON.stringify({ text: null }));
	live.sayRaw(JSON.stringify({ text: 'bukan JSON juga' }));
	live.sayRaw(JSON.stringify({ message: 'pong' }));
	live.sayRaw(JSON.stringify({ text: { ...about, is_paid: true, bantal: 'x'.repeat(HUGE), id: randomUUID() } }));
	live.sayRaw('x'.repeat(HUGE));
	for (const text of [
		{ type: 'payment_notification', is_paid: true },
		{ type: 'payment_notification', id: { nomor: bill.id }, is_paid: true },
		{ type: 'payment_notification', id: randomUUID(), is_paid: true },
		{ type: 'payment_notification', id: null, is_paid: true },
		{ ...about, is_paid: false },
		{ ...about, is_paid: 0 },
		{ type: 'payment_cash_notification', id: bill.id, nominal: 100_000, is_paid: false, time: null },
		{ type: 'machine_ready', is_ready: true, ict_text: 'Mesin orang lain' },
		{ type: 'payment_edc_bca_notification', event: 'transaction_response', data: { respCode: '00' } },
		{ type: 42, id: bill.id, is_paid: true },
		{ id: bill.id, is_paid: true },
		{ type: 'promo_baru', judul: null },
	])
		live.say(text);
}
