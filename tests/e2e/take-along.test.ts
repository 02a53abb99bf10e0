// @module-tag deep
import type { Locator, Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { logIn, shot, typeNumber } from '../support/browser.ts';
import { feedNote } from '../support/feed-note.ts';
import { SIZES } from '../support/inspect.ts';
import { DEAD_PRINTER, type Kiosk } from '../support/kiosk.ts';
import { kioskForTest } from '../support/kiosk-for-test.ts';
import { inspectedPage } from '../support/page-for-test.ts';
import { pngPicture, readQr } from '../support/read-qr.ts';
import { until } from '../support/until.ts';

// The customer's phone gets the receipt while the printer is dead.

const PANELS = { landscape: SIZES.landscape, portrait: SIZES.portrait, small: { width: 1366, height: 768 } };
/** Smallest size of a QR module, in px, that a phone can read from a step away. */
const LEAST_DOTS = 4;

let kiosk: Kiosk;
let page: Page;
beforeEach(async () => {
	const settings = `${DEAD_PRINTER}[receipt]\nwhatsapp_link = "https://wa.me/6281234567890?text={text}"`;
	kiosk = await kioskForTest({ login: false, settings });
	page = await inspectedPage(PANELS.landscape);
});

const codeOf = async (code: Locator) => readQr(pngPicture(await code.screenshot()));
/** Sum of the layout shifts since the page was loaded. */
const shifts = () =>
	page.evaluate(
		() =>
			new Promise<number>((resolve) => {
				new PerformanceObserver((list, observer) => {
					observer.disconnect();
					resolve(list.getEntries().reduce((sum, entry) => sum + (entry as unknown as { value: number }).value, 0));
				}).observe({ type: 'layout-shift', buffered: true });
				setTimeout(() => resolve(0), 200);
			}),
	);

test('a phone can read both QR codes of the paid screen on every panel, and kioskctl finds the receipt genuine', async () => {
	await page.clock.install();
	await logIn(page, kiosk);
	await typeNumber(page, '081234567890');
	await page.getByRole('button', { name: /Bayar Tunai/ }).click();
	await page.getByText(/sentuh kode QR di layar/).waitFor();
	await page.getByRole('dialog').getByRole('button', { name: 'Lanjut' }).click();
	await page.getByText('Ready', { exact: true }).waitFor();
	await page.clock.pauseAt(Date.now() + 60_000);
	await feedNote(kiosk, 100_000);
	await feedNote(kiosk, 50_000);
	await page.getByRole('heading', { name: 'Lunas' }).waitFor();
	const small = page.getByRole('button', { name: 'Struk di ponsel' });
	const place = await small.boundingBox();
	const before = await shifts();
	await page.clock.runFor(2_100);
	await until(async () => expect(await small.isEnabled()).toBe(true));
	expect(await small.boundingBox()).toEqual(place);
	await shot(page, 'take-along-paid');
	await small.click();
	expect((await shifts()) - before).toBeLessThan(0.02);
	for (const [name, size] of Object.entries(PANELS)) {
		await page.setViewportSize(size);
		await shot(page, `take-along-${name}`);
		const [signed, link] = await Promise.all([codeOf(page.locator('figure svg').first()), codeOf(page.locator('figure svg').last())]);
		expect(signed.dots, name).toBeGreaterThanOrEqual(LEAST_DOTS);
		expect(link.dots, name).toBeGreaterThanOrEqual(LEAST_DOTS);
		expect(await kiosk.ctl('verify', signed.text), name).toMatchObject({ code: 0 });
		expect(new URL(link.text).searchParams.get('text'), name).toMatch(/^Bengkel|AHASS.*INV\/2026\/11\/0042.*Rp 12\.500/s);
	}
	await page.clock.runFor(31_000);
	await page.getByText('Masukan nomor HP anda').waitFor();
});
