import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { imageFacts } from '../update/image-facts.ts';
import { initialState, type State } from '../update/state.ts';
import type { UpdateFacts } from '../update/watch.ts';
import { image, update } from './update-checks.ts';

const NOW = new Date('2026-11-23T10:00:00Z');
const FACTS: UpdateFacts = {
	state: null,
	on: true,
	image: {
		version: '0.2.0',
		built: new Date('2026-11-13T00:00:00Z'),
		chromium: { version: '142.0', released: new Date('2026-11-03T00:00:00Z') },
	},
};
const part = (state: Partial<State> | null, facts: Partial<UpdateFacts> = {}) =>
	update({ ...FACTS, state: state && { ...initialState('2026-11-20T00:00:00Z'), ...state }, ...facts }, NOW)[0];

test.each<[Partial<State> | null, string, string, RegExp]>([
	[null, 'ok', 'none', /no update yet/],
	[{ state: 'good', version: '0.2.0', checked: '2026-11-23T04:00:00Z' }, 'ok', 'current', /up to date with 0.2.0/],
	[{ state: 'idle', checked: '2026-11-10T00:00:00Z', text: 'no answer' }, 'warn', 'silent', /not been reached for 13 days/],
	[{ state: 'downloading', version: '0.3.0' }, 'ok', 'downloading', /downloading version 0.3.0/],
	[
		{ state: 'waiting', version: '0.3.0', since: '2026-11-22T00:00:00Z', text: 'a payment is open' },
		'ok',
		'waiting',
		/waits for its restart: a payment/,
	],
	[{ state: 'waiting', version: '0.3.0', since: '2026-11-19T00:00:00Z' }, 'warn', 'waits', /has waited 4 days/],
	[{ state: 'refused', version: '0.3.0', reason: 'percent', text: 'later' }, 'ok', 'percent', /not taken now: later/],
	[{ state: 'refused', version: '0.3.0', reason: 'signature', text: 'other key' }, 'warn', 'refused_signature', /was refused/],
	[{ state: 'failed', version: '0.3.0', reason: 'never_drew' }, 'warn', 'failed', /0.3.0 failed its trial; 0.2.0 runs again/],
	[
		{
			state: 'failed',
			version: '0.3.0',
			reason: 'checksum',
			history: [{ version: '0.3.0', from: '0.2.0', outcome: 'failed', reason: 'checksum', tries: 0, at: '2026-11-23T04:00:00Z' }],
		},
		'warn',
		'failed',
		/0.3.0 could not be installed; 0.2.0 still runs/,
	],
	[{ state: 'rolled_back', version: '0.3.0' }, 'warn', 'rolled_back', /returned from 0.3.0 to 0.2.0/],
])('the updater state %j is shown as %s (%s)', (state, mark, code, text) =>
	expect(part(state)).toMatchObject({ state: mark, code, text: expect.stringMatching(text) }),
);

test('the update part is off without an update server, and absent on a PC that is not an appliance', () => {
	expect(part(null, { on: false })).toMatchObject({ state: 'off' });
	expect(part(null, { image: { version: null, built: null, chromium: null } })).toBeUndefined();
});

test('health shows the age of the image and of its browser, warns about an old image, and shows no age if the clock is before the build', () => {
	expect(image(FACTS, NOW)).toMatchObject([{ state: 'ok', text: '0.2.0 is 10 days old; its Chromium 142.0 is 20 days old' }]);
	expect(image(FACTS, new Date('2027-02-01T00:00:00Z'))).toMatchObject([{ state: 'warn', code: 'old' }]);
	expect(image(FACTS, new Date('1970-01-01T00:00:00Z'))).toMatchObject([{ state: 'unknown' }]);
	expect(image({ ...FACTS, image: { ...FACTS.image, chromium: null } }, NOW)).toMatchObject([{ text: '0.2.0 is 10 days old' }]);
});

test('the facts about the image are read from os-release and build.json; missing or damaged files give null', () => {
	const root = temporaryFolder('image');
	expect(imageFacts(root)).toEqual({ version: null, built: null, chromium: null });
	for (const folder of ['etc', 'usr/share/kiosk']) mkdirSync(join(root, folder), { recursive: true });
	writeFileSync(join(root, 'etc/os-release'), 'ID=debian\nIMAGE_ID=kiosk\nIMAGE_VERSION="0.2.0-testkeys"\n');
	const released = '2026-11-03T00:00:00Z';
	writeFileSync(
		join(root, 'usr/share/kiosk/build.json'),
		JSON.stringify({ built: '2026-11-13T00:00:00Z', chromium: { version: '142.0', released } }),
	);
	expect(imageFacts(root)).toEqual({ ...FACTS.image, version: '0.2.0-testkeys' });
	writeFileSync(join(root, 'usr/share/kiosk/build.json'), 'damaged');
	expect(imageFacts(root)).toEqual({ version: '0.2.0-testkeys', built: null, chromium: null });
});
