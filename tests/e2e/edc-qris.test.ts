// @module-tag deep
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Printer } from '../simulators/printer/start.ts';
import { logIn, shot, typeNumber } from '../support/browser.ts';
import { type Kiosk, printerSection } from '../support/kiosk.ts';
import { kioskForTest, printerForTest } from '../support/kiosk-for-test.ts';
import { pageForTest } from '../support/page-for-test.ts';
import { until } from '../support/until.ts';

const BUDI = '081234567890';
const ON = 'qris = true\nqris_first_ms = 1000\nqris_every_ms = 1000\n';

let kiosk: Kiosk;
let printer: Printer;
let page: Page;
/** The terminal's log. */
let said: string[];

async function start(lines: string): Promise<void> {
	said = [];
	printer = await printerForTest();
	kiosk = await kioskForTest({ login: false, settings: printerSection(printer.uri), edc: { lines, log: (line) => said.push(line) } });
	page = await pageForTest();
	await logIn(page, kiosk);
}

async function toCode(): Promise<void> {
	await typeNumber(page, BUDI);
	await page.getByRole('button', { name: /Bayar Non Tunai/ }).click();
	await page.getByRole('button', { name: /QRIS di mesin EDC/ }).click();
	await seen('Silakan scan QRIS di mesin EDC');
	await until(() => expect(kiosk.edc.terminal.bank.qrisCodes).toHaveLength(1));
}
const seen = (words: string) => page.getByText(words).first().waitFor();
const button = (name: string) => page.getByRole('button', { name });
const end = (how: 'paid' | 'expired') => expect(kiosk.edc.terminal.bank.endQris(how)).toBe(true);
const approvals = () => kiosk.backOffice.books.approvals.map(({ no_invoice }) => no_invoice);

test('after a customer pays the terminal’s QRIS code by phone, the kiosk shows the invoice as paid, prints a receipt and goes home', async () => {
	await start(ON);
	await toCode();
	// The terminal answers the polls while the code is unpaid. These answers must not count as a
	// payment.
	await until(() => expect(said.filter((line) => line.startsWith('request 32')).length).toBeGreaterThan(1));
	await seen('Silakan scan QRIS di mesin EDC');
	expect(approvals()).toEqual([]);
	await shot(page, 'edc-qris-your-turn');
	end('paid');
	await seen('Lunas');
	await until(() => expect(printer.queue.receipts).toHaveLength(1));
	expect(printer.queue.receipts[0]?.data.toString('latin1')).toMatch(/Metode Pembayaran +QRIS/);
	await seen('Masukan nomor HP anda');
	await until(() => expect(approvals()).toEqual(['INV/2026/11/0042']));
	expect(kiosk.edc.terminal.bank.captured).toBe(137_500);
});

test('if a customer leaves the screen and then pays the code, the invoice is paid once', async () => {
	await start(ON);
	await toCode();
	await button('Kembali').click();
	await seen('Tinggalkan kode QRIS ini?');
	await button('Ya, kembali').click();
	await seen('Masukan nomor HP anda');
	end('paid');
	await until(() => expect(approvals()).toEqual(['INV/2026/11/0042']));
	await typeNumber(page, BUDI);
	await seen('Invoice ini sudah dibayar.');
	expect(kiosk.edc.terminal.bank.captured).toBe(137_500);
});

test('if a customer returns to an open code, the same code is shown and no second code is requested', async () => {
	await start(ON);
	await toCode();
	await button('Kembali').click();
	await button('Ya, kembali').click();
	await typeNumber(page, BUDI);
	await seen('Silakan scan QRIS di mesin EDC');
	expect(kiosk.edc.terminal.bank.qrisCodes).toHaveLength(1);
	end('paid');
	await seen('Lunas');
});

test('the kiosk shows an expired code as unpaid and requests a new code', async () => {
	await start(ON);
	await toCode();
	end('expired');
	await seen('Menurut mesin EDC, QRIS ini belum dibayar.');
	await seen('Silakan scan QRIS di mesin EDC');
	await until(() => expect(kiosk.edc.terminal.bank.qrisCodes).toHaveLength(2));
	end('paid');
	await seen('Lunas');
	expect(kiosk.edc.terminal.bank.captured).toBe(137_500);
});

test('if a code is still open at the last poll, the sale becomes unknown until staff settle it', async () => {
	await start(`${ON}qris_looks = 2\n`);
	await toCode();
	await seen('QRIS ini mungkin sudah dibayar');
	await shot(page, 'edc-qris-unknown');
	expect((await kiosk.health()).card.unknown).toHaveLength(1);
	const [unknown] = (await kiosk.health()).card.unknown;
	await kiosk.ctl('edc', 'settle', unknown?.attempt_id ?? '', '--outcome', 'charged', '--by', 'Sari', '--why', 'mutasi bank');
	await seen('Lunas');
	await until(() => expect(approvals()).toHaveLength(1));
});

test('if QRIS on the terminal is switched off, the method screen has no tile for it', async () => {
	await start('');
	await typeNumber(page, BUDI);
	await button('Bayar Non Tunai').click();
	await seen('Kartu Debit BCA');
	expect(await page.getByText('QRIS di mesin EDC').count()).toBe(0);
});
