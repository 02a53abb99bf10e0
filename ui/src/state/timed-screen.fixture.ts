import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';

/**
 * Gives each test of a file fake timers. After the test, empties page and storage.
 * @param now the time at which each test starts
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
/** @returns the current route of the page that `draw` has made */
export const where = () => screen.getByTestId('where').textContent;
