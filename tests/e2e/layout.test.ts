// @module-tag deep
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Printer } from '../simulators/printer/start.ts';
import { logIn, typeNumber } from '../support/browser.ts';
import { feedNote } from '../support/feed-note.ts';
import { inspectOnPanels, onEachPanel, SIZES } from '../support/inspect.ts';
import { type Kiosk, printerSection } from '../support/kiosk.ts';
import { kioskForTest, printerForTest } from '../support/kiosk-for-test.ts';
import { watchShifts } from '../support/layout-shift.ts';
import { inspectedPage } from '../support/page-for-test.ts';

/**
 * Limit of the browser's layout shift score. From a score of 0.1 on, people notice that a page
 * jumps.
 */
const MOST_SHIFT = 0.02;

let kiosk: Kiosk;
let printer: Printer;
let page: Page;

async function start(size: { width: number; height: number }): Promise<void> {
	printer = await printerForTest();
	kiosk = await kioskForTest({ login: false, settings: printerSection(printer.uri), edc: { lines: 'qris = true' } });
	page = await inspectedPage(size);
}

const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
const see = (words: string) => page.getByText(words, { exact: true }).first().waitFor();

onEachPanel('between the entry of the number, the receipt and the return to home, no element jumps', async (_, size) => {
	await start(size);
	const shifts = await watchShifts(page);
	await logIn(page, kiosk);
	await page.getByText('Online').waitFor();
	await shifts.since();
	const still = async (step: string) => {
		const { sum, moved } = await shifts.since();
		expect(sum, `${step}: ${moved.join(', ')}`).toBeLessThanOrEqual(MOST_SHIFT);
	};
	await typeNumber(page, '089999999999');
	await page.getByText('Invoice tidak ditemukan').waitFor();
	await still('from home to an unknown number');
	await press('Kembali');
	await see('Masukan nomor HP anda');
	await still('back home');
	await typeNumber(page, '081234567890');
	await page.getByRole('button', { name: /Bayar Tunai/ }).waitFor();
	await still('from home to the methods');
	await press('Lihat rincian');
	await press('Tutup rincian');
	await still('the details of the invoice');
	await press(/Bayar Non Tunai/);
	await see('Kartu Debit BCA');
	await still('the methods without cash');
	await press(/^QRIS Scan dengan/);
	await page.getByAltText('Kode QR pembayaran').waitFor();
	await still('from the methods to a code');
	await press('Pilih Metode Pembayaran Lain');
	await page.getByText('QRIS masih terbuka.').waitFor();
	await still('from the code back to the methods');
	await press(/Bayar Tunai/);
	await see('Ready');
	await still('from the methods to cash');
	await feedNote(kiosk, 100_000);
	await see('Terima 1');
	await still('the first note');
	await feedNote(kiosk, 50_000);
	await page.getByRole('heading', { name: 'Lunas' }).waitFor();
	await still('the last note to paid');
	await page.getByText('Struk sudah dicetak').waitFor();
	await still('the receipt');
	await press('Cetak');
	await page.getByText('Struk sudah dicetak').waitFor();
	await still('a copy of the receipt');
	await see('Masukan nomor HP anda');
	await still('from paid to home');
});

test('the attract picture fits every panel, and a touch that ends the picture presses no key under it', async () => {
	await start(SIZES.landscape);
	await page.clock.install();
	await logIn(page, kiosk);
	await page.clock.fastForward(61_000);
	await page.getByText('Sentuh untuk bayar').waitFor();
	await inspectOnPanels(page, 'attract');
	// Touches the picture where a key lies below it.
	await page.mouse.click(960, 600);
	await page.getByRole('dialog').waitFor({ state: 'detached' });
	expect(await page.getByLabel('Masukan nomor HP anda').inputValue()).toBe('');
	await page.keyboard.type('0812');
	expect(await page.getByLabel('Masukan nomor HP anda').inputValue()).toBe('0812');
});

test('the details of a long invoice fit every panel and can be paged forward and back', async () => {
	await start(SIZES.landscape);
	await logIn(page, kiosk);
	await typeNumber(page, '081200000007');
	await page.getByRole('button', { name: /Bayar Tunai/ }).waitFor();
	await press('Lihat rincian');
	await page.getByText('Bagian 1 dari').waitFor();
	await inspectOnPanels(page, 'details');
	await press('Berikutnya');
	await page.getByText('Bagian 2 dari').waitFor();
	await press('Sebelumnya');
	await page.getByText('Bagian 1 dari').waitFor();
	await press('Tutup rincian');
	await page.getByRole('dialog').waitFor({ state: 'detached' });
});
