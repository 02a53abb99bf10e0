import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { shot } from './browser.ts';
import { fillPanel, PANELS, tallestAmount, misfits as wrongOnPanel } from './ruler.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Both ways a panel may hang. */
export const SIZES = { landscape: { width: 1920, height: 1080 }, portrait: { width: 1080, height: 1920 } } as const;

/**
 * Takes a picture of the screen as it stands and lets it pass only when everybody can use it: no finding of axe, no control
 * smaller than a finger, nothing outside the panel. The page's context needs `bypassCSP`, because the rules come from outside.
 */
export async function inspect(page: Page, name: string): Promise<void> {
	await shot(page, name);
	expect(await violations(page), name).toEqual([]);
	expect(await misfits(page), name).toEqual([]);
}

type Least = {
	/** Height that the capitals of the largest amount on the screen must have, mm. */
	amountMm?: number;
};

/** The same with the finer ruler, on the panels from the smallest to the largest that dealers buy. */
export async function inspectOnPanels(page: Page, name: string, least: Least = {}): Promise<void> {
	await measureOnPanels(page, name, least);
	expect(await violations(page), name).toEqual([]);
}

/** The ruler alone, which needs no clock. */
export async function measureOnPanels(page: Page, name: string, least: Least = {}): Promise<void> {
	for (const inch of PANELS) {
		await fillPanel(page, inch);
		await shot(page, `${name}-${inch}`);
		expect(await wrongOnPanel(page), `${name} on ${inch} inch`).toEqual([]);
		expect(await tallestAmount(page), `amount of ${name} on ${inch} inch`).toBeGreaterThanOrEqual(least.amountMm ?? 0);
	}
	await fillPanel(page, 21.5);
}

/** @returns what axe finds on the page as it stands: WCAG 2.2 A and AA, and AAA contrast */
export async function violations(page: Page): Promise<string[]> {
	if (!(await page.evaluate(() => 'axe' in globalThis))) await page.addScriptTag({ content: AXE });
	return page.evaluate(async () => {
		const { axe } = globalThis as unknown as {
			axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
		};
		const tags = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'];
		const rules = { 'color-contrast-enhanced': { enabled: true }, 'target-size': { enabled: true } };
		const found = await axe.run({ runOnly: { type: 'tag', values: tags }, rules });
		return found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' | ')}`);
	});
}

/**
 * The panel's ruler. @returns controls smaller than 12.7 mm or closer together than 1 mm, keypad keys smaller than 20 mm, capitals
 * lower than 4.8 mm, what is outside the panel, and whether the page scrolls
 */
export const misfits = (page: Page): Promise<string[]> =>
	page.evaluate(() => {
		const SLACK_MM = 0.05;
		const CAPITAL_OF_SIZE = 0.72;
		const mm = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--mm'));
		const found: string[] = [];
		const dialog = document.querySelector('dialog[open]');
		const scope: ParentNode = dialog ?? document;
		const named = (element: Element): string => element.outerHTML.slice(0, 90);

		const controls = [...scope.querySelectorAll('button, a, input')].filter((control) => control.getClientRects().length > 0);
		for (const control of controls) {
			const box = control.getBoundingClientRect();
			const onKeypad = control.closest('fieldset')?.querySelector('legend')?.textContent === 'Papan angka';
			const side = Math.min(box.width, box.height) / mm;
			if (side < (onKeypad ? 20 : 12.7) - SLACK_MM) found.push(`${named(control)}: ${side.toFixed(1)} mm`);
			if (box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1)
				found.push(`${named(control)} is outside`);
		}
		for (const [index, one] of controls.entries())
			for (const other of controls.slice(index + 1)) {
				// A button inside its own field, such as "clear", belongs to it.
				if (one.parentElement === other.parentElement && (one.matches('input') || other.matches('input'))) continue;
				const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
				const across = Math.max(a.left, b.left) - Math.min(a.right, b.right);
				const down = Math.max(a.top, b.top) - Math.min(a.bottom, b.bottom);
				if (Math.max(across, down) / mm < 1) found.push(`${named(one)} is too close to ${named(other)}`);
			}

		const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
			const parent = node.parentElement;
			if (parent === null || node.textContent?.trim() === '' || parent.closest('.silent, [aria-hidden="true"]') !== null) continue;
			const range = document.createRange();
			range.selectNodeContents(node);
			if (range.getClientRects().length === 0) continue;
			const capital = (Number.parseFloat(getComputedStyle(parent).fontSize) * CAPITAL_OF_SIZE) / mm;
			if (capital < 4.8 - SLACK_MM) found.push(`"${node.textContent?.trim()}": capitals of ${capital.toFixed(1)} mm`);
		}
		const root = document.documentElement;
		if (root.scrollHeight > innerHeight || root.scrollWidth > innerWidth) found.push('the page scrolls');
		return found;
	});
