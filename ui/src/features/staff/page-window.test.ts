import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageWindow } from './page-window.ts';

const ends = (page: number, lastPage: number) => {
	const { pages, toFirst } = pageWindow(page, lastPage);
	return [pages[0], pages.at(-1), toFirst];
};

test('[spec 2.4.5, 9.2] the pager shows at most ten page numbers; from page 7 on, they move with the current page', () => {
	expect(ends(1, 6)).toEqual([1, 6, false]);
	expect(ends(6, 40)).toEqual([1, 10, false]);
	expect(ends(7, 40)).toEqual([2, 11, true]);
	expect(ends(20, 40)).toEqual([15, 24, true]);
	expect(ends(38, 40)).toEqual([31, 40, true]);
	expect(ends(8, 8)).toEqual([1, 8, true]);
});

test('on every page, the page numbers are consecutive, include this page and stay inside the list', () => {
	const anyPage = fc.integer({ min: 1, max: 5_000 }).chain((last) => fc.tuple(fc.integer({ min: 1, max: last }), fc.constant(last)));
	fc.assert(
		fc.property(anyPage, ([page, lastPage]) => {
			const { pages, toFirst } = pageWindow(page, lastPage);
			expect(pages).toHaveLength(Math.min(10, lastPage));
			expect(pages).toContain(page);
			expect(pages.every((number, index) => number === (pages[0] ?? 0) + index)).toBe(true);
			expect(pages[0]).toBeGreaterThanOrEqual(1);
			expect(pages.at(-1)).toBeLessThanOrEqual(lastPage);
			// The first page is always reachable: by its number or by "<<".
			expect(toFirst || pages[0] === 1).toBe(true);
			expect(toFirst).toBe(page > 6);
		}),
	);
});

test('on the next page, the page numbers begin at most one higher', () => {
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 200 }), (page, more) => {
			const [here, next] = [pageWindow(page, page + more), pageWindow(page + 1, page + more)];
			const moved = (next.pages[0] ?? 0) - (here.pages[0] ?? 0);
			expect([0, 1]).toContain(moved);
		}),
	);
});
