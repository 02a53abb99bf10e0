import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';

/**
 * Fake timers for each test of a file; afterwards an empty page and storage.
 * @param now the time at the start
 */
export function timedScreens(now?: Date): void {
	beforeEach(() => {
		vi.useFakeTimers(now && { now });
	});
	afterEach(() => {
		cleanup();
		vi.useRealTimers();
		vi.unstubAllGlobals();
		sessionStorage.clear();
	});
}

export const pass = (ms = 0) => act(() => vi.advanceTimersByTimeAsync(ms));
/** The route that `draw` shows. */
export const where = () => screen.getByTestId('where').textContent;
