/**
 * If a control has appeared or was last pressed less than this time ago, ms, a touch on it is not
 * deliberate: it is the second tap of a double tap, or a palm.
 */
const TOO_SOON_MS = 350;

/**
 * Even a slow finger presses no longer than this, ms. A longer touch is a palm or a resting finger.
 */
const TOO_LONG_MS = 5_000;

/** Marks keypads and keyboards, where quick repeated touches are intended. */
const QUICK = '[data-quick]';

const controlOf = (target: EventTarget | null): Element | null =>
	target instanceof Element ? target.closest('button, a, input, summary, [role="button"]') : null;

/**
 * Ignores touches that are not deliberate: on a control that has just appeared or was just pressed,
 * or longer than `TOO_LONG_MS`. Mouse and keyboard are not guarded.
 * @returns a function that ends the guard
 */
export function guardTouches(): () => void {
	const appeared = new WeakMap<Node, number>();
	const observer = new MutationObserver((changes) => {
		const now = performance.now();
		for (const change of changes) for (const node of change.addedNodes) appeared.set(node, now);
	});
	observer.observe(document.documentElement, { childList: true, subtree: true });

	/** When each finger touched down, ms. */
	const began = new Map<number, number>();
	let last: { control: Element; at: number } | null = null;

	const isNew = (control: Element, at: number): boolean => {
		for (let node: Node | null = control; node !== null; node = node.parentNode) {
			const since = appeared.get(node);
			if (since !== undefined && at - since < TOO_SOON_MS) return true;
		}
		return false;
	};
	const isRepeat = (control: Element, at: number): boolean =>
		last?.control === control && at - last.at < TOO_SOON_MS && control.closest(QUICK) === null;

	const down = (event: PointerEvent) => {
		if (event.isPrimary) began.clear();
		began.set(event.pointerId, event.timeStamp);
	};
	const click = (event: MouseEvent) => {
		if (!(event instanceof PointerEvent) || event.pointerType !== 'touch') return;
		const at = began.get(event.pointerId) ?? event.timeStamp;
		const control = controlOf(event.target);
		if (control === null) return;
		if (isNew(control, at) || isRepeat(control, at) || event.timeStamp - at > TOO_LONG_MS) {
			event.preventDefault();
			event.stopImmediatePropagation();
			return;
		}
		last = { control, at: event.timeStamp };
	};
	window.addEventListener('pointerdown', down, true);
	window.addEventListener('click', click, true);
	return () => {
		observer.disconnect();
		window.removeEventListener('pointerdown', down, true);
		window.removeEventListener('click', click, true);
	};
}
