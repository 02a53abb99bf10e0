// @module-tag deep
/** Late answers and taps of one customer must not affect the next customer or the next step. */
import type { Page, Route } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import type { Printer } from '../simulators/printer/start.ts';
import { logIn, typeNumber } from '../support/browser.ts';
import { tapCard } from '../support/card.ts';
import { feedNote } from '../support/feed-note.ts';
import { type Kiosk, printerSection } from '../support/kiosk.ts';
import { kioskForTest, printerForTest } from '../support/kiosk-for-test.ts';
import { pageForTest } from '../support/page-for-test.ts';
import { until } from '../support/until.ts';

const BUDI = '081234567890';
const JOKO = '081200000008';
const LARGE = '081200000005';
const QRIS_EXPIRED = '081200000012';

let kiosk: Kiosk;
let printer: Printer;
let page: Page;
beforeEach(async () => {
	printer = await printerForTest();
	kiosk = await kioskForTest({ login: false, settings: printerSection(printer.uri), edc: {} });
	page = await pageForTest();
	await logIn(page, kiosk);
});

const button = (name: RegExp | string) => page.getByRole('button', { name });
const seen = (words: string) => page.getByText(words).first().waitFor();
const path = () => new URL(page.url()).pathname;
const invoiceOf = (hp: string) => {
	const invoice = kiosk.backOffice.books.find(hp);
	if (invoice === undefined) throw new Error(`no invoice for ${hp}`);
	return invoice;
};
const toCash = async (hp: string): Promise<void> => {
	await typeNumber(page, hp);
	await button(/Bayar Tunai/).click();
	await page.getByText('Ready', { exact: true }).waitFor();
};

/**
 * Holds the first call to this path before it reaches the daemon.
 * @returns `held` resolves once the call is held; `pass` sends the call on and waits for its answer
 */
async function hold(pattern: string): Promise<{ held: Promise<void>; pass: () => Promise<void> }> {
	const waiting = Promise.withResolvers<Route>();
	let first = true;
	await page.route(pattern, async (route) => {
		if (!first) return route.continue();
		first = false;
		waiting.resolve(route);
	});
	return {
		held: waiting.promise.then(() => undefined),
		pass: async () => {
			const route = await waiting.promise;
			const answer = await route.fetch();
			await route.fulfill({ response: answer });
		},
	};
}

test('if the call that closes the cash session reaches the daemon late, the next customer does not see LUNAS or the previous customer’s money', async () => {
	await toCash(BUDI);
	await feedNote(kiosk, 100_000);
	await seen('Terima 1');
	const close = await hold('**/kiosk/cash/close');
	await button('Kembali').click();
	await button('Ya, kembali').click();
	await close.held;
	kiosk.backOffice.books.pay(invoiceOf(BUDI), 'va');
	await button('Cetak').waitFor();
	await button('Kembali').click();
	await seen('Masukan nomor HP anda');
	await toCash(LARGE);
	await close.pass();
	await feedNote(kiosk, 20_000);
	await seen('Terima 1');
	expect(await page.getByText('Terima 2').count()).toBe(0);
	expect(await button('Cetak').count()).toBe(0);
	expect(path()).toBe('/cash-payment');
});

test('if a payment arrives while the question about leaving is open, the next customer does not see this question', async () => {
	await toCash(BUDI);
	await feedNote(kiosk, 100_000);
	await seen('Terima 1');
	await button('Kembali').click();
	await seen('Tinggalkan pembayaran ini?');
	kiosk.backOffice.books.pay(invoiceOf(BUDI), 'va');
	await button('Cetak').waitFor();
	await button('Kembali').click();
	await toCash(JOKO);
	expect(await page.getByRole('dialog').count()).toBe(0);
});

test('taps on two methods in quick succession open only one method', async () => {
	await typeNumber(page, BUDI);
	await button(/Bayar Non Tunai/).click();
	await page.getByText('Kartu Debit BCA', { exact: true }).waitFor();
	await page.evaluate(() => {
		const tile = (words: string) => [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.startsWith(words));
		const [card, qris] = [tile('Kartu Debit BCA'), tile('QRIS')];
		card?.click();
		const next = new MessageChannel();
		next.port1.onmessage = () => qris?.click();
		next.port2.postMessage(null);
	});
	await seen('PETUNJUK PEMBAYARAN');
	await tapCard(kiosk);
	await button('Cetak').waitFor();
	expect(kiosk.backOffice.calls.filter(({ path: called }) => called.endsWith('/payment/'))).toEqual([]);
});

test('if the customer leaves while the kiosk cancels an expired code to replace it, no new code is opened', async () => {
	await typeNumber(page, QRIS_EXPIRED);
	const cancel = await hold('**/cancel-payment/');
	await button('Buat kode baru').click();
	await cancel.held;
	await button('Kembali').click();
	await seen('Masukan nomor HP anda');
	await toCash(BUDI);
	await cancel.pass();
	await feedNote(kiosk, 100_000);
	await seen('Terima 1');
	expect(kiosk.backOffice.calls.filter(({ path: called }) => called.endsWith('/payment/'))).toEqual([]);
});

test('after browser back from the paid screen, a new invoice of the same phone number is shown as unpaid', async () => {
	await toCash(BUDI);
	kiosk.backOffice.books.pay(invoiceOf(BUDI), 'va');
	await button('Cetak').waitFor();
	const next = { ...invoiceOf(JOKO), hp: BUDI };
	kiosk.backOffice.books.invoices.push(Object.assign(next, { id: 4_242, noinvoice: 'INV/2026/11/4242', total: 75_000 }));
	await page.goBack();
	await seen('INV/2026/11/4242');
	await button(/Bayar Tunai/).waitFor();
	expect(await button('Cetak').count()).toBe(0);
});

test('if the browser’s storage is cleared during a cash payment, no note is lost and LUNAS is shown', async () => {
	await toCash(BUDI);
	await feedNote(kiosk, 100_000);
	await seen('Terima 1');
	await page.evaluate(() => {
		sessionStorage.clear();
		localStorage.clear();
	});
	await feedNote(kiosk, 50_000);
	await button('Cetak').waitFor();
	await until(() => expect(printer.queue.receipts).toHaveLength(1));
	await seen('Masukan nomor HP anda');
});
