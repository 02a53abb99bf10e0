/**
 * From the specification: how many page numbers are shown, and the page above which '<<' appears.
 */
const WINDOW = 10;
const JUMP_ABOVE = 6;

/**
 * The page numbers to offer. Up to page 6 they begin at 1. Above page 6, '<<' appears and five
 * pages precede the current page; at the end of the list more pages precede it, so that the window
 * stays full.
 * @param page the current one, 1 or more
 * @param lastPage 1 or more
 */
export function pageWindow(page: number, lastPage: number): { pages: number[]; toFirst: boolean } {
	const size = Math.min(WINDOW, lastPage);
	const first = Math.max(1, Math.min(page - (JUMP_ABOVE - 1), lastPage - size + 1));
	return { pages: Array.from({ length: size }, (_, index) => first + index), toFirst: page > JUMP_ABOVE };
}
