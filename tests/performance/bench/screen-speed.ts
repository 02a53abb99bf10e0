import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, logIn } from '../../support/browser.ts';
import { type Kiosk, startKiosk } from '../../support/kiosk.ts';
import { amount, type Figure, least, ms, quantile, ratioFigure } from './figures.ts';

const TAPS = amount(200, 30);
const LOADS = amount(15, 6);
const VIEWPORT = { width: 1920, height: 1080 };

/**
 * A keypad like the kiosk's, but without framework, store and styles. It shows the browser's own
 * cost.
 */
const BARE_KEYPAD = `<!doctype html><title>bare</title><input id="hp">${[...'1234567890'].map((digit) => `<button>${digit}</button>`).join('')}
<script>for (const key of document.querySelectorAll('button')) key.onclick = () => { const hp = document.getElementById('hp'); hp.value = (hp.value + key.textContent).slice(-12); }</script>`;
const EMPTY = '<!doctype html><title>empty</title><p>.</p>';

/**
 * Measures the times from tap to painted digit and from navigation to first paint, each compared
 * with a bare page in the same browser.
 */
export async function screenSpeed(): Promise<Figure[]> {
	const kiosk = await startKiosk({ login: false });
	const bare = createServer((request, response) => {
		response.setHeader('Content-Type', 'text/html');
		response.end(request.url === '/keypad' ? BARE_KEYPAD : EMPTY);
	});
	try {
		const browser = await launchBrowser();
		try {
			await new Promise<void>((listening) => bare.listen(0, '127.0.0.1', listening));
			return await compare(browser, kiosk, `http://127.0.0.1:${(bare.address() as AddressInfo).port}`);
		} finally {
			await browser.close();
		}
	} finally {
		bare.close();
		await kiosk.stop();
	}
}

async function compare(browser: Browser, kiosk: Kiosk, bareUrl: string): Promise<Figure[]> {
	const page = await browser.newPage({ viewport: VIEWPORT });
	await logIn(page, kiosk);
	const kioskTaps = await taps(page);
	const barePage = await browser.newPage({ viewport: VIEWPORT });
	await barePage.goto(`${bareUrl}/keypad`);
	const bareTaps = await taps(barePage);
	const [kioskPaint, barePaint]: [number[], number[]] = [[], []];
	for (let load = 0; load < LOADS; load += 1) {
		// The kiosk's page and the bare page are measured in turns, so that other load affects both.
		kioskPaint.push(await firstPaint(browser, kiosk.daemon.url));
		barePaint.push(await firstPaint(browser, bareUrl));
	}
	return [
		ratioFigure({
			name: 'tap to painted digit, p95 (bare keypad)',
			measured: quantile(kioskTaps, 0.95),
			floor: quantile(bareTaps, 0.95),
			show: ms,
			goal: 1.1,
		}),
		ratioFigure({
			name: 'navigation to first paint (empty page)',
			key: 'first_paint',
			measured: least(kioskPaint),
			floor: least(barePaint),
			show: ms,
			goal: 1.5,
		}),
	];
}

/** @returns time from each touch to the next frame by the page's own clock, ms */
async function taps(page: Page): Promise<number[]> {
	await page.evaluate(() => {
		const recorder = globalThis as unknown as { times: number[] };
		recorder.times = [];
		window.addEventListener(
			'pointerdown',
			(event) => {
				const began = event.timeStamp;
				window.addEventListener(
					'click',
					() =>
						requestAnimationFrame(() => {
							const channel = new MessageChannel();
							channel.port1.onmessage = () => recorder.times.push(performance.now() - began);
							channel.port2.postMessage(null);
						}),
					{ once: true },
				);
			},
			true,
		);
	});
	for (let tap = 0; tap < TAPS; tap += 1) {
		await page.getByRole('button', { name: String(tap % 10), exact: true }).click();
		await page.waitForFunction((count) => (globalThis as unknown as { times: number[] }).times.length >= count, tap + 1);
	}
	return page.evaluate(() => (globalThis as unknown as { times: number[] }).times);
}

/** @returns time to the first contentful paint in a browser context with an empty cache, ms */
async function firstPaint(browser: Browser, url: string): Promise<number> {
	const context = await browser.newContext({ viewport: VIEWPORT });
	const page = await context.newPage();
	await page.goto(url);
	const handle = await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
	const time = await handle.jsonValue();
	await context.close();
	return time ?? Number.NaN;
}
