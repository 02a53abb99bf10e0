// @module-tag deep
/**
 * Page loads, other browsers and unusual server answers disturb a payment on the real screen. The
 * customer must still be able to pay.
 */
import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Printer } from '../simulators/printer/start.ts';
import { launchBrowser, logIn, typeNumber } from '../support/browser.ts';
import { tapCard } from '../support/card.ts';
import { feedNote } from '../support/feed-note.ts';
import { type Kiosk, printerSection } from '../support/kiosk.ts';
import { kioskForTest, printerForTest } from '../support/kiosk-for-test.ts';
import { until } from '../support/until.ts';

const BUDI = '081234567890';
const JOKO = '081200000008';
const LOOK_UP = 'get-invoice-info';
const SIZE = { viewport: { width: 1920, height: 1080 } };

let kiosk: Kiosk;
let printer: Printer;
let browser: Browser;
let page: Page;
beforeEach(async () => {
	printer = await printerForTest();
	kiosk = await kioskForTest({ login: false, settings: printerSection(printer.uri), edc: {} });
	browser = await launchBrowser();
	page = await browser.newPage(SIZE);
	await logIn(page, kiosk);
});
afterEach(() => browser.close());

const button = (name: RegExp | string) => page.getByRole('button', { name });
const seen = (words: string) => page.getByText(words).first().waitFor();
const ready = () => page.getByText('Ready', { exact: true }).waitFor();
const toCash = async (): Promise<void> => {
	await typeNumber(page, BUDI);
	await button(/Bayar Tunai/).click();
	await ready();
};
const feed = (nominal: number): Promise<void> => feedNote(kiosk, nominal);
const closed = () => until(() => expect(kiosk.acceptor.device.enabled).toBe(false));
const goesBack = () => expect(kiosk.acceptor.device.insert({ nominal: 50_000 })).toMatchObject({ taken: false });
const booked = () => kiosk.backOffice.books.notes.map(({ nominal }) => nominal);
/** Pays the rest of Budi's invoice in cash, up to the receipt. */
const payRest = async (): Promise<void> => {
	await seen('Rp 37.500');
	await ready();
	await feed(50_000);
	await button('Cetak').waitFor();
	await until(() => expect(printer.queue.receipts).toHaveLength(1));
	await until(() => expect(booked()).toEqual([100_000, 50_000]));
};

test('if the browser opens the home page during a cash payment, the next note is returned; entering the phone number resumes the payment', async () => {
	await toCash();
	await feed(100_000);
	await seen('Terima 1');
	await page.goto(`${kiosk.daemon.url}/`);
	await seen('Masukan nomor HP anda');
	await closed();
	goesBack();
	await typeNumber(page, BUDI);
	await payRest();
});

test('after browser back during a payment, the next note is returned; browser forward resumes the payment', async () => {
	await toCash();
	await feed(100_000);
	await seen('Terima 1');
	// The look-up is held, because its answer would lead back to the cash screen, which opens the
	// acceptor again.
	const lookUpHeld = Promise.withResolvers<void>();
	await page.route(`**/${LOOK_UP}/`, async (route) => {
		await lookUpHeld.promise;
		await route.continue();
	});
	await page.goBack();
	await closed();
	goesBack();
	await page.goForward();
	lookUpHeld.resolve();
	await payRest();
});

test('after the browser tab crashed, the acceptor takes no note, and the next browser resumes the payment', async () => {
	await toCash();
	await feed(100_000);
	await seen('Terima 1');
	await page.goto('chrome://crash').catch(() => undefined);
	await closed();
	goesBack();
	await browser.close();
	browser = await launchBrowser();
	page = await browser.newPage(SIZE);
	await page.goto(`${kiosk.daemon.startAddress()}&resume`);
	await payRest();
});

test('a log-in on another page during a payment does not interrupt the payment', async () => {
	await toCash();
	await feed(100_000);
	await seen('Terima 1');
	const other = await (await browser.newContext(SIZE)).newPage();
	await logIn(other, kiosk);
	await other.close();
	await payRest();
});

test('after the outlet is logged out on another page, the customer’s page leads to the log-in and the next note is returned; after a log-in the payment resumes', async () => {
	await toCash();
	await feed(100_000);
	await seen('Terima 1');
	const other = await (await browser.newContext(SIZE)).newPage();
	await logIn(other, kiosk);
	await typeNumber(other, '000000');
	await other.getByText('Masukan PIN').waitFor();
	for (const digit of kiosk.backOffice.account.pin) await other.getByRole('button', { name: digit, exact: true }).click();
	await other.getByRole('button', { name: 'Submit' }).click();
	await other.getByRole('button', { name: 'Menu staf' }).click();
	await other.getByRole('button', { name: 'Keluar akun' }).click();
	await other.getByRole('button', { name: 'Batal' }).click();
	expect(kiosk.daemon.events('session.logged_out')).toEqual([]);
	await other.getByRole('button', { name: 'Keluar akun' }).click();
	await other.getByRole('button', { name: 'Ya, keluar' }).click();
	await other.getByLabel('Username').waitFor();
	await closed();
	goesBack();
	await page.getByLabel('Username').waitFor();
	expect(await page.content()).not.toContain('Budi');
	await other.close();
	await logIn(page, kiosk);
	await typeNumber(page, BUDI);
	await payRest();
});

test('if a look-up answer has no data, the screen shows the server’s message; without an acceptor, Reload Mesin shows an error', async () => {
	kiosk.backOffice.change(LOOK_UP, () => ({
		status: 200,
		headers: { 'content-type': 'application/json' },
		body: '{"message":"Bengkel sedang tutup"}',
	}));
	await typeNumber(page, BUDI);
	await seen('Bengkel sedang tutup');
	kiosk.backOffice.change(LOOK_UP, null);
	await button(/Kembali/).click();
	await toCash();
	await feed(100_000);
	kiosk.acceptor.device.switchOff();
	await page.getByText('Ready', { exact: true }).waitFor({ state: 'detached' });
	await button('Reload Mesin').click();
	await seen('Error reload bill acceptor');
	kiosk.acceptor.device.switchOn();
	await payRest();
});

test('a payment_notification without is_paid means paid; with another id, another type or is_paid false it does not', async () => {
	await typeNumber(page, BUDI);
	await button(/Bayar Tunai/).waitFor();
	const { books } = kiosk.backOffice;
	const budi = books.find(BUDI);
	if (!budi) throw new Error('no such invoice');
	books.onPaid = ({ id }) => kiosk.backOffice.live.say({ type: 'payment_notification', id });
	for (const text of [
		{ type: 'payment_notification', id: 4711 },
		{ type: 'payment_notification', id: budi.id, is_paid: false },
		{ type: 'payment_notification ', id: budi.id },
	])
		kiosk.backOffice.live.say(text);
	await button(/Bayar Tunai/).click();
	await ready();
	expect(await button('Cetak').count()).toBe(0);
	books.pay(budi, 'va');
	await button('Cetak').waitFor();
	await closed();
	await seen('Masukan nomor HP anda');
	await typeNumber(page, JOKO);
	await button(/Bayar Non Tunai/).click();
	await button(/Kartu Debit BCA/).click();
	await tapCard(kiosk);
	await button('Cetak').waitFor();
	expect(booked()).toEqual([]);
});

test('if an invoice grows while the last note is stacked, the screen asks for the rest', async () => {
	await toCash();
	await feed(100_000);
	Object.assign(kiosk.backOffice.books.find(BUDI) ?? {}, { total: 190_000 });
	await feed(50_000);
	await seen('Rp 40.000');
	await ready();
	await feed(50_000);
	await button('Cetak').waitFor();
});
