// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { settings } from '../lib/test-data.ts';
import { settingsKnown } from '../state/settings.ts';
import { draw, storeWith } from '../state/test-store.tsx';
import { pass, timedScreens } from '../state/timed-screen.fixture.ts';
import { Clock } from './clock.tsx';

timedScreens();

const shown = () => document.querySelector('time')?.textContent;

test('the shown time changes at each full minute, and within 15 s after the computer’s clock has jumped', async () => {
	vi.setSystemTime('2026-11-29T03:04:50Z');
	const { store } = storeWith();
	store.dispatch(settingsKnown({ ...settings, timezone: 'Asia/Jakarta' }));
	draw(store, <Clock />, '/');
	expect(shown()).toBe('10:04');
	await pass(9_900);
	expect(shown()).toBe('10:04');
	await pass(200);
	expect(shown()).toBe('10:05');
	vi.setSystemTime('2026-11-29T05:30:20Z');
	await pass(15_000);
	expect(shown()).toBe('12:30');
});
