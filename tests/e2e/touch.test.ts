// @module-tag deep
import type { CDPSession, Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Printer } from '../simulators/printer/start.ts';
import { type Kiosk, printerSection } from '../support/kiosk.ts';
import { kioskForTest, printerForTest } from '../support/kiosk-for-test.ts';
import { pageForTest } from '../support/page-for-test.ts';
import { until } from '../support/until.ts';

type Point = { x: number; y: number };

const BUDI = '081234567890';
const PAID = '081200000001';

let kiosk: Kiosk;
let printer: Printer;
let page: Page;
let glass: CDPSession;

/**
 * Starts a kiosk with a touch panel and logs in. Touches go through the browser's input pipeline,
 * like touches of real hardware.
 */
async function start(): Promise<void> {
	printer = await printerForTest();
	kiosk = await kioskForTest({ login: false, settings: printerSection(printer.uri) });
	page = await pageForTest({ hasTouch: true });
	glass = await page.context().newCDPSession(page);
	const { username, password } = kiosk.backOffice.account;
	await page.goto(`${kiosk.daemon.url}/login`);
	await page.getByLabel('Username').fill(username);
	await page.getByLabel('Password', { exact: true }).fill(password);
	await page.keyboard.press('Enter');
	await onScreenFor(page.getByText('Masukan nomor HP anda'));
}

const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
	glass.send('Input.dispatchTouchEvent', { type, touchPoints });
async function tap(point: Point): Promise<void> {
	await touch('touchStart', [point]);
	await touch('touchEnd', []);
}
async function centre(target: Locator): Promise<Point> {
	const box = await target.boundingBox();
	if (box === null) throw new Error('nothing to touch');
	return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
const button = (name: string | RegExp) => page.getByRole('button', { name });

/** Waits until the page's clock has advanced by this time. */
async function wait(ms: number): Promise<void> {
	const from = await page.evaluate(() => performance.now());
	await page.waitForFunction((until) => performance.now() > until, from + ms);
}
/** Waits until the element appears, and then for the moment that a person needs before a touch. */
async function onScreenFor(target: Locator, ms = 400): Promise<void> {
	await target.waitFor();
	await wait(ms);
}
async function press(target: Locator): Promise<void> {
	await onScreenFor(target);
	await tap(await centre(target));
}
/** Two taps at one place, as fast as the connection allows. */
async function pressTwice(target: Locator): Promise<void> {
	await onScreenFor(target);
	const at = await centre(target);
	await tap(at);
	await tap(at);
}
async function enter(number: string): Promise<void> {
	const keys = new Map<string, Point>();
	for (const digit of new Set(number)) keys.set(digit, await centre(page.getByRole('button', { name: digit, exact: true })));
	for (const digit of number) await tap(keys.get(digit) ?? { x: 0, y: 0 });
}
const path = () => new URL(page.url()).pathname;
const field = () => page.getByLabel('Masukan nomor HP anda');
const typed = (number: string) => until(async () => expect((await field().inputValue()).replaceAll(' ', '')).toBe(number));

test('every quick tap on the keypad enters its digit, even two taps on one key', async () => {
	await start();
	await enter('0811223344');
	await typed('0811223344');
});

test('a double tap on Lanjut, a method or Kembali acts like one tap, and its second tap does not reach the next screen', async () => {
	await start();
	await enter(BUDI);
	await pressTwice(button('Lanjut'));
	await button(/Bayar Tunai/).waitFor();
	expect(path()).toBe('/payment-method');
	await pressTwice(button(/Bayar Non Tunai/));
	await onScreenFor(page.getByRole('heading', { name: 'Bayar Non Tunai' }));
	expect(path()).toBe('/payment-method');
	await pressTwice(button('Kembali'));
	await onScreenFor(button(/Bayar Tunai/));
	expect(path()).toBe('/payment-method');
	await pressTwice(button(/Bayar Tunai/));
	await onScreenFor(page.getByText('Ready', { exact: true }));
	expect(path()).toBe('/cash-payment');
	await pressTwice(button('Kembali'));
	await onScreenFor(field());
	expect(path()).toBe('/');
	expect(await field().inputValue()).toBe('');
});

test('if the first tap of a double tap opens a question or the home screen, the second tap presses nothing there', async () => {
	await start();
	await enter(BUDI);
	await press(button('Lanjut'));
	await press(button(/Bayar Tunai/));
	await page.getByText('Ready', { exact: true }).waitFor();
	kiosk.acceptor.device.insert({ nominal: 50_000 });
	await page.getByText('Terima 1').waitFor();
	await pressTwice(button('Kembali'));
	await onScreenFor(page.getByRole('dialog'));
	await pressTwice(button('Ya, kembali'));
	await onScreenFor(field());
	expect(await field().inputValue()).toBe('');
});

test('a double tap on Cetak prints once; a later tap prints again', async () => {
	await start();
	await enter(PAID);
	await press(button('Lanjut'));
	await pressTwice(button('Cetak'));
	await page.getByText('Struk sudah dicetak').waitFor();
	expect(printer.queue.receipts).toHaveLength(1);
	await press(button('Cetak'));
	await until(() => expect(printer.queue.receipts).toHaveLength(2));
});

test('a tap presses a button only if it begins and ends inside this button', async () => {
	await start();
	const [one, nine] = [
		await centre(page.getByRole('button', { name: '1', exact: true })),
		await centre(page.getByRole('button', { name: '9', exact: true })),
	];
	await touch('touchStart', [one]);
	await touch('touchMove', [nine]);
	await touch('touchEnd', []);
	await wait(500);
	expect(await field().inputValue()).toBe('');
	await tap(one);
	await typed('1');
});

test('if a finger rests long on a button, the button is not pressed when the finger is lifted', async () => {
	await start();
	await enter('081');
	await typed('081');
	await touch('touchStart', [await centre(button('Lanjut'))]);
	await wait(5_500);
	await touch('touchEnd', []);
	await tap(await centre(page.getByRole('button', { name: '2', exact: true })));
	await typed('0812');
	expect(path()).toBe('/');
});

test('repeated ten-finger touches do not zoom or break the page', async () => {
	await start();
	const faults: string[] = [];
	page.on('pageerror', (error) => faults.push(error.message));
	const hand = (spread: number, left: number, top: number) =>
		Array.from({ length: 10 }, (_, finger) => ({ x: left + (finger % 5) * spread, y: top + Math.floor(finger / 5) * spread }));
	for (const [left, top] of [
		[700, 350],
		[900, 600],
		[200, 200],
		[1300, 700],
	] as const) {
		await touch('touchStart', hand(40, left, top));
		await touch('touchMove', hand(90, left, top));
		await touch('touchEnd', []);
	}
	expect(faults).toEqual([]);
	expect(path()).toBe('/');
	expect(await page.evaluate(() => [visualViewport?.scale, scrollX, scrollY])).toEqual([1, 0, 0]);
	await press(button('Hapus satu angka'));
	const before = await field().inputValue();
	await press(page.getByRole('button', { name: '7', exact: true }));
	await typed(`${before}7`.replaceAll(' ', ''));
});

test('neither a long press nor a mouse can open a menu, select or drag anything, or open a second window', async () => {
	await start();
	const heading = page.getByText('Masukan nomor HP anda').first();
	await page.evaluate(() => {
		for (const kind of ['contextmenu', 'dragstart', 'selectstart'])
			window.addEventListener(kind, (event) => {
				document.body.dataset[kind] = event.defaultPrevented ? 'refused' : 'allowed';
			});
	});
	const at = await centre(heading);
	await touch('touchStart', [at]);
	await wait(2_000);
	await touch('touchEnd', []);
	await page.mouse.click(at.x, at.y, { button: 'right' });
	await page.waitForFunction(() => document.body.dataset.contextmenu === 'refused');
	await page.mouse.move(at.x - 300, at.y - 5);
	await page.mouse.down();
	await page.mouse.move(at.x + 300, at.y + 40, { steps: 5 });
	await page.mouse.up();
	await page.mouse.dblclick(at.x, at.y);
	await page.mouse.click(at.x, at.y, { button: 'middle' });
	expect(await page.evaluate(() => [String(getSelection()), document.body.dataset.dragstart ?? 'none'])).toEqual(['', 'none']);
	expect(page.context().pages()).toHaveLength(1);
	expect(await page.locator('input[type=file], [draggable=true], a[target]').count()).toBe(0);
	expect(path()).toBe('/');
});
