import type { Page } from 'playwright-core';

/**
 * Measures how far elements jump while they stay on the screen. Jumps directly after a touch count,
 * too.
 */
export interface Shifts {
	/** @returns the sum of shifts since the last call, and the elements that moved */
	since(): Promise<{ sum: number; moved: string[] }>;
}

type Entry = PerformanceEntry & { value: number; sources: { node: Node | null }[] };
type Watched = { shifts: { value: number; moved: string[] }[] };

/** Watches a page. The measurement begins when the page is loaded next. */
export async function watchShifts(page: Page): Promise<Shifts> {
	await page.addInitScript(() => {
		const watched = globalThis as unknown as Watched;
		watched.shifts = [];
		const nameOf = (node: Node | null) => (node instanceof Element ? `${node.tagName}.${node.getAttribute('class') ?? ''}` : '#text');
		new PerformanceObserver((list) => {
			for (const { value, sources } of list.getEntries() as Entry[])
				watched.shifts.push({ value, moved: sources.map(({ node }) => nameOf(node)) });
		}).observe({ type: 'layout-shift', buffered: true });
	});
	return {
		since: () =>
			page.evaluate(async () => {
				// Waits for two whole frames: one for the layout, one for elements that adapt to their
				// measured size.
				for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
				const { shifts } = globalThis as unknown as Watched;
				const taken = shifts.splice(0);
				return { sum: taken.reduce((sum, { value }) => sum + value, 0), moved: taken.flatMap(({ moved }) => moved) };
			}),
	};
}
