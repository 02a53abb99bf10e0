import type { BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { sharedBrowser } from './browser.ts';

/** Opens a page that closes with the running test; on a landscape panel by default. */
export async function pageForTest(options: BrowserContextOptions = {}): Promise<Page> {
	const context = await (await sharedBrowser()).newContext({ viewport: { width: 1920, height: 1080 }, ...options });
	onTestFinished(() => context.close());
	return context.newPage();
}

/**
 * Opens a page for checks of layout and accessibility. It has no motion, and not the page's own
 * policy, which would forbid the injected rules.
 */
export const inspectedPage = (viewport: { width: number; height: number }): Promise<Page> =>
	pageForTest({ viewport, bypassCSP: true, reducedMotion: 'reduce' });
