import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { shot } from './browser.ts';
import { fillPanel, misfits, PANELS, tallestAmount, tooSmall } from './ruler.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Both orientations of a panel. */
export const SIZES = { landscape: { width: 1920, height: 1080 }, portrait: { width: 1080, height: 1920 } } as const;

type Orientation = keyof typeof SIZES;

type OnPanel = (orientation: Orientation, size: (typeof SIZES)[Orientation]) => Promise<void>;

/** Runs a test on both panels; `make test` runs only the landscape panel. */
export function onEachPanel(title: string, run: OnPanel): void {
	onPanel('landscape', title, {}, run);
	onPanel('portrait', title, { tags: 'deep' }, run);
}

/** Works like `onEachPanel`, but `make test` leaves the test out. */
export function onEachPanelDeep(title: string, run: OnPanel): void {
	onPanel('landscape', title, { tags: 'deep' }, run);
	onPanel('portrait', title, { tags: 'deep' }, run);
}

function onPanel(orientation: Orientation, title: string, options: { tags?: 'deep' }, run: OnPanel): void {
	test(`${orientation}: ${title}`, options, () => run(orientation, SIZES[orientation]));
}

/**
 * Takes a picture of the screen and expects that `violations` and `tooSmall` find nothing. The
 * page's context needs `bypassCSP`, because the test injects axe.
 */
export async function inspect(page: Page, name: string): Promise<void> {
	await shot(page, name);
	expect(await violations(page), name).toEqual([]);
	expect(await tooSmall(page), name).toEqual([]);
}

type Least = {
	/** Least height of the capital letters of the largest amount on the screen, mm. */
	amountMm?: number;
};

/** Measures the layout on panels of all sizes, then expects that `violations` finds nothing. */
export async function inspectOnPanels(page: Page, name: string, least: Least = {}): Promise<void> {
	await measureOnPanels(page, name, least);
	expect(await violations(page), name).toEqual([]);
}

/**
 * Measures only the layout, on panels of all sizes. Works even with a stopped clock. Afterwards the
 * page fills a panel of 21.5 inch.
 */
export async function measureOnPanels(page: Page, name: string, least: Least = {}): Promise<void> {
	for (const inch of PANELS) {
		await fillPanel(page, inch);
		await shot(page, `${name}-${inch}`);
		expect(await misfits(page), `${name} on ${inch} inch`).toEqual([]);
		expect(await tallestAmount(page), `amount of ${name} on ${inch} inch`).toBeGreaterThanOrEqual(least.amountMm ?? 0);
	}
	await fillPanel(page, 21.5);
}

/** @returns axe's findings: WCAG 2.2 A and AA, AAA contrast, and content outside of landmarks */
export async function violations(page: Page): Promise<string[]> {
	if (!(await page.evaluate(() => 'axe' in globalThis))) await page.addScriptTag({ content: AXE });
	return page.evaluate(async () => {
		const { axe } = globalThis as unknown as {
			axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
		};
		const tags = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];
		const rules = { 'color-contrast-enhanced': { enabled: true }, 'target-size': { enabled: true }, region: { enabled: true } };
		const found = await axe.run({ runOnly: { type: 'tag', values: tags }, rules });
		return found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' | ')}`);
	});
}
