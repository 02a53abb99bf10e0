const MM_PER_INCH = 25.4;

/**
 * On a panel with a higher density, text of the minimum size leaves no room for decoration, e.g. at
 * 1920×1080 on a panel of less than about 19 inch.
 */
const DENSE_PX_PER_MM = 4.6;

/**
 * What the style sheets need to know about a panel: CSS pixels per millimetre, and whether text of
 * the minimum size fills it.
 */
export type Panel = { mm: number; dense: boolean };

/**
 * @returns the panel that a browser window of this size fills; width and height in px, diagonal in
 * inch
 */
export function panelOf(width: number, height: number, diagonalInch: number): Panel {
	const mm = Math.hypot(width, height) / (diagonalInch * MM_PER_INCH);
	return { mm, dense: (mm * 1080) / Math.min(width, height) > DENSE_PX_PER_MM };
}

/**
 * Keeps the custom property `--mm` equal to a real millimetre on this panel, so that keys stay as
 * large as a finger.
 * @param diagonalInch the panel's diagonal in the settings
 * @param largeText whether the customer chose large text; if so, text is laid out as on a small
 * panel
 * @returns a function that stops the updates
 */
export function followPanel(diagonalInch: number, largeText: boolean): () => void {
	const root = document.documentElement;
	const apply = () => {
		const { mm, dense } = panelOf(window.innerWidth, window.innerHeight, diagonalInch);
		root.style.setProperty('--mm', `${mm}px`);
		root.dataset.dense = String(dense || largeText);
		root.dataset.text = largeText ? 'large' : 'usual';
	};
	apply();
	window.addEventListener('resize', apply);
	return () => window.removeEventListener('resize', apply);
}
