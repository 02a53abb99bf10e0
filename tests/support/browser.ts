import { type Browser, chromium, type Page } from 'playwright-core';
import type { Kiosk } from './kiosk.ts';

/**
 * Starts Debian's Chromium. Most of the flags suppress Chromium's own network requests. For root
 * (as in continuous integration) the sandbox is off, because Chromium would refuse to start with
 * it.
 */
export const launchBrowser = (): Promise<Browser> =>
	chromium.launch({
		executablePath: '/usr/bin/chromium',
		chromiumSandbox: process.getuid?.() !== 0,
		args: [
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});

let shared: Browser | undefined;

/**
 * Returns one browser for all test files that run in this process. The browser ends with the
 * process. Each test opens its own page or context and closes it.
 */
export async function sharedBrowser(): Promise<Browser> {
	// Starts another browser if a test crashed the previous one.
	if (!shared?.isConnected()) shared = await launchBrowser();
	return shared;
}

/** Logs the outlet in on the login screen, as staff do, and waits for the home screen. */
export async function logIn(page: Page, kiosk: Kiosk): Promise<void> {
	const { username, password } = kiosk.backOffice.account;
	await page.goto(`${kiosk.daemon.url}/login`);
	await page.getByLabel('Username').fill(username);
	await page.getByLabel('Password', { exact: true }).fill(password);
	await page.getByRole('button', { name: 'Submit' }).click();
	await page.getByText('Masukan nomor HP anda').waitFor();
}

/** Types a number on the screen's keypad and confirms it. */
export async function typeNumber(page: Page, digits: string): Promise<void> {
	for (const digit of digits) await page.getByRole('button', { name: digit, exact: true }).click();
	await page.getByRole('button', { name: 'Lanjut' }).click();
}

/**
 * Touches these buttons one after the other. A string must be a button's whole name; a regular
 * expression may match a part of it.
 */
export async function touchButtons(page: Page, ...names: (string | RegExp)[]): Promise<void> {
	for (const name of names) await page.getByRole('button', { name, exact: typeof name === 'string' }).click();
}

/** If the environment variable KIOSK_SHOTS names a folder, saves a picture of the page there. */
export async function shot(page: Page, name: string): Promise<void> {
	const folder = process.env.KIOSK_SHOTS;
	if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
}
