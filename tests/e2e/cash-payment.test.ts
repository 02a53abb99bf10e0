import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Printer } from '../simulators/printer/start.ts';
import { logIn, shot, typeNumber } from '../support/browser.ts';
import { feedNote } from '../support/feed-note.ts';
import { type Kiosk, printerSection } from '../support/kiosk.ts';
import { kioskForTest, printerForTest } from '../support/kiosk-for-test.ts';
import { pageForTest } from '../support/page-for-test.ts';
import { until } from '../support/until.ts';

const BUDI = '081234567890';

let kiosk: Kiosk;
let printer: Printer;
let page: Page;

async function start(settings = ''): Promise<void> {
	printer = await printerForTest();
	kiosk = await kioskForTest({ login: false, settings: printerSection(printer.uri) + settings });
	page = await pageForTest();
	await logIn(page, kiosk);
}

/** Enters the number on the keypad, chooses cash and waits until the acceptor takes notes. */
async function toCash(hp: string): Promise<void> {
	await typeNumber(page, hp);
	await page.getByRole('button', { name: /Bayar Tunai/ }).click();
	await page.getByText('Ready', { exact: true }).waitFor();
}

const insert = (nominal: number): Promise<void> => feedNote(kiosk, nominal);

const booked = () => kiosk.backOffice.books.notes.map((note) => note.nominal);

test('[spec 2.6.6, 6.3] a customer pays 137.500 with 100.000 + 50.000, sees Lebih Bayar 12.500 and gets a receipt, and the kiosk goes home', async () => {
	await start();
	await toCash(BUDI);
	await page.getByText('Budi Santoso').waitFor();
	await insert(100_000);
	await page.getByText('Terima 1').waitFor();
	await page.getByText('Rp 37.500').waitFor();
	await shot(page, 'cash-one-note');
	await insert(50_000);
	await page.getByText('Rp 12.500').first().waitFor();
	await page.getByRole('button', { name: 'Cetak' }).waitFor();
	await shot(page, 'cash-paid');
	expect(await page.getByText('Lebih Bayar').count()).toBeGreaterThan(0);
	await until(() => expect(printer.queue.receipts).toHaveLength(1));
	await page.getByText('Masukan nomor HP anda').waitFor();
	const paper = printer.queue.receipts[0]?.data.toString('latin1') ?? '';
	expect(paper).toMatch(/Nomor +INV\/2026\/11\/0042/);
	expect(paper).toMatch(/Lebih Bayar +Rp 12\.500/);
	expect(booked()).toEqual([100_000, 50_000]);
	// Neither the page nor its session storage contains the customer's name or phone number.
	expect(await page.content()).not.toContain('Budi');
	expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toMatch(/08123456|Budi/);
});

test('an invoice whose data exceed the browser’s storage can be paid in cash, even after a reload', { tags: 'deep' }, async () => {
	await start();
	const budi = kiosk.backOffice.books.find(BUDI);
	if (budi) Object.assign(budi, { logo: `data:image/png;base64,${'A'.repeat(600_000)}`, poster: 'x'.repeat(6_000_000) });
	await toCash(BUDI);
	await insert(50_000);
	await page.getByText('Terima 1').waitFor();
	await page.reload();
	await page.getByText('Ready', { exact: true }).waitFor();
	await insert(100_000);
	await page.getByRole('button', { name: 'Cetak' }).waitFor();
	await until(() => expect(booked()).toEqual([50_000, 100_000]));
	expect(kiosk.daemon.events('screen.fault')).toEqual([]);
});

test('if the back office becomes unreachable between two notes, the payment completes and the second note is uploaded later', {
	tags: 'deep',
}, async () => {
	await start();
	await toCash(BUDI);
	await insert(100_000);
	await until(() => expect(booked()).toEqual([100_000]));
	await kiosk.backOffice.setNetwork({ up: false });
	await page.getByText('Offline').first().waitFor();
	await insert(50_000);
	await page.getByRole('button', { name: 'Cetak' }).waitFor();
	await until(() => expect(printer.queue.receipts).toHaveLength(1));
	await page.getByText('Masukan nomor HP anda').waitFor();
	expect(booked()).toEqual([100_000]);
	await kiosk.backOffice.setNetwork({ up: true });
	await until(() => expect(booked()).toEqual([100_000, 50_000]));
});

test('if the daemon is killed between two notes, the screen returns to the same payment, and no note is counted twice', async () => {
	await start();
	await toCash(BUDI);
	await insert(100_000);
	await page.getByText('Rp 37.500').waitFor();
	await kiosk.crash();
	await page.getByText('Ready', { exact: true }).waitFor();
	await page.getByText('Rp 37.500').waitFor();
	await insert(50_000);
	await page.getByRole('button', { name: 'Cetak' }).waitFor();
	await until(() => expect(booked()).toEqual([100_000, 50_000]));
});

test('after a reload, the screen shows the same payment and its note only once', { tags: 'deep' }, async () => {
	await start();
	await toCash(BUDI);
	await insert(100_000);
	await page.getByText('Rp 37.500').waitFor();
	await page.reload();
	await page.getByText('Rp 37.500').waitFor();
	expect(await page.getByText('Terima 2').count()).toBe(0);
});

test('[spec 2.6.5] if a note was taken, Kembali asks the customer to confirm; the money stays with the invoice, and the next customer does not see it', {
	tags: 'deep',
}, async () => {
	await start();
	await toCash(BUDI);
	await insert(100_000);
	await page.getByText('Terima 1').waitFor();
	await page.getByRole('button', { name: 'Kembali' }).click();
	await page.getByRole('dialog').waitFor();
	await shot(page, 'cash-leave');
	await page.getByRole('button', { name: 'Ya, kembali' }).click();
	await page.getByText('Masukan nomor HP anda').waitFor();
	await typeNumber(page, '081200000008');
	await page.getByRole('button', { name: /Bayar Tunai/ }).click();
	await page.getByText('Ready', { exact: true }).waitFor();
	expect(await page.getByText('Terima 1').count()).toBe(0);
	await page.getByRole('button', { name: 'Kembali' }).click();
	await page.getByText('Masukan nomor HP anda').waitFor();
	// The first customer returns and resumes the payment.
	await typeNumber(page, BUDI);
	await page.getByText('Rp 37.500').waitFor();
});

test('after a note and five minutes without a touch, the cash screen asks whether to continue; without an answer it goes home a minute later', {
	tags: 'deep',
}, async () => {
	await start();
	await page.clock.install();
	await page.reload();
	await page.getByText('Masukan nomor HP anda').waitFor();
	await toCash(BUDI);
	await insert(100_000);
	await page.getByText('Terima 1').waitFor();
	await page.clock.fastForward(301_000);
	await page.getByText('Masih ada uang Rp 100.000 yang tercatat untuk invoice INV/2026/11/0042.').waitFor();
	await page.getByRole('button', { name: 'Lanjut bayar' }).click();
	await page.getByRole('dialog').waitFor({ state: 'detached' });
	await page.getByText('Terima 1').waitFor();
	await page.getByText('Rp 37.500').waitFor();
	await page.clock.fastForward(301_000);
	await page.getByRole('dialog').waitFor();
	await page.clock.fastForward(61_000);
	await page.getByText('Masukan nomor HP anda').waitFor();
	await until(() => expect(kiosk.acceptor.device.insert({ nominal: 50_000 })).toMatchObject({ taken: false }));
	expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toBe('{}');
	await typeNumber(page, BUDI);
	await page.getByText('Rp 37.500').waitFor();
	expect(booked()).toEqual([100_000]);
});

test('an acceptor fault is shown before and during a cash payment', { tags: 'deep' }, async () => {
	await start();
	kiosk.acceptor.device.break('jam');
	await typeNumber(page, BUDI);
	await page.getByText('Uang tersangkut di mesin').waitFor();
	await shot(page, 'method-jam');
	kiosk.acceptor.device.clear();
	await page.getByRole('button', { name: /Bayar Tunai/ }).click();
	await page.getByText('Ready', { exact: true }).waitFor();
	kiosk.acceptor.device.break('stacker');
	await page.getByText('Tempat simpan uang bermasalah').waitFor();
	await shot(page, 'cash-stacker');
	await page.getByRole('button', { name: 'Reload Mesin' }).click();
});

test('on a 16:10 panel, the sentence below the heading of the cash screen is not cut', async () => {
	kiosk = await kioskForTest({ login: false });
	page = await pageForTest({ viewport: { width: 1280, height: 800 } });
	await logIn(page, kiosk);
	await toCash(BUDI);
	const sentence = page.getByText('Silakan masukkan uang satu per satu.').first();
	await shot(page, 'cash-16-10');
	expect(await sentence.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBeLessThanOrEqual(1);
});
