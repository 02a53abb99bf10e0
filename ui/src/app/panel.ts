const MM_PER_INCH = 25.4;

/** Above this density (a panel under about 19 inch at 1920×1080) letters of legal height leave no room for decoration. */
const DENSE_PX_PER_MM = 4.6;

/** @returns CSS pixels per millimetre of a panel that the window fills; lengths in px, diagonal in inch */
export const pxPerMm = (width: number, height: number, diagonalInch: number): number =>
	Math.hypot(width, height) / (diagonalInch * MM_PER_INCH);

/**
 * Keeps the custom property `--mm` at the true millimetre of this panel, so that keys have the size of a finger on every panel.
 * @param diagonalInch from the settings
 * @returns stops following the window
 */
export function followPanel(diagonalInch: number): () => void {
	const root = document.documentElement;
	const apply = () => {
		const mm = pxPerMm(window.innerWidth, window.innerHeight, diagonalInch);
		root.style.setProperty('--mm', `${mm}px`);
		root.dataset.dense = String((mm * 1080) / Math.min(window.innerWidth, window.innerHeight) > DENSE_PX_PER_MM);
	};
	apply();
	window.addEventListener('resize', apply);
	return () => window.removeEventListener('resize', apply);
}
