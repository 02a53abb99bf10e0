import { cleanup, render } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';
import { clearSession } from '../lib/session-cookie.ts';
import type { Store } from '../state/store.ts';
import { stubResizeObserver } from '../state/test-store.tsx';
import { Router } from './router.tsx';

/** Screens other than the first are loaded lazily, which takes time on a busy PC. */
export const LOADED = { timeout: 30_000 };

/** Prepares each test of a file that opens whole routes, and clears what a visit leaves. */
export function aroundRoutes(): void {
	beforeEach(stubResizeObserver);
	// Screens that are loaded ahead must not arrive after the test's page is gone.
	afterAll(() => vi.dynamicImportSettled());
	afterEach(() => {
		cleanup();
		clearSession();
		sessionStorage.clear();
		vi.unstubAllGlobals();
	});
}

/** Shows the kiosk at this address. */
export function showRoute(store: Store, address: string): void {
	history.pushState(null, '', address);
	render(
		<Provider store={store}>
			<Router />
		</Provider>,
	);
}
