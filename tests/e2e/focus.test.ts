// @module-tag deep
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { logIn, shot, touchButtons, typeNumber } from '../support/browser.ts';
import { feedNote } from '../support/feed-note.ts';
import { focusFaults } from '../support/focus-walk.ts';
import { onEachPanel } from '../support/inspect.ts';
import type { Kiosk } from '../support/kiosk.ts';
import { kioskForTest } from '../support/kiosk-for-test.ts';
import { pageForTest } from '../support/page-for-test.ts';

const BUDI = '081234567890';
const QRIS_OPEN = '081200000003';
const VA_OPEN = '081200000004';
const LONG = '081200000007';

let kiosk: Kiosk;
let page: Page;

const see = (words: string | RegExp) => page.getByText(words).first().waitFor();
const press = (...names: (string | RegExp)[]) => touchButtons(page, ...names);
const wrong: string[] = [];

/**
 * Moves the focus with Tab through all controls of the screen and collects faults: missed controls,
 * a wrong order, invisible focus rings.
 */
async function walk(screen: string): Promise<void> {
	wrong.push(...(await focusFaults(page)).map((fault) => `${screen}: ${fault}`));
	await page.keyboard.press('Tab');
	await shot(page, `focus-${screen}`);
}
async function start(size: { width: number; height: number }): Promise<void> {
	wrong.length = 0;
	kiosk = await kioskForTest({ login: false, edc: {} });
	page = await pageForTest({ viewport: size, reducedMotion: 'reduce' });
}
async function lookUp(number: string): Promise<void> {
	await page.goto(kiosk.daemon.url);
	await see('Masukan nomor HP anda');
	await typeNumber(page, number);
}

onEachPanel('Tab reaches every control of seven customer screens in order, each with a visible ring', async (_, size) => {
	await start(size);
	await logIn(page, kiosk);
	// The keyboard types into the field without a touch. The typed text enables every on-screen key.
	await page.keyboard.type(LONG);
	await walk('home');
	await press('Lanjut');
	await see('Bayar Tunai');
	await walk('method');
	await press('Lihat rincian');
	await see('Bagian 1 dari');
	await walk('details');
	await press('Tutup rincian', /Bayar Non Tunai/, /Kartu Debit BCA/);
	await see('Silakan bayar');
	await walk('card');
	await lookUp(QRIS_OPEN);
	await page.getByAltText('Kode QR pembayaran').waitFor();
	await walk('qris');
	await lookUp(VA_OPEN);
	await see('Nomor Virtual Account');
	await walk('va');
	await lookUp(BUDI);
	await press(/Bayar Tunai/);
	await see('Ready');
	await feedNote(kiosk, 50_000);
	await see('Terima 1');
	await walk('cash');
	expect(wrong).toEqual([]);
});

test('Tab reaches every control of six staff screens in order, and each focused control has a visible ring', async () => {
	await start({ width: 1920, height: 1080 });
	await logIn(page, kiosk);
	await typeNumber(page, '000000');
	await see('Masukan PIN');
	await page.keyboard.type(kiosk.backOffice.account.pin);
	await walk('pin');
	await press('Submit');
	await page.getByRole('row').nth(1).waitFor();
	await walk('list');
	await page
		.getByRole('button', { name: /^Detail/ })
		.first()
		.click();
	await page.getByRole('dialog').waitFor();
	await walk('detail');
	await press('Cancel', 'Menu staf');
	await see('Hari ini');
	await walk('staff-home');
	await press('Hitung kotak uang');
	await see('Siapa yang menghitung?');
	await walk('box');
	await press('Kembali', 'Periksa struk');
	await page.getByRole('heading', { name: 'Periksa struk atau slip' }).waitFor();
	await walk('check');
	expect(wrong).toEqual([]);
});
