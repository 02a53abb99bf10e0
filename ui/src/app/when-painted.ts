/** One transparent pixel. */
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
/** Not 0: what is wholly transparent is never painted. */
const UNSEEN = '0.01';

let marks = 0;

/** What Chromium says of an element that it has put on the panel (Element Timing); TypeScript's own library lacks it. */
interface ElementEntry extends PerformanceEntry {
	identifier: string;
	/** When the frame was shown; 0: never. */
	renderTime: number;
}

/**
 * Puts a pixel on the page that nobody sees and waits until the browser has shown the frame with it. A timer, and even an animation
 * frame, also comes where the compositor shows nothing; and a screen whose root is hidden or empty does not count as drawn.
 * @param painted called at most once @returns ends the wait
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
		// biome-ignore lint/performance/useDomNodeTextContent: only what is really on the panel counts, and once in five seconds costs nothing
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

/** For browsers that cannot say more: the second frame comes when the first has been drawn. */
function afterFrames(painted: () => void): () => void {
	let frame = requestAnimationFrame(() => {
		frame = requestAnimationFrame(painted);
	});
	return () => cancelAnimationFrame(frame);
}
