import { once } from 'node:events';
import type { Page } from 'playwright-core';
import WebSocket, { WebSocketServer } from 'ws';
import { launchBrowser, logIn } from '../../support/browser.ts';
import { type Kiosk, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';
import { amount, type Figure, median, ms, quantile, ratioFigure } from './figures.ts';

const NOTES = amount(60, 12);
/**
 * Phone number of an invoice whose total exceeds the sum of all notes inserted here, so that the
 * payment stays open.
 */
const ENDLESS = '081200000005';
const STACKED = 0x10;

/**
 * Measures the time from STACKED on the line to the painted amount, in real Chromium with the real
 * daemon.
 */
export async function paint(bareCommitMs: number): Promise<Figure[]> {
	const kiosk = await startKiosk({ login: false, acceptor: { timing: { startMs: 20, recogniseMs: 20, stackMs: 60, returnMs: 20 } } });
	try {
		const browser = await launchBrowser();
		try {
			const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
			const { times, frame } = await feed(kiosk, page);
			const floor = bareCommitMs + (await socketRoundTrip()) + frame;
			const figure = (name: string, measured: number, goal: number): Figure =>
				ratioFigure({
					name: `stacked byte to amount painted, ${name} (commit + socket round trip + frame)`,
					measured,
					floor,
					show: ms,
					goal,
				});
			return [figure('median', median(times), 1.15), figure('p99', quantile(times, 0.99), 2)];
		} finally {
			await browser.close();
		}
	} finally {
		await kiosk.stop();
	}
}

/**
 * Inserts the notes of one payment.
 * @returns the time from each STACKED to its painted amount, and the length of a frame, in ms
 */
async function feed(kiosk: Kiosk, page: Page): Promise<{ times: number[]; frame: number }> {
	await logIn(page, kiosk);
	const sent: number[] = [];
	const { line } = kiosk.acceptor;
	const send = line.send.bind(line);
	line.send = (bytes) => {
		if (bytes.includes(STACKED)) sent.push(performance.timeOrigin + performance.now());
		send(bytes);
	};
	for (const digit of ENDLESS) await page.getByRole('button', { name: digit, exact: true }).click();
	await page.getByRole('button', { name: 'Lanjut' }).click();
	await page.getByRole('button', { name: /Bayar Tunai/ }).click();
	await page.getByText('Ready', { exact: true }).waitFor();
	await page.evaluate(recordPaints);
	for (let note = 1; note <= NOTES; note += 1) {
		await until(() => {
			if (!('taken' in kiosk.acceptor.device.insert({ nominal: 1_000 }))) throw new Error('no answer');
		});
		await page.waitForFunction((count) => (globalThis as unknown as Recorder).painted.length >= count, note);
	}
	const painted = await page.evaluate(() => (globalThis as unknown as Recorder).painted);
	if (painted.length !== NOTES) throw new Error(`${painted.length} changes were painted for ${NOTES} notes`);
	return { times: painted.map((at, index) => at - (sent[index] ?? Number.NaN)), frame: await page.evaluate(frameMs) };
}

interface Recorder {
	painted: number[];
}

/** Runs in the page: records the time of the first frame after each change of the total. */
function recordPaints(): void {
	const recorder = globalThis as unknown as Recorder;
	recorder.painted = [];
	const total = document.querySelector('section[data-covered]');
	if (!total) throw new Error('the total is not on the page');
	new MutationObserver(() => {
		requestAnimationFrame(() => {
			const channel = new MessageChannel();
			channel.port1.onmessage = () => recorder.painted.push(performance.timeOrigin + performance.now());
			channel.port2.postMessage(null);
		});
	}).observe(total, { subtree: true, characterData: true, childList: true });
}

/** Runs in the page. @returns the length of a frame, ms */
function frameMs(): Promise<number> {
	return new Promise((resolve) => {
		const times: number[] = [];
		const step = (now: number): void => {
			times.push(now);
			const [first] = times;
			if (times.length > 60 && first !== undefined) resolve((now - first) / (times.length - 1));
			else requestAnimationFrame(step);
		};
		requestAnimationFrame(step);
	});
}

async function socketRoundTrip(): Promise<number> {
	const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
	await once(server, 'listening');
	server.on('connection', (socket) => socket.on('message', (data) => socket.send(data)));
	const address = server.address();
	const client = new WebSocket(`ws://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`);
	await once(client, 'open');
	const times: number[] = [];
	for (let round = 0; round < 500; round += 1) {
		const begin = performance.now();
		client.send('{"text":{"type":"payment_cash_notification"}}');
		await once(client, 'message');
		times.push(performance.now() - begin);
	}
	client.terminate();
	server.close();
	return median(times);
}
