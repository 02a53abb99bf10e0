// @module-tag deep
import type { Page, WebSocketRoute } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { logIn, typeNumber } from '../support/browser.ts';
import { inspect as inspectPage, SIZES } from '../support/inspect.ts';
import type { Kiosk } from '../support/kiosk.ts';
import { kioskForTest } from '../support/kiosk-for-test.ts';
import { inspectedPage } from '../support/page-for-test.ts';
import { until } from '../support/until.ts';

const BUDI = '081234567890';
const TOTAL = 137_500;
const ATTEMPT = '7f3a9c2e-1111-4222-8333-444455556666';
const SECOND = 'b81d40e6-1111-4222-8333-444455556666';
const THIRD = '0c5e7f19-1111-4222-8333-444455556666';

let kiosk: Kiosk;
let page: Page;
/**
 * The page's live sockets. The test answers them in place of the daemon, so no terminal is needed.
 */
let sockets: WebSocketRoute[];
let heard: { message: { event?: string; data?: Record<string, unknown> } | string }[];
let terminal: string;

const tell = (text: object) => sockets.at(-1)?.send(JSON.stringify({ text }));
const terminalIs = (state: string) => {
	terminal = state;
	tell({ type: 'kiosk_edc', state });
};
const phase = (name: string, more: object = {}) =>
	tell({ type: 'kiosk_edc_sale', id: 1, attempt_id: ATTEMPT, phase: name, amount: TOTAL, ...more });
const response = (respCode: string, more: object = {}) =>
	tell({
		type: 'payment_edc_bca_notification',
		event: 'transaction_response',
		data: { respCode, attempt_id: ATTEMPT, ...more },
	});
const events = (event: string) => heard.flatMap(({ message }) => (typeof message === 'object' && message.event === event ? [message] : []));
const asked = (times = 1) => until(() => expect(events('start_transaction')).toHaveLength(times));

async function start(size: { width: number; height: number }, screen = ''): Promise<void> {
	kiosk = await kioskForTest({ login: false, screen, edc: { lines: 'qris = true' } });
	page = await inspectedPage(size);
	sockets = [];
	heard = [];
	terminal = 'ready';
	await page.routeWebSocket(/\/ws\//, (socket) => {
		sockets.push(socket);
		socket.onMessage((data) => heard.push(JSON.parse(String(data))));
		tell({ type: 'connection', is_connected: true });
		tell({ type: 'kiosk_edc', state: terminal });
	});
	await logIn(page, kiosk);
	await typeNumber(page, BUDI);
	await page.getByText('Bayar Non Tunai').waitFor();
}

/** Opens the card screen directly. */
const open = () => page.goto(`${kiosk.daemon.url}/edc-bca-payment`);

/** @returns texts that a button covers or that reach outside their container */
const covered = (): Promise<string[]> =>
	page.evaluate(() => {
		const scope = document.querySelector('dialog[open]') ?? document.querySelector('main') ?? document.body;
		const buttons = [...scope.querySelectorAll('button')];
		const found: string[] = [];
		for (const words of scope.querySelectorAll('h1, h2, p, dt, dd, li > span')) {
			if (words.getClientRects().length === 0) continue;
			const box = words.getBoundingClientRect();
			const under = buttons.some((button) => {
				const key = button.getBoundingClientRect();
				return box.left < key.right && key.left < box.right && box.top < key.bottom && key.top < box.bottom;
			});
			const place = (words.parentElement ?? scope).getBoundingClientRect();
			const outside = box.top < place.top - 1 || box.left < place.left - 1 || box.bottom > place.bottom + 1 || box.right > place.right + 1;
			if (under || outside) found.push(words.textContent ?? '');
		}
		return found;
	});

/** Text has the same physical size on every panel, so it has least room on the small panels. */
const PANELS = [
	['landscape', SIZES.landscape, ''],
	['portrait', SIZES.portrait, ''],
	['landscape-small', SIZES.landscape, 'panel_diagonal_inch = 15.6'],
	['portrait-small', SIZES.portrait, 'panel_diagonal_inch = 15.6'],
] as const;

describe.each(PANELS)('%s', (panel, size, screen) => {
	const inspect = async (name: string) => {
		// Waits until no animation runs, because a moving screen cannot be measured.
		await page.waitForFunction(() => document.getAnimations().length === 0);
		await inspectPage(page, `${panel}-card-${name}`);
		expect(await covered(), name).toEqual([]);
	};

	test('[spec 2.1.7] the states of a card payment fit their panel and are accessible', async () => {
		await start(size, screen);
		terminal = 'starting';
		await open();
		await page.getByText('PETUNJUK PEMBAYARAN').waitFor();
		await inspect('waiting');
		for (const state of ['disconnected', 'unresolved', 'journal_unhealthy', 'disk_full', 'busy']) {
			terminalIs(state);
			await page.getByText('Kali ini belum ada yang diminta').waitFor();
			await inspect(`terminal-${state}`);
		}
		terminalIs('ready');
		await asked();
		phase('sent');
		await page.getByText('Mengirim tagihan').waitFor();
		await inspect('sent');
		phase('acked');
		await page.getByText('Silakan bayar di mesin EDC').waitFor();
		await inspect('your-turn');
		response('51');
		await page.getByText('Silahkan coba lagi').waitFor();
		await inspect('declined-retry');
		await asked(2);
		phase('acked', { attempt_id: SECOND });
		await page.getByText('Silakan bayar di mesin EDC').waitFor();
		phase('unknown', { attempt_id: SECOND });
		await page.getByText('Jangan bayar lagi').waitFor();
		await inspect('unknown');
		const linesOf = (values: Element[]) =>
			values.map((value) => Math.round(value.clientHeight / (Number.parseFloat(getComputedStyle(value).fontSize) * 1.15)));
		expect(await page.locator('[role="alert"] dd').evaluateAll(linesOf), 'lines of amount and reference').toEqual([1, 1]);
		await page.getByRole('button', { name: 'Kembali' }).click();
		await page.getByText('Tinggalkan layar ini?').waitFor();
		await inspect('unknown-leave');
		await page.getByRole('button', { name: 'Tetap di sini' }).click();
		phase('declined', { attempt_id: SECOND });
		await page.getByText('Pembayaran kartu tidak terjadi').waitFor();
		await inspect('declined-late');
		await page.getByRole('button', { name: 'Coba lagi' }).click();
		await asked(3);
		phase('declined', { attempt_id: '', reason: 'cash_inside' });
		await page.getByText('sudah mulai dibayar tunai').waitFor();
		await inspect('refused');
	});

	test('the screens of a QRIS payment at the terminal fit their panel', async () => {
		await start(size, screen);
		await page.getByRole('button', { name: /Bayar Non Tunai/ }).click();
		await page.getByText('QRIS di mesin EDC').waitFor();
		await inspect('method-with-terminal-qris');
		await page.getByRole('button', { name: /QRIS di mesin EDC/ }).click();
		await asked();
		const qris = { method: 'qris' };
		phase('acked', qris);
		await page.getByText('Silakan scan QRIS').waitFor();
		await inspect('qris-your-turn');
		await page.getByRole('button', { name: 'Kembali' }).click();
		await page.getByText('Tinggalkan kode QRIS ini?').waitFor();
		await inspect('qris-leave');
		await page.getByRole('button', { name: 'Tetap di sini' }).click();
		phase('unknown', qris);
		await page.getByText('QRIS ini mungkin sudah dibayar').waitFor();
		await inspect('qris-unknown');
		phase('declined', qris);
		await page.getByText('Pembayaran QRIS tidak terjadi').waitFor();
		await inspect('qris-declined');
	});

	test('the cancelled, offline, lost and paid states of a card payment fit their panel', async () => {
		await start(size, screen);
		await open();
		await asked();
		phase('acked');
		response('P3');
		await page.getByText('Pembayaran dibatalkan').waitFor();
		await inspect('cancelled');
		await page.getByText('Masukan nomor HP anda').waitFor();
		await typeNumber(page, BUDI);
		await page.getByText('Bayar Non Tunai').waitFor();
		await open();
		await asked(2);
		phase('acked', { attempt_id: THIRD });
		await page.getByText('Silakan bayar').waitFor();
		for (const socket of sockets) await socket.close();
		await page.getByText('Sambungan ke kiosk terputus').waitFor();
		await inspect('offline');
		await page.getByText('Hasil pembayaran belum diterima').waitFor();
		await inspect('lost');
		phase('approved', { attempt_id: THIRD });
		await page.getByText('Lunas').first().waitFor();
		await inspect('paid');
	});
});
