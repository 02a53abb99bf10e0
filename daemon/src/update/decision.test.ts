import { expect, test } from 'vitest';
import { decide, type KioskFacts, needsIntermediate, type RefusalCode } from './decision.ts';
import type { Manifest } from './manifest.ts';
import { manifestOf } from './release.fixture.ts';

const NOW = Date.UTC(2026, 10, 23);
const KIOSK: KioskFacts = {
	running: '0.2.0',
	machineId: 'a',
	channel: 'stable',
	percentOverride: null,
	floor: null,
	journal: { reads: 2, writes: 1 },
	failures: new Map(),
	retry: null,
	now: NOW,
	clockSynchronised: true,
	from: 'network',
};
const decided = (manifest: Partial<Manifest>, kiosk: Partial<KioskFacts> = {}) => decide(manifestOf(manifest), { ...KIOSK, ...kiosk });
const installs = { ok: true, value: 'install' };
const refused = (code: RefusalCode) => ({ ok: false, error: { code } });

test('a newer version is taken', () => expect(decided({})).toEqual(installs));

test('neither the running version nor an older version is taken', () => {
	expect(decided({ version: '0.2.0' })).toMatchObject(refused('current'));
	expect(decided({ version: '0.1.9' })).toMatchObject(refused('older'));
	expect(decided({ version: '0.1.9' }, { from: 'person' })).toMatchObject(refused('older'));
});

test('a held version is refused, even from a stick or with percent_override', () => {
	for (const kiosk of [{}, { from: 'person' as const }, { percentOverride: 100 }])
		expect(decided({ hold: true }, kiosk)).toMatchObject(refused('hold'));
});

test('the percentage limits only updates over the network', () => {
	expect(decided({ rollout: { percent: 0, seed: 'x' } })).toMatchObject(refused('percent'));
	expect(decided({ rollout: { percent: 0, seed: 'x' } }, { percentOverride: 100 })).toEqual(installs);
	expect(decided({}, { percentOverride: 0 })).toMatchObject(refused('percent'));
	expect(decided({}, { percentOverride: 0, from: 'person' })).toEqual(installs);
});

test('if the running version is listed as failed, the kiosk updates regardless of the percentage', () => {
	expect(decided({ rollout: { percent: 0, seed: 'x' }, failed: ['0.2.0'] })).toEqual(installs);
	expect(decided({ failed: ['0.3.0'] }, { from: 'person' })).toMatchObject(refused('failed_version'));
});

test('a version below the floor is refused even if it is newer than the running version', () => {
	expect(decided({}, { floor: '0.3.1' })).toMatchObject(refused('floor'));
	expect(decided({}, { floor: '0.3.0' })).toEqual(installs);
});

test('expires and not_before are ignored if a person brings the version or the clock is not synchronised', () => {
	const expired = { expires: '2026-11-22T00:00:00Z' };
	const early = { not_before: '2026-11-24T00:00:00Z' };
	expect(decided(expired)).toMatchObject(refused('expired'));
	expect(decided(early)).toMatchObject(refused('not_before'));
	for (const manifest of [expired, early]) {
		expect(decided(manifest, { clockSynchronised: false })).toEqual(installs);
		expect(decided(manifest, { from: 'person' })).toEqual(installs);
	}
});

test('a version that failed on this kiosk is installed again only if the manifest or a person requests it', () => {
	const once = { failures: new Map([['0.3.0', 1]]) };
	expect(decided({}, once)).toMatchObject(refused('failed_version'));
	expect(decided({ retry: 1 }, once)).toEqual(installs);
	expect(decided({ retry: 1 }, { failures: new Map([['0.3.0', 2]]) })).toMatchObject(refused('failed_version'));
	expect(decided({}, { ...once, retry: '0.3.0' })).toEqual(installs);
	expect(decided({}, { ...once, retry: '0.2.9' })).toMatchObject(refused('failed_version'));
	expect(decided({}, { ...once, from: 'person' })).toEqual(installs);
	expect(decided({ version: '0.4.0' }, once)).toEqual(installs);
});

test('a kiosk that runs a version below min_version needs the intermediate release first', () => {
	const answer = decided({ min_version: '0.2.5' });
	expect(answer).toMatchObject(refused('min_version'));
	expect(!answer.ok && needsIntermediate(answer.error)).toBe(true);
	expect(decided({ min_version: '0.2.0' })).toEqual(installs);
});

test('a version is refused if it cannot read this journal or writes a format that the running version cannot read', () => {
	expect(decided({ journal: { reads: 1, writes: 1 } }, { journal: { reads: 2, writes: 2 } })).toMatchObject(refused('journal_format'));
	expect(decided({ journal: { reads: 3, writes: 3 } })).toMatchObject(refused('journal_format'));
	expect(decided({ journal: { reads: 3, writes: 2 } })).toEqual(installs);
});

test('a version of another channel is refused', () => expect(decided({ channel: 'beta' })).toMatchObject(refused('channel')));
