/** From the specification: ten page numbers are shown, and '<<' appears above page 6. */
const WINDOW = 10;
const JUMP_ABOVE = 6;

/**
 * @returns the page numbers to offer, and whether to offer '<<'. Up to page 6, the numbers begin at
 * 1. Above page 6, they begin five pages before the current page; near the end of the list,
 *   earlier, so that there are still ten.
 * @param page the current page, 1 or more
 * @param lastPage 1 or more
 */
export function pageWindow(page: number, lastPage: number): { pages: number[]; toFirst: boolean } {
	const size = Math.min(WINDOW, lastPage);
	const first = Math.max(1, Math.min(page - (JUMP_ABOVE - 1), lastPage - size + 1));
	return { pages: Array.from({ length: size }, (_, index) => first + index), toFirst: page > JUMP_ABOVE };
}
