// @module-tag deep
/** The daemon detects a dead screen, and the restarted browser resumes the payment. */
import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Printer } from '../simulators/printer/start.ts';
import { launchBrowser, logIn, typeNumber } from '../support/browser.ts';
import { tapCard } from '../support/card.ts';
import { type Kiosk, printerSection } from '../support/kiosk.ts';
import { kioskForTest, printerForTest } from '../support/kiosk-for-test.ts';
import { until } from '../support/until.ts';

const BUDI = '081234567890';
const CARD = '081200000007';
/**
 * Time limit, ms, within which the daemon notices a dead screen: three missed reports, of which one
 * is due every five seconds, plus time for a busy computer.
 */
const LIMIT_MS = 45_000;

let kiosk: Kiosk;
let printer: Printer;
let browser: Browser;
let page: Page;
beforeEach(async () => {
	printer = await printerForTest();
	kiosk = await kioskForTest({ login: false, settings: printerSection(printer.uri), edc: {} });
	browser = await launchBrowser();
	page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
	await logIn(page, kiosk);
});
afterEach(() => browser.close());

const alive = async (): Promise<number> => (await fetch(`${kiosk.daemon.url}/kiosk/alive`)).status;
const lives = () => until(async () => expect(await alive()).toBe(204), LIMIT_MS);
const dies = () => until(async () => expect(await alive()).toBe(503), LIMIT_MS);

/** Restarts the browser as systemd does: with an empty profile, at the start address. */
async function startAnew(): Promise<void> {
	await browser.close();
	browser = await launchBrowser();
	page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
	await page.goto(`${kiosk.daemon.startAddress()}&resume`);
	expect(page.url()).not.toContain('secret');
}
const button = (name: RegExp) => page.getByRole('button', { name });
const seen = (words: string) => page.getByText(words).first().waitFor();

/** Blocks the renderer. */
const hang = () =>
	void page
		.evaluate(() => {
			for (;;);
		})
		.catch(() => undefined);
const crash = () => void page.goto('chrome://crash').catch(() => undefined);
const blank = () => void page.goto('about:blank').catch(() => undefined);

describe('after a dead screen is restarted, the payment resumes', () => {
	test('after a renderer hung during a cash payment, the new browser shows the note and takes the remaining amount', async () => {
		await typeNumber(page, BUDI);
		await button(/Bayar Tunai/).click();
		await page.getByText('Ready', { exact: true }).waitFor();
		await until(() => expect(kiosk.acceptor.device.insert({ nominal: 100_000 })).toEqual({ taken: true }));
		await seen('Terima 1');
		await lives();
		hang();
		await dies();
		await startAnew();
		await seen('Terima 1');
		await seen('Rp 37.500');
		await lives();
		await page.getByText('Ready', { exact: true }).waitFor();
		await until(() => expect(kiosk.acceptor.device.insert({ nominal: 50_000 })).toEqual({ taken: true }));
		await seen('Lunas');
		await until(() => expect(kiosk.backOffice.books.notes.map((note) => note.nominal)).toEqual([100_000, 50_000]));
	});

	test('after a renderer crashed during a card payment, the new browser shows the same sale', async () => {
		await typeNumber(page, CARD);
		await button(/Bayar Non Tunai/).click();
		await button(/Kartu Debit BCA/).click();
		await seen('Silakan bayar di mesin EDC');
		await lives();
		crash();
		await dies();
		await startAnew();
		await seen('Silakan bayar di mesin EDC');
		await tapCard(kiosk);
		await seen('Lunas');
		await until(() => expect(kiosk.backOffice.books.approvals).toHaveLength(1));
	});

	test('after the page became blank with a QRIS code open, the new browser shows the code again', async () => {
		await typeNumber(page, BUDI);
		await button(/Bayar Non Tunai/).click();
		await button(/QRIS/).first().click();
		await seen('Scan');
		await lives();
		blank();
		await dies();
		await startAnew();
		await seen('Scan');
		await lives();
	});
});

test('a page that runs but draws nothing counts as dead until it draws again', async () => {
	await lives();
	await page.evaluate(() => document.getElementById('root')?.style.setProperty('opacity', '0'));
	await dies();
	expect((await kiosk.health()).parts.find(({ part }) => part === 'screen')?.state).toBe('fail');
	await page.evaluate(() => document.getElementById('root')?.style.removeProperty('opacity'));
	await lives();
}, 180_000);

test('while the page draws nothing, the acceptor is closed; with the next frame the acceptor opens for the same payment', async () => {
	await kiosk.stop();
	kiosk = await kioskForTest({ login: false, screen: 'frozen_ms = 20000' });
	await logIn(page, kiosk);
	await typeNumber(page, BUDI);
	await button(/Bayar Tunai/).click();
	await page.getByText('Ready', { exact: true }).waitFor();
	await until(() => expect(kiosk.acceptor.device.insert({ nominal: 20_000 })).toEqual({ taken: true }));
	await seen('Terima 1');
	await page.evaluate(() => document.getElementById('root')?.style.setProperty('opacity', '0'));
	const cash = async () => (await kiosk.health()).parts.find(({ part }) => part === 'cash')?.text;
	await until(async () => expect(await cash()).toContain('has drawn nothing'), LIMIT_MS);
	await until(() => expect(kiosk.acceptor.device.insert({ nominal: 100_000 })).toMatchObject({ taken: false }));
	await page.evaluate(() => document.getElementById('root')?.style.removeProperty('opacity'));
	await page.getByText('Ready', { exact: true }).waitFor();
	await until(() => expect(kiosk.acceptor.device.insert({ nominal: 20_000 })).toEqual({ taken: true }));
	await seen('Terima 2');
	expect(kiosk.daemon.events('cash.opened')).toHaveLength(1);
}, 180_000);

test('if the customer has returned to the home screen, a new browser does not resume the visit', async () => {
	await typeNumber(page, BUDI);
	await button(/Bayar Tunai/).waitFor();
	await button(/Kembali/).click();
	await seen('Masukan nomor HP anda');
	await until(async () =>
		expect(await (await fetch(`${kiosk.daemon.url}/kiosk/visit`, { headers: kiosk.session() })).json()).toEqual({ visit: null }),
	);
	await startAnew();
	await seen('Masukan nomor HP anda');
	await lives();
	expect(new URL(page.url()).pathname).toBe('/');
});

test('a page that is opened without the start address resumes no visit', async () => {
	await typeNumber(page, BUDI);
	await button(/Bayar Tunai/).waitFor();
	await lives();
	await page.context().close();
	page = await browser.newPage();
	await logIn(page, kiosk);
	await lives();
	expect(new URL(page.url()).pathname).toBe('/');
});
