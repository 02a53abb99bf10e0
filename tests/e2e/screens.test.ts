import type { Page, WebSocketRoute } from 'playwright-core';
import { expect, test } from 'vitest';
import { logIn, shot, typeNumber } from '../support/browser.ts';
import { feedNote } from '../support/feed-note.ts';
import { inspectOnPanels, measureOnPanels, onEachPanel, onEachPanelDeep, SIZES, violations } from '../support/inspect.ts';
import { DEAD_PRINTER, type Kiosk, partText } from '../support/kiosk.ts';
import { kioskForTest } from '../support/kiosk-for-test.ts';
import { inspectedPage } from '../support/page-for-test.ts';
import { until } from '../support/until.ts';

const LONG = '081200000007';

let kiosk: Kiosk;
let page: Page;

/** Starts a kiosk. If the settings name no printer, the browser prints the receipts. */
async function start(size: { width: number; height: number } = SIZES.landscape, settings = ''): Promise<void> {
	kiosk = await kioskForTest({ login: false, settings });
	page = await inspectedPage(size);
}

/**
 * @returns a function that sends the page a message as if from the daemon, for states that are hard
 * to produce
 */
async function speakFor(daemon: Page): Promise<(text: object) => void> {
	let socket: WebSocketRoute | null = null;
	await daemon.routeWebSocket(/\/ws\//, (opened) => {
		opened.connectToServer();
		socket = opened;
	});
	return (text) => socket?.send(JSON.stringify({ text }));
}

const toMethod = async (hp: string) => {
	await typeNumber(page, hp);
	await page.getByRole('button', { name: /Bayar Tunai/ }).waitFor();
};
const toCash = async (hp: string) => {
	await toMethod(hp);
	await page.getByRole('button', { name: /Bayar Tunai/ }).click();
	await page.getByText('Ready', { exact: true }).waitFor();
};
/** Waits for the question whether to pay without a receipt, which comes before the first note. */
const asksAboutPaper = () => page.getByRole('dialog').getByText('Struk tidak tersedia').waitFor();
const goOnWithoutPaper = () => page.getByRole('dialog').getByRole('button', { name: 'Lanjut' }).click();
const inspect = (name: string): Promise<void> => inspectOnPanels(page, name);
/**
 * The amount due must be readable from a step away. Paid amount and change share one row, so their
 * digits may be smaller.
 */
const inspectDue = (name: string): Promise<void> => inspectOnPanels(page, name, { amountMm: 12 });
const measurePaid = (name: string): Promise<void> => measureOnPanels(page, name, { amountMm: 9 });

onEachPanel('[spec 2.1.7, 2.2.1] login, home, method choice and 404 fit the panel and are accessible', async (orientation, size) => {
	await start(size);
	await page.goto(kiosk.daemon.url);
	await page.getByLabel('Username').waitFor();
	await inspect(`${orientation}-login`);
	await page.getByRole('button', { name: 'Submit' }).click();
	await page.getByText('Username wajib diisi').waitFor();
	await page.getByLabel('Username').fill('outlet');
	await page.getByLabel('Password', { exact: true }).fill('salah');
	await page.keyboard.press('Enter');
	await page.getByRole('button', { name: 'Tutup' }).waitFor();
	await inspect(`${orientation}-login-refused`);
	await logIn(page, kiosk);
	await page.getByText('Development').waitFor();
	await inspect(`${orientation}-home`);
	await typeNumber(page, '089999999999');
	await page.getByText('Invoice tidak ditemukan').waitFor();
	await inspect(`${orientation}-method-not-found`);
	await page.getByRole('button', { name: 'Kembali' }).click();
	await page.getByLabel('Masukan nomor HP anda').focus();
	await page.keyboard.type('081234567890');
	await inspect(`${orientation}-home-typed`);
	await page.keyboard.press('Enter');
	await page.getByRole('button', { name: /Bayar Tunai/ }).waitFor();
	await inspectDue(`${orientation}-method`);
	await page.getByRole('button', { name: /Bayar Non Tunai/ }).click();
	await page.getByText('Kartu Debit BCA').waitFor();
	await inspectDue(`${orientation}-method-non-cash`);
	await page.goto(`${kiosk.daemon.url}/nirgends`);
	await page.getByText('404').first().waitFor();
	await inspect(`${orientation}-404`);
});

onEachPanelDeep('[spec 2.1.7] the states of the cash screen fit the panel, even with several faults at once', async (orientation, size) => {
	await start(size);
	await page.clock.install();
	const say = await speakFor(page);
	await logIn(page, kiosk);
	await page.getByRole('button', { name: '8', exact: true }).click();
	await page.clock.fastForward(61_000);
	await page.getByText('Masih di sana?').waitFor();
	await inspect(`${orientation}-home-idle`);
	await page.getByRole('button', { name: 'Selesai' }).click();

	await toCash('081234567890');
	await inspectDue(`${orientation}-cash`);
	for (const nominal of [2_000, 5_000, 10_000, 20_000, 10_000, 5_000, 2_000, 1_000, 1_000]) await insert(nominal);
	await page.getByText('Terima 9').waitFor();
	await inspectDue(`${orientation}-cash-many`);
	say({ type: 'kiosk_note_moving', id: 1, nominal: 50_000 });
	await page.getByText('Sedang diproses…').waitFor();
	await inspectDue(`${orientation}-cash-moving`);
	say({ type: 'kiosk_note_returned', nominal: 50_000, reason: 'unreadable' });
	await page.getByText('Uang tidak terbaca').waitFor();
	await inspectDue(`${orientation}-cash-returned`);
	kiosk.acceptor.device.break('stacker');
	await page.getByText('Tempat simpan uang bermasalah').waitFor();
	await page.route('**/open-machine/', (route) => route.abort());
	await page.getByRole('button', { name: 'Reload Mesin' }).click();
	await page.getByText('Error reload bill acceptor').waitFor();
	await inspectDue(`${orientation}-cash-fault`);
	say({ type: 'kiosk_note_in_doubt', id: 1, note_id: '7f3a9c2e-1111', nominal: 100_000 });
	await page.getByText('21345-47502').waitFor();
	await inspectDue(`${orientation}-cash-doubt`);
	await page.clock.fastForward(301_000);
	await page.getByText('Masih melanjutkan pembayaran?').waitFor();
	await inspect(`${orientation}-cash-abandoned`);
	await page.getByRole('button', { name: 'Lanjut bayar' }).click();
	await page.getByRole('button', { name: 'Kembali' }).click();
	await page.getByText('Tinggalkan pembayaran ini?').waitFor();
	await inspect(`${orientation}-cash-leave`);
});

onEachPanelDeep('[spec 2.1.7] the paid screen fits with change, without paper and with a note in doubt', async (orientation, size) => {
	await start(size, DEAD_PRINTER);
	const say = await speakFor(page);
	await page.clock.install();
	await logIn(page, kiosk);
	await toMethod('081234567890');
	await page.getByRole('button', { name: /Bayar Tunai/ }).click();
	await asksAboutPaper();
	await inspect(`${orientation}-cash-no-paper`);
	await goOnWithoutPaper();
	await page.getByText('Ready', { exact: true }).waitFor();
	// The paused clock keeps the paid screen open until it is measured.
	await page.clock.pauseAt(Date.now() + 60_000);
	await insert(100_000);
	await insert(50_000);
	// The daemon has reported the printer fault, so the screen announces no receipt.
	await page.getByText('Struk belum keluar').waitFor();
	expect(await page.getByText('Struk akan dicetak').count()).toBe(0);
	await measurePaid(`${orientation}-paid`);
	await page.clock.runFor(2_500);
	await page.getByText('tetap tercatat lunas').waitFor();
	await measurePaid(`${orientation}-paid-no-paper`);
	say({ type: 'kiosk_note_in_doubt', id: 1, note_id: '7f3a9c2e-1111', nominal: 100_000 });
	await page.getByText('21345-47502').waitFor();
	await measurePaid(`${orientation}-paid-doubt`);
	await page.clock.resume();
	expect(await violations(page)).toEqual([]);
});

onEachPanelDeep('the method screen of a very long invoice with long names fits the panel', async (orientation, size) => {
	await start(size);
	await logIn(page, kiosk);
	await toMethod(LONG);
	await inspect(`${orientation}-method-long`);
});

const insert = (nominal: number): Promise<void> => feedNote(kiosk, nominal);

test('without a printer the paid screen opens the print page with the fields of the receipt, prints and goes home', {
	tags: 'deep',
}, async () => {
	await start();
	await page.addInitScript(() => {
		const asked = globalThis as unknown as { printed: string[] };
		asked.printed = [];
		window.print = () => asked.printed.push(document.body.textContent ?? '');
	});
	await logIn(page, kiosk);
	await typeNumber(page, '081234567890');
	await page.getByRole('button', { name: /Bayar Tunai/ }).click();
	await page.getByText('Ready', { exact: true }).waitFor();
	await insert(100_000);
	await insert(50_000);
	await page.waitForURL('**/cetak');
	await page.getByText('Metode Pembayaran').waitFor();
	await shot(page, 'cetak');
	await page.waitForURL(`${kiosk.daemon.url}/`);
	const [printed] = await page.evaluate(() => (globalThis as unknown as { printed: string[] }).printed);
	for (const word of [
		'Tanggal',
		'AHASS',
		'Nomor',
		'INV/2026/11/0042',
		'Nama',
		'Budi Santoso',
		'Status',
		'Sudah dibayar',
		'NOPOL',
		'Untaxed Amount',
		'123.874',
		'Taxed',
		'13.626',
		'Total',
		'137.500',
		'12.500',
	])
		expect(printed).toContain(word);
});

test('after the idle question is answered, the details of the invoice are still at the same page', { tags: 'deep' }, async () => {
	await start();
	await page.clock.install();
	await logIn(page, kiosk);
	await toMethod(LONG);
	await page.getByRole('button', { name: 'Lihat rincian' }).click();
	await page.getByRole('button', { name: 'Berikutnya' }).click();
	await page.getByText('Bagian 2 dari').waitFor();
	const turned = () => page.evaluate(() => Math.max(...[...document.querySelectorAll('dialog *')].map((part) => part.scrollLeft)));
	const before = await turned();
	expect(before).toBeGreaterThan(0);
	await page.clock.fastForward(61_000);
	await page.getByText('Masih di sana?').waitFor();
	await page.getByRole('button', { name: 'Lanjutkan' }).click();
	await page.getByText('Masih di sana?').waitFor({ state: 'detached' });
	await page.getByText('Bagian 2 dari').waitFor();
	expect(await turned()).toBe(before);
});

test('with reduced motion, the paid screen has no animation and no transition', { tags: 'deep' }, async () => {
	await start();
	await logIn(page, kiosk);
	await toCash('081234567890');
	await insert(100_000);
	await page.getByText('Terima 1').waitFor();
	await insert(50_000);
	await page.getByRole('heading', { name: 'Lunas' }).waitFor();
	const moving = await page.evaluate(() =>
		document.getAnimations().filter((animation) => Number(animation.effect?.getComputedTiming().endTime) > 1),
	);
	expect(moving).toEqual([]);
	const parts = await page.evaluate(() =>
		[...document.querySelectorAll('*')].flatMap((element) => {
			const { animationName, animationDuration, animationDelay, transitionDuration } = getComputedStyle(element);
			const still = animationName === 'none' || (Number.parseFloat(animationDuration) <= 0.001 && animationDelay === '0s');
			return still && Number.parseFloat(transitionDuration) <= 0.001 ? [] : [element.outerHTML.slice(0, 80)];
		}),
	);
	expect(parts).toEqual([]);
	// When the sizes of the page change, no transition starts, either.
	const set = await page.evaluate(() => {
		document.documentElement.style.setProperty('--mm', '5.56px');
		return document.getAnimations().filter((animation) => animation instanceof CSSTransition).length;
	});
	expect(set).toBe(0);
});

test('[spec 2.11.1, 8.13] if a page’s code fails to load, the crash screen appears instead of a blank screen', async () => {
	await start();
	await logIn(page, kiosk);
	await page.route('**/assets/payment-method-*.js', (route) => route.abort());
	await page.reload();
	await page.getByText('Masukan nomor HP anda').waitFor();
	await typeNumber(page, '081234567890');
	await page.getByText('Unexpected Application Error!').waitFor();
	await inspect('crash');
});

test('digits that are typed before the live socket connects are entered, and they stay when the socket connects', {
	tags: 'deep',
}, async () => {
	await start();
	const typed = Promise.withResolvers<void>();
	await page.routeWebSocket(/\/ws\//, async (line) => {
		await typed.promise;
		line.connectToServer();
	});
	await logIn(page, kiosk);
	await page.keyboard.type('081234');
	for (const digit of '567890') await page.getByRole('button', { name: digit, exact: true }).click();
	await page.getByText('Offline').waitFor();
	typed.resolve();
	await page.getByText('Online').waitFor();
	expect(await page.getByLabel('Masukan nomor HP anda').inputValue()).toBe('0812 3456 7890');
});

test('the notice that no receipt is available stays on the screen during a restart of the daemon', { tags: 'deep' }, async () => {
	await start(SIZES.landscape, DEAD_PRINTER);
	await logIn(page, kiosk);
	await page.getByText('Struk tidak tersedia').waitFor();
	await page.evaluate(() => {
		const seen = globalThis as unknown as { gone: number; offline: boolean };
		seen.gone = 0;
		// Observes every change, because the page may be offline too briefly for polling.
		new MutationObserver(() => {
			if (!document.body.textContent?.includes('Struk tidak tersedia')) seen.gone += 1;
			if (document.body.textContent?.includes('Offline')) seen.offline = true;
		}).observe(document.body, { childList: true, subtree: true, characterData: true });
	});
	await kiosk.crash();
	await page.waitForFunction(() => (globalThis as unknown as { offline: boolean }).offline);
	await page.getByText('Online').waitFor();
	await until(() => expect(kiosk.daemon.events('print.trouble')).toHaveLength(1));
	expect(await page.evaluate(() => (globalThis as unknown as { gone: number }).gone)).toBe(0);
	await page.getByText('Struk tidak tersedia').waitFor();
});

test('[spec 2.2.4] the logout route ends the session of the page and keeps the outlet logged in', { tags: 'deep' }, async () => {
	await start();
	await logIn(page, kiosk);
	await page.goto(`${kiosk.daemon.url}/logout`);
	await page.getByLabel('Username').waitFor();
	expect((await page.context().cookies()).filter((cookie) => cookie.name === 'fww_client')).toEqual([]);
	await page.goto(kiosk.daemon.url);
	await page.getByLabel('Username').waitFor();
	expect(partText(await kiosk.health(), 'back office')).toMatch(/^live socket open/);
});
