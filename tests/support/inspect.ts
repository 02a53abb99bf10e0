import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { shot } from './browser.ts';
import { fillPanel, misfits, PANELS, tallestAmount, tooSmall } from './ruler.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A panel can hang in either orientation. */
export const SIZES = { landscape: { width: 1920, height: 1080 }, portrait: { width: 1080, height: 1920 } } as const;

type Orientation = keyof typeof SIZES;

type OnPanel = (orientation: Orientation, size: (typeof SIZES)[Orientation]) => Promise<void>;

/** Defines a test for a landscape and a portrait panel. `make test` runs only the landscape one. */
export function onEachPanel(title: string, run: OnPanel): void {
	onPanel('landscape', title, {}, run);
	onPanel('portrait', title, { tags: 'deep' }, run);
}

/** Like `onEachPanel`, but `make test` runs neither test. */
export function onEachPanelDeep(title: string, run: OnPanel): void {
	onPanel('landscape', title, { tags: 'deep' }, run);
	onPanel('portrait', title, { tags: 'deep' }, run);
}

function onPanel(orientation: Orientation, title: string, options: { tags?: 'deep' }, run: OnPanel): void {
	test(`${orientation}: ${title}`, options, () => run(orientation, SIZES[orientation]));
}

/**
 * Takes a picture of the screen and expects that `violations` and `tooSmall` find nothing. The
 * page's context needs `bypassCSP`, because `violations` adds the script axe to the page.
 */
export async function inspect(page: Page, name: string): Promise<void> {
	await shot(page, name);
	expect(await violations(page), name).toEqual([]);
	expect(await tooSmall(page), name).toEqual([]);
}

type Least = {
	/** How high capital letters of the largest amount on the screen must be at least, mm. */
	amountMm?: number;
};

/** Measures the layout on panels of all sizes, and expects that `violations` finds nothing. */
export async function inspectOnPanels(page: Page, name: string, least: Least = {}): Promise<void> {
	await measureOnPanels(page, name, least);
	expect(await violations(page), name).toEqual([]);
}

/**
 * Measures only the layout, on panels of all sizes. It works even while the page's clock is paused.
 * At the end the page fills a 21.5-inch panel.
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
