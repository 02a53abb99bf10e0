import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedBrowser, shot } from '../../support/browser.ts';
import { violations } from '../../support/inspect.ts';
import { type Kiosk, startKiosk } from '../../support/kiosk.ts';
import { until } from '../../support/until.ts';

let browser: Browser;
let kiosk: Kiosk;
beforeAll(async () => {
	browser = await sharedBrowser();
	kiosk = await startKiosk({ acceptor: { timing: { startMs: 20, recogniseMs: 20, stackMs: 400 } } });
	await kiosk.openCash('081234567890');
	await until(() => expect(kiosk.acceptor.device.insert({ nominal: 50_000 })).toMatchObject({ taken: true }));
	await kiosk.crashWhileStacking();
	kiosk.acceptor.device.break('jam');
	await until(async () => expect((await kiosk.health()).parts.find(({ part }) => part === 'cash')).toMatchObject({ state: 'fail' }));
});
afterAll(async () => {
	await kiosk?.stop();
});

test('on a phone the health page shows faults first and fits the screen in both themes', async () => {
	for (const colorScheme of ['light', 'dark'] as const) {
		// Bypasses the page's content security policy, which would forbid the accessibility checker
		// that the test injects.
		const context = await browser.newContext({ viewport: { width: 360, height: 740 }, bypassCSP: true, colorScheme });
		const page = await context.newPage();
		await page.goto(`${kiosk.daemon.service}/health`);
		await shot(page, `health-phone-${colorScheme}`);
		expect(await page.title()).toBe('FAIL Bengkel');
		expect((await page.locator('h3').allTextContents()).slice(0, 2)).toEqual(['LOOK in doubt', 'FAIL cash']);
		await page.getByText('What to do: Open the unit, take the note out').waitFor();
		// Ignores the finding about the automatic reload, because the page has no input that could be
		// lost.
		expect((await violations(page)).filter((found) => !found.startsWith('meta-refresh'))).toEqual([]);
		expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
		await context.close();
	}
});

test('the health page’s content security policy allows its own style sheet and nothing else', async () => {
	const page = await browser.newPage();
	const refused: string[] = [];
	page.on('console', (message) => refused.push(message.text()));
	await page.goto(`${kiosk.daemon.service}/health`);
	expect(
		await page
			.locator('section.fail')
			.first()
			.evaluate((section) => getComputedStyle(section).borderLeftStyle),
	).toBe('solid');
	expect(refused.filter((text) => text.includes('Content Security Policy') && !text.includes('favicon'))).toEqual([]);
	const blocked: string[] = [];
	await page.exposeFunction('report', (directive: string) => blocked.push(directive));
	await page.evaluate(() => {
		const { report } = globalThis as unknown as { report(directive: string): void };
		document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => report(effectiveDirective));
		for (const [name, field, value] of [
			['script', 'textContent', 'document.title = "changed"'],
			['style', 'textContent', 'p { color: red }'],
			['img', 'src', '/logo.png'],
			['iframe', 'src', '/metrics'],
			['video', 'src', '/film.webm'],
		] as const)
			document.body.append(Object.assign(document.createElement(name), { [field]: value }));
		void fetch('/metrics').catch(() => undefined);
	});
	const forbidden = ['connect-src', 'frame-src', 'img-src', 'media-src', 'script-src-elem', 'style-src-elem'];
	await until(() => expect([...blocked].sort()).toEqual(forbidden));
	await page.close();
});
