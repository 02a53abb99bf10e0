/**
 * Helpers for tests: a store with a daemon that gives the wanted answers, and a page around a
 * screen.
 */

import type { ScreenMessage } from '@kiosk/contract/live';
import { configure, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { vi } from 'vitest';
import type { Api } from '../lib/api.ts';
import type { Live } from '../lib/live.ts';
import { fakeApi, settings } from '../lib/test-data.ts';
import { settingsKnown } from './settings.ts';
import { makeStore, type Store } from './store.ts';

// The timeout is longer than usual, because a busy PC loads languages and screens slowly.
configure({ asyncUtilTimeout: 30_000 });

/** happy-dom has no layout, so tests use a ResizeObserver that does nothing. */
export const stubResizeObserver = () =>
	vi.stubGlobal(
		'ResizeObserver',
		class {
			observe() {}
			disconnect() {}
		},
	);

/**
 * @returns a store with settings, the calls that it has made, and the messages that it has sent on
 * the live socket
 */
export function storeWith(answers: Partial<Api> = {}): { store: Store; calls: string[]; said: ScreenMessage[] } {
	const { api, calls } = fakeApi(answers);
	const said: ScreenMessage[] = [];
	const live: Live = { keep: () => () => {}, say: (message) => said.push(message) > 0 };
	const store = makeStore(() => api, live);
	store.dispatch(settingsKnown(settings));
	return { store, calls, said };
}

function Where() {
	return <output data-testid="where">{`${useLocation().pathname}${useLocation().search}`}</output>;
}

/** Draws a screen at a route; `data-testid="where"` shows the current route. */
export const draw = (store: Store, screen: ReactNode, at: string | { pathname: string; state: unknown } = '/') =>
	render(
		<Provider store={store}>
			<MemoryRouter initialEntries={[at]}>
				{screen}
				<Where />
			</MemoryRouter>
		</Provider>,
	);
