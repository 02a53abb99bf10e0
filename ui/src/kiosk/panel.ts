const MM_PER_INCH = 25.4;

/**
 * Above this density, text of the minimum size leaves no room for decoration. An example is a panel
 * under about 19 inch at 1920×1080.
 */
const DENSE_PX_PER_MM = 4.6;

/**
 * A panel for the style sheets: CSS pixels per millimetre, and whether text of the minimum size
 * fills it.
 */
export type Panel = { mm: number; dense: boolean };

/** @returns the panel that a window fills; lengths in px, diagonal in inch */
export function panelOf(width: number, height: number, diagonalInch: number): Panel {
	const mm = Math.hypot(width, height) / (diagonalInch * MM_PER_INCH);
	return { mm, dense: (mm * 1080) / Math.min(width, height) > DENSE_PX_PER_MM };
}

/**
 * Keeps the custom property `--mm` at the true millimetre of this panel, so that keys keep the size
 * of a finger.
 * @param diagonalInch from the settings
 * @param largeText whether the customer chose large text: text as on a small panel
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
