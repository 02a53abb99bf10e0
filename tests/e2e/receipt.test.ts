import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { RECEIPT } from '../../daemon/src/printer/receipt.fixture.ts';
import { logIn, shot, typeNumber } from '../support/browser.ts';
import { feedNote } from '../support/feed-note.ts';
import { printerSection } from '../support/kiosk.ts';
import { kioskForTest, printerForTest } from '../support/kiosk-for-test.ts';
import { pageForTest } from '../support/page-for-test.ts';
import { until } from '../support/until.ts';

const WITH_LOGO = '081200000013';

/**
 * @returns size in dots and share of black dots of the first raster picture (GS v 0) of an ESC/POS
 * receipt
 */
function rasterOf(receipt: Buffer): { width: number; height: number; black: number } {
	const at = receipt.indexOf(Buffer.from([0x1d, 0x76, 0x30, 0]));
	const [bytes, height] = [receipt.readUInt16LE(at + 4), receipt.readUInt16LE(at + 6)];
	const dots = [...receipt.subarray(at + 8, at + 8 + bytes * height)].map((byte) => byte.toString(2).replaceAll('0', '')).join('').length;
	return { width: 8 * bytes, height, black: dots / (8 * bytes * height) };
}

test('the dealer’s logo is printed', { tags: 'deep' }, async () => {
	const printer = await printerForTest();
	const kiosk = await kioskForTest({ login: false, settings: printerSection(printer.uri) });
	const page = await pageForTest();
	await logIn(page, kiosk);
	await typeNumber(page, WITH_LOGO);
	await page.getByRole('button', { name: /Bayar Tunai/ }).click();
	await page.getByText('Ready', { exact: true }).waitFor();
	const invoice = kiosk.backOffice.books.find(WITH_LOGO);
	if (!invoice) throw new Error('no such invoice');
	for (let left = invoice.total; left > 0; left -= 100_000) await feedNote(kiosk, 100_000);
	await until(() => expect(printer.queue.receipts).toHaveLength(1));
	const { width, height, black } = rasterOf(printer.queue.receipts[0]?.data ?? Buffer.alloc(0));
	// The sample logo is 220 by 60: white letters on a dark field.
	expect([width, height]).toEqual([384, 105]);
	expect(black).toBeGreaterThan(0.6);
	expect(black).toBeLessThan(0.95);
});

test('[spec 2.10.5] the browser prints a long receipt on one sheet of 80 mm width', async () => {
	const kiosk = await kioskForTest({ login: false });
	const page = await pageForTest();
	// Makes window.print throw, because after an error the print page stays open.
	await page.addInitScript(() => {
		window.print = () => {
			document.title = 'prints';
			throw new Error('no printer here');
		};
	});
	await logIn(page, kiosk);
	const receipt = { ...RECEIPT, lines: Array.from({ length: 20 }, () => RECEIPT.lines).flat() };
	await page.evaluate((text) => sessionStorage.setItem('receipt', text), JSON.stringify(receipt));
	await page.goto(`${kiosk.daemon.url}/cetak`);
	await page.waitForFunction(() => document.title === 'prints');
	await shot(page, 'cetak-long');
	const pdf = await page.pdf({ preferCSSPageSize: true });
	const info = execFileSync('pdfinfo', ['-'], { input: pdf }).toString();
	expect(info).toMatch(/Pages: +1\n/);
	const [, width, length] = /Page size: +([\d.]+) x ([\d.]+) pts/.exec(info) ?? [];
	expect(Math.round((Number(width) * 25.4) / 72)).toBe(80);
	expect((Number(length) * 25.4) / 72).toBeGreaterThan(400);
	expect(execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf }).toString()).toMatch(/^ *Tukarkan Lebih Bayar/m);
});
