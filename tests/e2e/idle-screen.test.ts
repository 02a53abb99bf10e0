/** The idle screen draws few frames, because each one costs processor time. */
import type { CDPSession, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { logIn } from '../support/browser.ts';
import { kioskForTest } from '../support/kiosk-for-test.ts';
import { pageForTest } from '../support/page-for-test.ts';

const REPORTS = 2;
/**
 * Time limit of one report, ms. Reports come every five seconds, but a busy computer may delay
 * them.
 */
const REPORT_LIMIT_MS = 45_000;

interface TraceEvent {
	name: string;
	ph: string;
}

/** Resolves when the daemon has answered the page's next report of a drawn frame. */
const nextReport = (page: Page) =>
	page.waitForResponse((response) => response.url().endsWith('/kiosk/rendered'), { timeout: REPORT_LIMIT_MS });

/**
 * @returns the number of frames that the page draws from its next report until `REPORTS` more
 * reports were sent
 */
async function framesBetweenReports(page: Page): Promise<number> {
	const browser = page.context().browser();
	if (browser === null) throw new Error('the page has no browser');
	const session: CDPSession = await browser.newBrowserCDPSession();
	let frames = 0;
	session.on('Tracing.dataCollected', ({ value }) => {
		frames += (value as unknown as TraceEvent[]).filter(({ name, ph }) => name === 'Commit' && ph === 'X').length;
	});
	await nextReport(page);
	await session.send('Tracing.start', {
		traceConfig: { includedCategories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'] },
	});
	for (let report = 0; report < REPORTS; report += 1) await nextReport(page);
	const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
	await session.send('Tracing.end');
	await complete;
	await session.detach();
	return frames;
}

test('the idle home screen draws at most one frame more than its reports need, although its field has the focus', async () => {
	const kiosk = await kioskForTest({ login: false });
	const page = await pageForTest();
	await logIn(page, kiosk);
	expect(await page.evaluate(() => document.activeElement?.id)).toBe('hp');
	// The first report may come before the screen has changed for the last time, e.g. to "Online".
	await nextReport(page);
	// One more frame may come from the screen's own changes, for example a new minute on its clock.
	expect(await framesBetweenReports(page)).toBeLessThanOrEqual(REPORTS + 1);
}, 120_000);
