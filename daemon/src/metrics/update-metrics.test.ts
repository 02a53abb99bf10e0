import { expect, test } from 'vitest';
import { initialState } from '../update/state.ts';
import type { UpdateFacts } from '../update/watch.ts';
import { defineMetrics } from './definitions.ts';
import { showUpdate } from './update-metrics.ts';

const NOW = new Date('2026-11-23T00:00:00Z');
const DAY = 86_400;

async function shown(facts: UpdateFacts): Promise<string[]> {
	const metrics = defineMetrics();
	showUpdate(metrics, facts, NOW);
	const text = await metrics.registry.metrics();
	return text.split('\n').filter((line) => /^kiosk_(update|image|chromium)/.test(line));
}

test('an appliance reports its version, ages, the updater’s state and how far it is behind', async () => {
	const state = { ...initialState(''), state: 'waiting' as const, version: '0.3.0', checked: '2026-11-22T00:00:00Z' };
	const offered = { version: '0.3.0', released_at: '2026-11-20T00:00:00Z' };
	const image = {
		version: '0.2.0',
		built: new Date('2026-11-13T00:00:00Z'),
		chromium: { version: '142', released: new Date('2026-11-03T00:00:00Z') },
	};
	expect((await shown({ state: { ...state, offered }, image, on: true })).sort()).toEqual([
		`kiosk_chromium_age_seconds ${20 * DAY}`,
		`kiosk_image_age_seconds ${10 * DAY}`,
		'kiosk_image_info{version="0.2.0"} 1',
		`kiosk_update_behind_seconds ${3 * DAY}`,
		`kiosk_update_check_seconds ${DAY}`,
		'kiosk_update_state{state="waiting",version="0.3.0"} 1',
	]);
	expect(await shown({ state: { ...state, offered: { ...offered, version: '0.2.0' } }, image, on: true })).toContain(
		'kiosk_update_behind_seconds 0',
	);
});

test('unknown values are absent', async () => {
	expect(await shown({ state: null, image: { version: null, built: null, chromium: null }, on: false })).toEqual([]);
});
