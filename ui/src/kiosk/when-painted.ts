/** One transparent pixel. */
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
/** The mark's opacity. It is not 0, because Chromium never paints a fully transparent element. */
const UNSEEN = '0.01';

let marks = 0;
/** The mark of the last shown frame. It is removed when the next mark is added. */
let shown: HTMLElement | null = null;

/** Chromium's report of a painted element (Element Timing), which TypeScript's library lacks. */
interface ElementEntry extends PerformanceEntry {
	identifier: string;
	/** When the frame was shown; 0 if it was never shown. */
	renderTime: number;
}

/**
 * Adds an invisible pixel (the mark) and waits until the browser has shown a frame with it. Timers
 * and animation frames would not prove this, because they fire even if the compositor shows
 * nothing. A frame with a hidden or empty root does not count.
 * @param painted called at most once
 * @returns a function that ends the wait
 */
export function whenPainted(painted: () => void): () => void {
	const root = document.getElementById('root');
	if (root === null || !globalThis.PerformanceObserver?.supportedEntryTypes.includes('element')) return afterFrames(painted);
	marks += 1;
	const name = `painted-${marks}`;
	const mark = document.createElement('img');
	mark.src = PIXEL;
	mark.alt = '';
	mark.ariaHidden = 'true';
	mark.setAttribute('elementtiming', name);
	Object.assign(mark.style, { position: 'fixed', left: '0', top: '0', pointerEvents: 'none', opacity: UNSEEN });
	const observer = new PerformanceObserver((list) => {
		const entries = list.getEntries() as ElementEntry[];
		if (!entries.some(({ identifier, renderTime }) => identifier === name && renderTime > 0)) return;
		observer.disconnect();
		shown = mark;
		// `innerText` contains only visible text. Reading it is slow, but happens only every five
		// seconds.
		// biome-ignore lint/performance/useDomNodeTextContent: see above
		if (root.innerText.trim() !== '') painted();
	});
	const end = () => {
		observer.disconnect();
		mark.remove();
	};
	observer.observe({ type: 'element' });
	shown?.remove();
	root.append(mark);
	return end;
}

/**
 * For browsers without Element Timing: waits for two frames, because the second begins after the
 * first was drawn.
 */
function afterFrames(painted: () => void): () => void {
	let frame = requestAnimationFrame(() => {
		frame = requestAnimationFrame(painted);
	});
	return () => cancelAnimationFrame(frame);
}
