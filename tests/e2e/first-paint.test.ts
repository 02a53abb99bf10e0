import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { logIn, sharedBrowser, typeNumber } from '../support/browser.ts';
import { type Kiosk, startKiosk } from '../support/kiosk.ts';

let kiosk: Kiosk;
beforeAll(async () => {
	kiosk = await startKiosk({ login: false });
});
afterAll(() => kiosk.stop());

function request(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
	return new Promise((resolve, reject) => get(`${kiosk.daemon.url}${path}`, { headers, agent: false }, resolve).on('error', reject));
}

const bytes = async (answer: IncomingMessage): Promise<Buffer> => Buffer.concat(await answer.toArray());

test('the daemon compresses text if the client allows it, and answers 304 if the client already has the text', async () => {
	const page = await text(await request('/'));
	const [script = ''] = /\/assets\/index-[^"]+\.js/.exec(page) ?? [];
	for (const path of ['/', script]) {
		const compressed = await request(path, { 'accept-encoding': 'gzip, deflate, br' });
		const plain = await request(path, { 'accept-encoding': 'gzip, br;q=0' });
		const [small, large] = [await bytes(compressed), await bytes(plain)];
		expect(compressed.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding', 'content-length': String(small.length) });
		expect(plain.headers['content-encoding']).toBeUndefined();
		expect(brotliDecompressSync(small).equals(large)).toBe(true);
		expect(small.length).toBeLessThan(large.length / 3);
		const { etag = '' } = compressed.headers;
		expect(plain.headers.etag).not.toBe(etag);
		const again = await request(path, { 'accept-encoding': 'br', 'if-none-match': etag });
		expect([again.statusCode, (await bytes(again)).length]).toEqual([304, 0]);
	}
});

test('the content security policy allows no inline code except the page’s own styles and start script', async () => {
	const policy = String((await request('/')).headers['content-security-policy']);
	expect(policy).toMatch(/script-src 'self' 'sha256-[^' ]+';/);
	expect(policy).toMatch(/style-src 'self'( 'sha256-[^' ]+')+;/);
	expect(policy).not.toContain('unsafe');
	expect(String((await request('/health')).headers['content-security-policy'])).not.toContain("script-src 'self' 'sha256");
});

test('the first frame is drawn before any asset is loaded, and the screen appears without a policy violation', async () => {
	const page = await (await sharedBrowser()).newPage();
	try {
		const violations: string[] = [];
		page.on('console', (message) => {
			if (/policy|trusted/i.test(message.text())) violations.push(message.text());
		});
		page.on('pageerror', (error) => violations.push(error.message));
		let release = (): void => {};
		const held = new Promise<void>((resolve) => {
			release = resolve;
		});
		await page.route('**/assets/**', async (route) => {
			await held;
			await route.continue();
		});
		await page.goto(kiosk.daemon.url);
		await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
		expect(await page.evaluate(() => getComputedStyle(document.querySelector('.first-paint') as Element).position)).toBe('absolute');
		release();
		await page.getByText('Password').waitFor();
		expect(violations).toEqual([]);
	} finally {
		await page.close();
	}
});

test('the home screen appears before the HTTP client is loaded; if the client fails to load, a look-up waits until a second attempt has loaded it', async () => {
	const page = await (await sharedBrowser()).newPage();
	try {
		await logIn(page, kiosk);
		let release = (): void => {};
		const held = new Promise<void>((resolve) => {
			release = resolve;
		});
		const asked = new Map<string, number>();
		await page.route(/\/assets\/(api|live-message)-[^/]+\.js$/, async (route) => {
			const path = new URL(route.request().url()).pathname;
			asked.set(path, (asked.get(path) ?? 0) + 1);
			if (asked.get(path) === 1) return route.abort();
			await held;
			return route.continue();
		});
		await page.reload();
		await page.getByText('Masukan nomor HP anda').waitFor();
		await page.getByText('Offline').waitFor();
		await typeNumber(page, '081234567890');
		await page.getByText('Mencari').first().waitFor();
		release();
		await page.getByText('Pilih cara bayar').waitFor();
		await page.getByText('Online', { exact: true }).waitFor();
		expect([...asked.values()]).toEqual([2, 2]);
	} finally {
		await page.close();
	}
});
