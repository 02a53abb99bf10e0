import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Acceptor, startAcceptor } from '../../simulators/acceptor/start.ts';
import { type Edc, startEdc } from '../../simulators/edc/start.ts';
import { escposText } from '../../simulators/printer/escpos-text.ts';
import { type Printer, startPrinter } from '../../simulators/printer/start.ts';
import { launchBrowser } from '../../support/browser.ts';
import { type Daemon, freePort, startDaemon } from '../../support/daemon.ts';
import { daemonClock } from '../../support/daemon-clock.ts';
import { feedNote } from '../../support/feed-note.ts';
import { NOTES } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';
import type { Bill } from './bills.ts';
import { ACCOUNT, type Call, PATHS } from './calls.ts';
import { type OtherServer, startOtherServer } from './server.ts';

const QUICK = { startMs: 20, resetMs: 50, recogniseMs: 20, stackMs: 40, returnMs: 20 };
/** A busy machine may need this long for what takes a second. */
const LIMIT_MS = 15_000;
/** Longer than any regular answer of the second server. */
const CALL_MS = 5_000;
const LAST_LINES = 6;
/** Console messages about answers that are wrong on purpose. */
const EXPECTED = /^Failed to load resource|^answer does not fit/;
const PANEL = { width: 1920, height: 1080 };

/**
 * A kiosk of another dealership: the second server, the real daemon, simulated devices, a real
 * browser.
 */
export interface Walk {
	server: OtherServer;
	daemon: Daemon;
	acceptor: Acceptor;
	printer: Printer;
	edc: Edc;
	page: Page;
	/** Faults inside the page: exceptions and blocked contents. */
	faults: string[];
	/** All console messages of the page. */
	said: string[];
	/** A new page, logged in, on the home screen. */
	fresh(): Promise<void>;
	/** Enters a number on the home screen. */
	type(key: string): Promise<void>;
	press(name: string | RegExp): Promise<void>;
	sees(text: string | RegExp): Promise<void>;
	/** Must start to wait before the call is made. */
	answered(call: Call): Promise<unknown>;
	home(): Promise<void>;
	insert(nominal: number): Promise<void>;
	/** @returns the printed receipts so far, as text */
	paper(): string[];
	/** Log lines of screen and daemon about invalid answers. */
	oddities(): string[];
	/** Lets the daemon's monotonic clock run fast until that many ms have passed. */
	pass(ms: number): Promise<void>;
	stop(): Promise<void>;
}

/** Prints its seed; KIOSK_SEED repeats the walk. */
export async function startWalk(name: string): Promise<Walk> {
	const seed = Number(process.env.KIOSK_SEED ?? Date.now() % 1_000_000);
	process.stdout.write(`${name}: KIOSK_SEED=${seed}\n`);
	const directory = mkdtempSync(join(tmpdir(), 'other-'));
	const [server, acceptor, printer, edc, port] = await Promise.all([
		startOtherServer(seed),
		startAcceptor({ port: 0, timing: QUICK }),
		startPrinter({ port: 0, printMs: 50 }),
		startEdc({ port: 0, timing: { ackMs: 20, customerMs: 200 } }),
		freePort(),
	]);
	const settings = `[back_office]
url = "${server.url}"
socket_url = "${server.socketUrl}"
timeout_ms = ${CALL_MS}
[back_office.paths]
${server.paths}
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
	const [daemon, browser] = await Promise.all([startDaemon({ settings, directory, port, environment }), launchBrowser()]);
	let page = await openPage(browser, [], []);
	const walk: Walk = {
		server,
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
		insert: (nominal) => feedNote({ acceptor, daemon }, nominal),
		paper: () => printer.queue.receipts.map(({ data }) => escposText(data)),
		oddities: () =>
			daemon.log
				.filter(({ event }) => ['back_office.odd_answer', 'screen.fault', 'socket.odd_message'].includes(event))
				.map((line) => JSON.stringify(line)),
		pass,
		async stop() {
			await browser.close();
			await daemon.kill();
			await Promise.all([server.stop(), acceptor.stop(), printer.stop(), edc.stop()]);
			rmSync(directory, { recursive: true, force: true });
		},
	};
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
export async function logIn({ page, daemon, server }: Walk): Promise<void> {
	await page.goto(`${daemon.url}/login`);
	await page.getByLabel('Username').fill(ACCOUNT.username);
	await page.getByLabel('Password', { exact: true }).fill(ACCOUNT.password);
	await page.getByRole('button', { name: 'Submit' }).click();
	await page.getByText('Masukan nomor HP anda').waitFor();
	await until(() => expect(server.socket.open).toBeGreaterThan(0));
}

/**
 * After a visit no data of this customer is in the page, its storage, its history, its console or
 * the daemon's log.
 */
export async function leavesNothing({ page, said, daemon }: Walk, bill: Bill): Promise<void> {
	await page.getByText('Masukan nomor HP anda').waitFor();
	const words = [bill.id, bill.key, bill.noinvoice, bill.name, bill.plate].filter((word) => word !== null);
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
	// Staff find a payment in the log by its invoice.
	const person = words.filter((word) => word !== bill.id && word !== bill.noinvoice);
	expect(
		person.filter((word) => holds(JSON.stringify(daemon.log), word)),
		'left behind in the log',
	).toEqual([]);
}

/** Every picture with a size has loaded. */
export async function picturesShow({ page }: Walk): Promise<void> {
	await until(async () => {
		const broken = await page.evaluate(() =>
			[...document.images].filter((image) => image.offsetWidth > 0 && image.naturalWidth === 0).map((image) => image.src),
		);
		expect(broken).toEqual([]);
	});
}

/** Cashbox, journal and the server's books agree, and the contract was kept. */
export async function balances({ server, acceptor }: Walk): Promise<void> {
	await until(() =>
		expect([...server.notes.values()].map((note) => note.nominal)).toEqual(acceptor.device.stacked.map((note) => note.nominal)),
	);
	expect(server.complaints).toEqual([]);
	expect(server.socket.odd).toEqual([]);
}
