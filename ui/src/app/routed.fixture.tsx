import { cleanup, render } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';
import { clearSession } from '../lib/session-cookie.ts';
import type { Store } from '../state/store.ts';
import { stubResizeObserver } from '../state/test-store.tsx';
import { Router } from './router.tsx';

/** Sets up and cleans up each test of a file that opens whole routes. */
export function aroundRoutes(): void {
	beforeEach(stubResizeObserver);
	// Waits for the preloaded screens, because they must not arrive after the DOM of this test file
	// is gone.
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
