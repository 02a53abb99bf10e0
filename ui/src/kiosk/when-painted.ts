/** One transparent pixel. */
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
/** Not 0: fully transparent elements are never painted. */
const UNSEEN = '0.01';

let marks = 0;

/** Chromium's report of a painted element (Element Timing); missing in TypeScript's library. */
interface ElementEntry extends PerformanceEntry {
	identifier: string;
	/** When the frame was shown; 0: never. */
	renderTime: number;
}

/**
 * Adds an invisible pixel and waits until the browser has shown the frame with it, because a timer,
 * and even an animation frame, also fires where the compositor shows nothing. A frame whose root
 * is hidden or empty does not count.
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
		end();
		// Only text that is really on the panel counts; reading it once in five seconds costs nothing.
		// biome-ignore lint/performance/useDomNodeTextContent: see above
		if (root.innerText.trim() !== '') painted();
	});
	const end = () => {
		observer.disconnect();
		mark.remove();
	};
	observer.observe({ type: 'element' });
	root.append(mark);
	return end;
}

/**
 * Waits for two frames, in browsers without Element Timing: the second frame comes after the first
 * was drawn.
 */
function afterFrames(painted: () => void): () => void {
	let frame = requestAnimationFrame(() => {
		frame = requestAnimationFrame(painted);
	});
	return () => cancelAnimationFrame(frame);
}
