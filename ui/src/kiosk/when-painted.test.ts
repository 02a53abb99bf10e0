// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

interface Played {
	hear: (entries: { identifier: string; renderTime: number }[]) => void;
	stopped: boolean;
}
let observers: Played[] = [];

/**
 * Simulates the browser's observer for Element Timing, which reports the marked elements that a
 * frame has painted.
 */
class PlayedObserver {
	static readonly supportedEntryTypes = ['element'];
	readonly #played: Played;
	constructor(heard: (list: { getEntries: () => unknown[] }) => void) {
		this.#played = { hear: (entries) => heard({ getEntries: () => entries }), stopped: false };
	}
	observe(): void {
		observers.push(this.#played);
	}
	disconnect(): void {
		this.#played.stopped = true;
	}
}

const marks = () => [...document.querySelectorAll('img')].map((mark) => mark.getAttribute('elementtiming') ?? '');

/** Paints one frame, with all marks that are in the page. */
function paint(renderTime = 1): void {
	const entries = marks().map((identifier) => ({ identifier, renderTime }));
	for (const observer of observers) if (!observer.stopped) observer.hear(entries);
}

beforeEach(() => {
	observers = [];
	vi.stubGlobal('PerformanceObserver', PlayedObserver);
	vi.resetModules();
	document.body.innerHTML = '<div id="root">Total</div>';
});
afterEach(() => vi.unstubAllGlobals());

test('the mark of a shown frame stays until the next mark is added; each mark is reported once', async () => {
	const { whenPainted } = await import('./when-painted.ts');
	const painted = vi.fn();
	for (let report = 1; report <= 3; report += 1) {
		whenPainted(painted);
		expect(marks()).toHaveLength(1);
		paint();
		paint();
		expect(painted).toHaveBeenCalledTimes(report);
	}
});

test('a frame that was never shown, a frame without text and the mark of an earlier frame are not reported', async () => {
	const { whenPainted } = await import('./when-painted.ts');
	const painted = vi.fn();
	whenPainted(painted);
	paint();
	const [earlier] = marks();
	whenPainted(painted);
	for (const observer of observers) if (!observer.stopped) observer.hear([{ identifier: earlier ?? '', renderTime: 9 }]);
	paint(0);
	expect(painted).toHaveBeenCalledTimes(1);
	document.getElementById('root')?.firstChild?.remove();
	paint();
	expect(painted).toHaveBeenCalledTimes(1);
});

test('if one frame has shown the marks of several reports, each mark is removed when its report ends', async () => {
	const { whenPainted } = await import('./when-painted.ts');
	const painted = vi.fn();
	const ends = [whenPainted(painted), whenPainted(painted), whenPainted(painted)];
	paint();
	expect(painted).toHaveBeenCalledTimes(3);
	whenPainted(painted);
	for (const end of ends) end();
	expect(marks()).toHaveLength(1);
});
