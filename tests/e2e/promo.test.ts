// @module-tag deep
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { logIn, sharedBrowser, shot, typeNumber } from '../support/browser.ts';
import type { Kiosk } from '../support/kiosk.ts';
import { kioskForTest } from '../support/kiosk-for-test.ts';
import { pageForTest } from '../support/page-for-test.ts';
import { until } from '../support/until.ts';

const SIZES = { landscape: { width: 1920, height: 1080 }, portrait: { width: 1080, height: 1920 } };

let kiosk: Kiosk;
let films: { red: Buffer; blue: Buffer };

beforeAll(async () => {
	const page = await (await sharedBrowser()).newPage();
	films = { red: await record(page, '#c0182a'), blue: await record(page, '#0b3d91') };
	await page.close();
});

/** @returns a film of one second with a moving bar, recorded by the browser */
async function record(page: Page, colour: string): Promise<Buffer> {
	const base64 = await page.evaluate(async (colour) => {
		const canvas = document.createElement('canvas');
		canvas.width = 640;
		canvas.height = 360;
		const pen = canvas.getContext('2d') as CanvasRenderingContext2D;
		const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm;codecs=vp8' });
		const parts: Blob[] = [];
		recorder.ondataavailable = ({ data }) => parts.push(data);
		const ended = new Promise((resolve) => {
			recorder.onstop = resolve;
		});
		recorder.start();
		for (let frame = 0; frame < 25; frame += 1) {
			pen.fillStyle = colour;
			pen.fillRect(0, 0, 640, 360);
			pen.fillStyle = '#fff';
			pen.fillRect(20 * frame, 150, 120, 60);
			await new Promise((resolve) => setTimeout(resolve, 40));
		}
		recorder.stop();
		await ended;
		const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
		return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
	}, colour);
	return Buffer.from(base64, 'base64');
}

async function open(size = SIZES.landscape): Promise<Page> {
	kiosk = await kioskForTest({ login: false, screen: 'promo = { enabled = true }' });
	return pageForTest({ viewport: size });
}

/** State of the film on the screen. */
const film = (page: Page) =>
	page.evaluate(() => {
		const video = document.querySelector('video');
		if (!video) throw new Error('no film');
		const { paused, muted, loop, currentTime, src, videoWidth } = video;
		return { paused, muted, loop, currentTime, src, videoWidth, opacity: Number(getComputedStyle(video).opacity) };
	});

/** Waits until the film advances. */
const plays = (page: Page) =>
	until(async () => {
		const before = await film(page);
		await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
		const after = await film(page);
		expect(after.paused).toBe(false);
		expect(after.currentTime).not.toBe(before.currentTime);
		return after;
	});

test.each(Object.entries(SIZES))(
	'[spec 2.1.5, 9.16] %s: the back office’s film appears without a reload, plays muted in a loop, and pauses during a payment',
	async (name, size) => {
		const page = await open(size);
		kiosk.backOffice.film = { name: 'promo.webm', bytes: films.red };
		await logIn(page, kiosk);
		expect(await plays(page)).toMatchObject({ muted: true, loop: true, videoWidth: 640, opacity: 1 });
		await shot(page, `promo-${name}-home`);
		// The film restarts after its end.
		const at = async () => (await film(page)).currentTime;
		await until(async () => expect(await at()).toBeGreaterThan(0.6));
		await until(async () => expect(await at()).toBeLessThan(0.4));

		await typeNumber(page, '081234567890');
		await page.getByRole('button', { name: /Bayar Tunai/ }).waitFor();
		await shot(page, `promo-${name}-method`);
		await page.getByRole('button', { name: /Bayar Tunai/ }).click();
		await page.getByText('Ready', { exact: true }).waitFor();
		await until(async () => expect(await film(page)).toMatchObject({ paused: true, opacity: 0.4 }));
		await shot(page, `promo-${name}-cash`);
		const rests = await at();
		await page.getByText('Budi Santoso').first().waitFor();
		expect(await at()).toBe(rests);
		await page.getByRole('button', { name: 'Kembali' }).click();
		await plays(page);
	},
);

test('after a restart the film plays even offline; later a new film and then the attract picture replace it without a reload', async () => {
	const page = await open();
	kiosk.backOffice.film = { name: 'promo.webm', bytes: films.red };
	await logIn(page, kiosk);
	const first = await plays(page);

	await kiosk.backOffice.setNetwork({ up: false });
	await kiosk.crash();
	await page.reload();
	expect((await plays(page)).src).toBe(first.src);

	await page.evaluate(() => {
		document.title = 'not reloaded';
	});
	await kiosk.backOffice.setNetwork({ up: true });
	kiosk.backOffice.film = { name: 'campaign.webm', bytes: films.blue };
	// The daemon asks the back office for a film when it starts.
	await kiosk.crash();
	await until(async () => expect((await film(page)).src).not.toBe(first.src));
	await plays(page);
	expect(await page.title()).toBe('not reloaded');

	kiosk.backOffice.film = null;
	await kiosk.crash();
	await page.locator('video').waitFor({ state: 'detached' });
	await page.getByText('Bayar servis cepat').waitFor();
});
