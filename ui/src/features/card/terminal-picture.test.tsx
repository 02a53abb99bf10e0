// @vitest-environment happy-dom
import { cleanup } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { settings } from '../../lib/test-data.ts';
import { settingsKnown } from '../../state/settings.ts';
import { draw, storeWith } from '../../state/test-store.tsx';
import { TerminalPicture } from './terminal-picture.tsx';

afterEach(cleanup);

test.each(['left', 'right', 'above', 'below', null] as const)(
	'if places.terminal is %s, the drawing points to that side; for null there is no drawing',
	(terminal) => {
		const { store } = storeWith();
		store.dispatch(settingsKnown({ ...settings, places: { ...settings.places, terminal } }));
		draw(store, <TerminalPicture />);
		expect(document.querySelector('[data-device="terminal"]')?.getAttribute('data-place') ?? null).toBe(terminal);
	},
);
