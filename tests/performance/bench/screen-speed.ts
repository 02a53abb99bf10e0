import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, logIn } from '../../support/browser.ts';
import { startKiosk } from '../../support/kiosk.ts';
import { amount, type Figure, median, ms, ratioFigure } from './figures.ts';

const TAPS = amount(200, 30);
const LOADS = amount(9, 3);
const VIEWPORT = { width: 1920, height: 1080 };

/** The same keypad without framework, store and styles: the browser's own cost. */
const BARE_KEYPAD = `<!doctype html><title>bare</title><input id="hp">${[...'1234567890'].map((digit) => `<button>${digit}</button>`).join('')}
<script>for (const key of document.querySelectorAll('button')) key.onclick = () => { const hp = document.getElementById('hp'); hp.value = (hp.value + key.textContent).slice(-12); }</script>`;
const EMPTY = '<!doctype html><title>empty</title><p>.</p>';

/**
 * Tap → painted digit, and navigation → first paint, each compared with a bare page in the same
 * browser.
 */
export async function screenSpeed(): Promise<Figure[]> {
	const kiosk = await startKiosk({ login: false });
	const browser = await launchBrowser();
	const bare = createServer((request, response) => {
		response.setHeader('Content-Type', 'text/html');
		response.end(request.url === '/keypad' ? BARE_KEYPAD : EMPTY);
	});
	await new Promise<void>((listening) => bare.listen(0, '127.0.0.1', listening));
	const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}`;

	const page = await browser.newPage({ viewport: VIEWPORT });
	await logIn(page, kiosk);
	const kioskTaps = await taps(page);
	const barePage = await browser.newPage({ viewport: VIEWPORT });
	await barePage.goto(`${bareUrl}/keypad`);
	const bareTaps = await taps(barePage);
	const kioskPaint = await firstPaint(browser, kiosk.daemon.url);
	const barePaint = await firstPaint(browser, bareUrl);
	await browser.close();
	await kiosk.stop();
	bare.close();
	return [
		ratioFigure({ name: 'tap to painted digit, p95 (bare keypad)', measured: p95(kioskTaps), floor: p95(bareTaps), show: ms, goal: 2 }),
		ratioFigure({
			name: 'navigation to first paint (empty page)',
			measured: median(kioskPaint),
			floor: median(barePaint),
			show: ms,
			goal: 2.5,
		}),
	];
}

const p95 = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN;

/** @returns ms from each touch to the frame after it, by the page's own clock */
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

/** @returns ms to the first contentful paint, each load in a browser context with an empty cache */
async function firstPaint(browser: Browser, url: string): Promise<number[]> {
	const times: number[] = [];
	for (let load = 0; load < LOADS; load += 1) {
		const context = await browser.newContext({ viewport: VIEWPORT });
		const page = await context.newPage();
		await page.goto(url);
		const handle = await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
		times.push((await handle.jsonValue()) ?? Number.NaN);
		await context.close();
	}
	return times;
}
