import type { BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { sharedBrowser } from './browser.ts';

/** Opens a page, by default for a landscape panel, and closes it after the running test. */
export async function pageForTest(options: BrowserContextOptions = {}): Promise<Page> {
	const context = await (await sharedBrowser()).newContext({ viewport: { width: 1920, height: 1080 }, ...options });
	onTestFinished(() => context.close());
	return context.newPage();
}

/**
 * Opens a page for checks of layout and accessibility. Motion is off. The page's content security
 * policy is off, too, because it would forbid the script axe that the checks add to the page.
 */
export const inspectedPage = (viewport: { width: number; height: number }): Promise<Page> =>
	pageForTest({ viewport, bypassCSP: true, reducedMotion: 'reduce' });
