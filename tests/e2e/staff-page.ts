import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { escposText } from '../simulators/printer/escpos-text.ts';
import type { Printer } from '../simulators/printer/start.ts';
import { logIn, typeNumber } from '../support/browser.ts';
import { inspect, SIZES } from '../support/inspect.ts';
import { type Kiosk, printerSection } from '../support/kiosk.ts';
import { kioskForTest, printerForTest } from '../support/kiosk-for-test.ts';
import { inspectedPage } from '../support/page-for-test.ts';
import { rastersIn, readQr } from '../support/read-qr.ts';
import { fillPanel, misfits, PANELS } from '../support/ruler.ts';
import { until } from '../support/until.ts';

/** The number that opens the PIN view. */
const STAFF = '000000';

/**
 * @returns whether this layout finding means covered or cut text. Other findings do not matter,
 * because staff reach higher than customers.
 */
const isOnTop = (misfit: string) => /is covered|is cut|lies on/.test(misfit);

/** @returns functions that operate and check the staff screens of this page */
export function staffOn(page: Page, kiosk: Kiosk) {
	const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
	const rows = () => page.locator('tbody tr');

	async function toPin(): Promise<void> {
		await typeNumber(page, STAFF);
		await page.getByText('Masukan PIN').waitFor();
	}

	async function enterPin(pin: string): Promise<void> {
		for (const digit of pin) await button(digit).click();
		await button('Submit').click();
	}

	async function toList(): Promise<void> {
		await toPin();
		await enterPin(kiosk.backOffice.account.pin);
		await until(async () => expect(await rows().count()).toBe(10));
	}

	/**
	 * Fills in the search field without the on-screen keyboard, and opens the details of the row that
	 * is found.
	 */
	async function openDetail(hp: string): Promise<void> {
		await page.getByLabel('Cari transaksi').fill(hp);
		await until(async () => expect(await rows().allTextContents()).toEqual([expect.stringContaining(hp)]));
		await button(/^Detail/).click();
		await page.getByRole('dialog').waitFor();
	}

	/** Checks on every panel size that no part of the page is covered or cut. */
	async function onPanels(): Promise<void> {
		for (const inch of PANELS) {
			await fillPanel(page, inch);
			expect((await misfits(page)).filter(isOnTop), `${inch} inch`).toEqual([]);
		}
		await fillPanel(page, 21.5);
	}

	return {
		...{ button, rows, toPin, enterPin, toList, openDetail, onPanels },
		/** Number of calls at the back office whose path contains this text. */
		asked: (path: string) => kiosk.backOffice.calls.filter((call) => call.path.includes(path)).length,
		inspect: (name: string) => inspect(page, name),
	};
}

type Start = { size?: { width: number; height: number }; print?: 'printer' | 'browser' };

/**
 * Starts a kiosk, a printer and a page, and logs an outlet in. The test controls the page's clock.
 */
export async function startStaff({ size = SIZES.landscape, print = 'printer' }: Start = {}) {
	const printer = await printerForTest();
	const settings = print === 'printer' ? printerSection(printer.uri) : '';
	const kiosk = await kioskForTest({ login: false, movableClock: true, settings });
	const page = await inspectedPage(size);
	await page.clock.install();
	await logIn(page, kiosk);
	return { kiosk, printer, page, printed: () => printedCode(printer), ...staffOn(page, kiosk) };
}

/**
 * Waits until the newest printout has a code.
 * @returns the receipt's code and the text of its QR code
 */
function printedCode(printer: Printer): Promise<{ code: string; qr: string }> {
	return until(() => {
		const data = printer.queue.receipts.at(-1)?.data ?? Buffer.alloc(0);
		const [, code] = /Kode +(\S+)/.exec(escposText(data)) ?? [];
		const [raster] = rastersIn(data).slice(-1);
		if (code === undefined || raster === undefined) throw new Error('no code is printed');
		return { code, qr: readQr(raster).text };
	});
}
