import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { randomFrom } from '../../../tests/support/random.ts';
import { systemClock } from '../base/clock.ts';
import { type CheckDeps, check } from './check.ts';
import { importSet } from './import.ts';
import { answersStatus, cutsAfter, type Publisher, publisher, sends, sendsWithoutEnd } from './publisher.fixture.ts';
import { type Contents, listOf, newKey, releaseOf, rootName, verityName, writeKeys } from './release.fixture.ts';
import { updateServer } from './server.ts';
import { sha256OfBytes } from './sha256.ts';
import { readKeys } from './signature.ts';
import { readState, stateFile } from './state.ts';

const key = newKey();
const random = randomFrom(7);
const noise = (bytes: number): Buffer => Buffer.from(Array.from({ length: bytes }, () => random.int(0, 255)));
/** Mostly zeros, as in a real partition. */
const CONTENTS: Contents = {
	root: Buffer.concat([noise(40_000), Buffer.alloc(1_000_000), noise(30_000)]),
	verity: noise(20_000),
	uki: noise(50_000),
};

let web: Publisher;
let folder: string;
let keys: string;
beforeEach(async () => {
	web = await publisher();
	folder = temporaryFolder('update');
	keys = temporaryFolder('keys');
	writeKeys(keys, { active: key });
});

const publish = (files: Record<string, Buffer>): void => {
	for (const [name, bytes] of Object.entries(files)) web.files.set(name, bytes);
};

function deps(change: Partial<CheckDeps['facts']> = {}): CheckDeps {
	const server = updateServerOf();
	return {
		folder,
		state: stateFile(folder, systemClock),
		keys: () => readKeys(keys),
		facts: {
			...{ running: '0.2.0', machineId: 'a', channel: 'stable', percentOverride: null, retry: null },
			...{ journal: { reads: 1, writes: 1 }, ...change },
		},
		clockSynchronised: () => true,
		server,
		line: {
			clock: { ...systemClock, after: (ms, action) => systemClock.after(ms === 10_000 ? 0 : ms, action) },
			rate: null,
			patience: { silenceMs: 60_000, slowMs: 300_000, slowBytes: 1 },
			signal: new AbortController().signal,
		},
		assemble: null,
		reserveBytes: 0,
	};
}
function updateServerOf() {
	const server = updateServer({ url: web.url, ca: null });
	onTestFinished(() => server.close());
	return server;
}

/** Whether the version's three files are complete in its folder. */
const isHere = (version: string): boolean =>
	readFileSync(join(folder, version, rootName(version))).equals(CONTENTS.root) &&
	readFileSync(join(folder, version, verityName(version))).equals(CONTENTS.verity) &&
	readFileSync(join(folder, version, `kiosk_${version}.efi`)).equals(CONTENTS.uki);

test('a published version is downloaded, unpacked and verified', async () => {
	publish(releaseOf(CONTENTS, key).files);
	expect(await check(deps())).toMatchObject({ state: 'verified', version: '0.3.0', offered: { version: '0.3.0' }, by_person: false });
	expect(isHere('0.3.0')).toBe(true);
	expect(readdirSync(join(folder, '0.3.0')).sort()).toEqual(
		['kiosk_0.3.0.efi', rootName('0.3.0'), verityName('0.3.0'), 'manifest.json', 'manifest.json.sig'].sort(),
	);
	expect(web.sent()).toBeLessThan(CONTENTS.root.length);
});

test('if the connection breaks during any file, later checks finish the download', async () => {
	publish(releaseOf(CONTENTS, key).files);
	for (const name of ['kiosk_0.3.0.efi', `${verityName('0.3.0')}.gz`, `${rootName('0.3.0')}.gz`]) {
		web.misbehave(name, cutsAfter(0), 1);
		expect(await check(deps())).toMatchObject({ state: 'downloading', version: '0.3.0', reason: 'unreachable' });
	}
	expect(await check(deps())).toMatchObject({ state: 'verified' });
	expect(isHere('0.3.0')).toBe(true);
});

test('if a release has no compressed files, the partitions are fetched uncompressed', async () => {
	const { manifest, files } = releaseOf(CONTENTS, key);
	publish({ ...files, ...listOf({ ...manifest, files: manifest.files.filter(({ kind }) => !kind.endsWith('.gz')) }, key) });
	expect(await check(deps())).toMatchObject({ state: 'verified' });
	expect(isHere('0.3.0')).toBe(true);
});

test('a compressed file that unpacks to more bytes than the manifest states is refused', async () => {
	const bomb = gzipSync(Buffer.alloc(CONTENTS.root.length + 1));
	const { manifest, files } = releaseOf(CONTENTS, key);
	const changed = manifest.files.map((file) =>
		file.kind === 'root.gz' ? { ...file, bytes: bomb.length, sha256: sha256OfBytes(bomb) } : file,
	);
	publish({ ...files, [`${rootName('0.3.0')}.gz`]: bomb, ...listOf({ ...manifest, files: changed }, key) });
	expect(await check(deps())).toMatchObject({ state: 'downloading', reason: 'length' });
	expect(existsSync(join(folder, '0.3.0', rootName('0.3.0')))).toBe(false);
});

describe('nothing is taken', () => {
	test.each<[string, () => Record<string, Buffer>, string]>([
		['signed with another key', () => releaseOf(CONTENTS, newKey()).files, 'signature'],
		['whose bytes are not the signed bytes', () => ({ ...releaseOf(CONTENTS, key).files, 'stable.json': Buffer.from('{}') }), 'signature'],
		[
			'with a truncated signature',
			() => ({ ...releaseOf(CONTENTS, key).files, 'stable.json.sig': Buffer.from('{"key":"01') }),
			'signature',
		],
		['that is on hold', () => releaseOf(CONTENTS, key, { hold: true }).files, 'hold'],
		['that has expired', () => releaseOf(CONTENTS, key, { expires: '2020-01-01T00:00:00Z' }).files, 'expired'],
		['that is not for this kiosk yet', () => releaseOf(CONTENTS, key, { rollout: { percent: 0, seed: 'x' } }).files, 'percent'],
		['that names an older version', () => releaseOf(CONTENTS, key, { version: '0.1.0' }).files, 'older'],
		['that requires an intermediate release', () => releaseOf(CONTENTS, key, { min_version: '0.2.5' }).files, 'min_version'],
	])('from a manifest %s, and the state gives the reason', async (_what, files, reason) => {
		publish(files());
		expect(await check(deps())).toMatchObject({ state: 'refused', reason, text: expect.stringMatching(/./) });
		expect(web.asked.filter((one) => one.startsWith('kiosk_'))).toEqual([]);
	});

	test('when the manifest names the running version', async () => {
		publish(releaseOf(CONTENTS, key, { version: '0.2.0' }).files);
		expect(await check(deps())).toMatchObject({ state: 'idle', version: null, checked: expect.any(String) });
	});

	test('while a version is on trial or the kiosk restarts into it', async () => {
		publish(releaseOf(CONTENTS, key).files);
		for (const state of ['trial', 'restarting'] as const) {
			stateFile(folder, systemClock).change({ state });
			expect(await check(deps())).toMatchObject({ state });
		}
		expect(web.asked).toEqual([]);
	});

	test('when a file has other bytes than the manifest states', async () => {
		publish({ ...releaseOf(CONTENTS, key).files, 'kiosk_0.3.0.efi': Buffer.alloc(CONTENTS.uki.length) });
		expect(await check(deps())).toMatchObject({ state: 'refused', reason: 'checksum', version: '0.3.0' });
	});
});

test.each([
	['no answer', answersStatus(502)],
	['a redirect', answersStatus(301, { Location: 'http://127.0.0.1:1/' })],
	['an endless manifest', sendsWithoutEnd],
	['a huge manifest', sends(Buffer.alloc(300_000, 0x20))],
])('after %s from the server, the state stays and its text gives the reason', async (_what, how) => {
	stateFile(folder, systemClock).change({ state: 'good', version: '0.2.0' });
	web.misbehave('stable.json', how);
	expect(await check(deps())).toMatchObject({ state: 'good', version: '0.2.0', text: expect.stringContaining('stable.json') });
});

describe('a version that is already in the other slot', () => {
	beforeEach(async () => {
		publish(releaseOf(CONTENTS, key).files);
		await check(deps());
		stateFile(folder, systemClock).change({ state: 'waiting', reason: 'session', text: 'a payment is open' });
	});

	test('keeps waiting while it is still offered', async () => {
		expect(await check(deps())).toMatchObject({ state: 'waiting', version: '0.3.0', reason: 'session' });
	});

	test('is withdrawn by the first check that finds a hold', async () => {
		publish(releaseOf(CONTENTS, key, { hold: true }).files);
		expect(await check(deps())).toMatchObject({ state: 'refused', version: '0.3.0', reason: 'hold' });
	});

	test('is replaced by a newer version', async () => {
		publish(releaseOf(CONTENTS, key, { version: '0.4.0' }).files);
		expect(await check(deps())).toMatchObject({ state: 'verified', version: '0.4.0' });
		expect(readdirSync(join(folder, '0.3.0')).sort()).toEqual(['manifest.json', 'manifest.json.sig']);
	});

	test('is withdrawn when the server offers the running version again', async () => {
		publish(releaseOf(CONTENTS, key, { version: '0.2.0' }).files);
		expect(await check(deps())).toMatchObject({ state: 'refused', version: '0.3.0', text: 'the server no longer offers it' });
	});

	test('keeps waiting when another version is refused', async () => {
		publish(releaseOf(CONTENTS, key, { version: '0.4.0', rollout: { percent: 0, seed: 'x' } }).files);
		expect(await check(deps())).toMatchObject({ state: 'waiting', version: '0.3.0' });
	});
});

test('a kiosk that was off for a year gets the intermediate release first', async () => {
	const between = releaseOf(CONTENTS, key, { version: '0.5.0', expires: '2026-01-01T00:00:00Z', rollout: { percent: 0, seed: 'x' } });
	const stone = listOf(between.manifest, key, 'stable_0.5.0.json');
	const sha256 = sha256OfBytes(stone['stable_0.5.0.json'] ?? Buffer.alloc(0));
	publish({ ...between.files, ...stone });
	publish(releaseOf(CONTENTS, key, { version: '0.9.0', min_version: '0.5.0', stepping_stone: { version: '0.5.0', sha256 } }).files);
	expect(await check(deps())).toMatchObject({ state: 'verified', version: '0.5.0' });
	expect(await check(deps({ running: '0.5.0' }))).toMatchObject({ state: 'verified', version: '0.9.0' });
	publish(listOf({ ...between.manifest, retry: 1 }, key, 'stable_0.5.0.json'));
	expect(await check(deps())).toMatchObject({ state: 'refused', reason: 'signature' });
});

describe('files that a person brings', () => {
	const bring = (files: Record<string, Buffer>): string => {
		const from = join(folder, 'import');
		mkdirSync(from, { recursive: true });
		for (const [name, bytes] of Object.entries(files)) writeFileSync(join(from, name), bytes);
		return from;
	};
	const imported = (files: Record<string, Buffer>) => importSet({ ...deps(), now: () => new Date() }, bring(files));

	test('are verified and accepted, compressed or not, regardless of percentage and expiry', async () => {
		const { files } = releaseOf(CONTENTS, key, { rollout: { percent: 0, seed: 'x' }, expires: '2020-01-01T00:00:00Z' });
		for (const without of ['.raw', '.raw.gz']) {
			expect(await imported(Object.fromEntries(Object.entries(files).filter(([name]) => !name.endsWith(without))))).toMatchObject({
				state: 'verified',
				version: '0.3.0',
				by_person: true,
			});
			expect(isHere('0.3.0')).toBe(true);
			expect(readdirSync(join(folder, 'import'))).toEqual([]);
		}
	});

	test.each<[string, () => Record<string, Buffer>, string]>([
		['without a manifest', () => ({}), 'manifest'],
		['without a signature', () => ({ 'stable.json': releaseOf(CONTENTS, key).files['stable.json'] ?? Buffer.alloc(0) }), 'manifest'],
		['with the signature of another key', () => releaseOf(CONTENTS, newKey()).files, 'signature'],
		['with a file missing', () => ({ ...listOf(releaseOf(CONTENTS, key).manifest, key) }), 'checksum'],
		[
			'with other bytes in a file',
			() => ({ ...releaseOf(CONTENTS, key).files, [rootName('0.3.0')]: Buffer.alloc(CONTENTS.root.length) }),
			'checksum',
		],
		['with an older version', () => releaseOf(CONTENTS, key, { version: '0.1.0' }).files, 'older'],
	])('are refused and deleted %s', async (_what, files, reason) => {
		expect(await imported(files())).toMatchObject({ state: 'refused', reason });
		expect(readdirSync(join(folder, 'import'))).toEqual([]);
		expect(readState(folder)?.state).toBe('refused');
	});

	test('of several manifests, the newest is used', async () => {
		const newer = releaseOf(CONTENTS, key, { version: '0.4.0' });
		const both = { ...releaseOf(CONTENTS, key).files, ...newer.files, ...listOf(newer.manifest, key, 'stable_0.4.0.json') };
		expect(await imported(both)).toMatchObject({ state: 'verified', version: '0.4.0' });
	});
});
