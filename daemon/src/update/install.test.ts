import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { VirtualClock } from '../../../tests/support/virtual-clock.ts';
import { raiseFloor, readFloor } from './floor.ts';
import { install } from './install.ts';
import type { Manifest } from './manifest.ts';
import { newKey, releaseOf, rootName, writeKeys } from './release.fixture.ts';
import { readKeys } from './signature.ts';
import { kernelImage, type Slots, slots } from './slots.fixture.ts';
import { openFolder } from './version-folder.ts';

const key = newKey();
const HASH = 'ab'.repeat(32);
const CONTENTS = { root: Buffer.from('root'), verity: Buffer.from('verity'), uki: kernelImage(`quiet roothash=${HASH} ro`) };

let folder: string;
let disk: Slots;
let keys: string;
beforeEach(() => {
	folder = temporaryFolder('update');
	keys = temporaryFolder('keys');
	writeKeys(keys, { active: key });
	disk = slots(folder, new VirtualClock(), '0.2.0');
});

/** Puts a verified version into its folder, as `check` leaves it. */
function verified(change: Partial<Manifest> = {}, contents = CONTENTS): void {
	const { manifest, files } = releaseOf(contents, key, change);
	const list = 'stable.json';
	const own = openFolder(folder, manifest.version, { bytes: files[list] as Buffer, signature: files[`${list}.sig`] as Buffer });
	for (const [name, bytes] of Object.entries(files)) if (/raw$|efi$/.test(name)) writeFileSync(join(own, name), bytes);
	disk.deps.state.change({ state: 'verified', version: manifest.version });
}
const installed = (floor: string | null = null) => install({ ...disk.deps, keys: () => readKeys(keys), floor: () => floor });

test('the slot is written and read back before the kernel image is placed', async () => {
	verified();
	expect(await installed()).toMatchObject({ state: 'written', version: '0.3.0', from: '0.2.0' });
	expect(disk.entries()).toEqual(['kiosk_0.2.0.efi', 'kiosk_0.3.0+3-0.efi']);
	expect(readFileSync(join(disk.deps.partitions, 'kiosk_0.3.0'), 'utf8')).toBe('root');
	const [slot, ...rest] = disk.calls();
	const { partitions, definitions } = disk.deps;
	expect(slot).toMatch(/^systemd-sysupdate --definitions=\S+kiosk-update-\S+ .*update 0\.3\.0$/);
	expect(rest).toEqual([
		`udevadm wait --timeout=120 --initialized=no ${partitions}/kiosk_0.3.0 ${partitions}/kiosk_0.3.0_v`,
		`blockdev --flushbufs ${partitions}/kiosk_0.3.0`,
		`blockdev --flushbufs ${partitions}/kiosk_0.3.0_v`,
		`veritysetup verify ${partitions}/kiosk_0.3.0 ${partitions}/kiosk_0.3.0_v ${HASH}`,
		`systemd-sysupdate --definitions=${definitions} --transfer-source=${folder}/0.3.0 --verify=no update 0.3.0`,
	]);
});

test('if the slot reads back wrong, no kernel image is placed and the update has failed', async () => {
	disk.breaks('veritysetup', 'Verification failed at position 4096');
	verified();
	expect(await installed()).toMatchObject({
		state: 'failed',
		reason: 'verity',
		text: expect.stringContaining('position 4096'),
		history: [{ version: '0.3.0', outcome: 'failed', reason: 'verity', tries: 0 }],
	});
	expect(disk.entries()).toEqual(['kiosk_0.2.0.efi']);
});

test('if the partition links do not appear, no kernel image is placed and the state gives the reason', async () => {
	disk.breaks('udevadm', 'Timed out for waiting devices being initialized.');
	verified();
	expect(await installed()).toMatchObject({ state: 'failed', reason: 'command', text: expect.stringContaining('Timed out') });
	expect(disk.entries()).toEqual(['kiosk_0.2.0.efi']);
});

test('an earlier failed version is not bootable while its slot is overwritten', async () => {
	disk.place('kiosk_0.2.9+0-3.efi');
	disk.breaks('systemd-sysupdate', 'No space left on device');
	verified();
	expect(await installed()).toMatchObject({ state: 'failed', reason: 'command', text: expect.stringContaining('No space left') });
	expect(disk.entries()).toEqual(['kiosk_0.2.0.efi']);
});

test('after a power cut during writing, the next run writes the whole kernel image', async () => {
	verified();
	disk.deps.state.change({ state: 'writing' });
	disk.place('kiosk_0.3.0+3-0.efi', Buffer.from('half'));
	expect(await installed()).toMatchObject({ state: 'written' });
	expect(readFileSync(join(disk.deps.bootEntries, 'kiosk_0.3.0+3-0.efi'))).toEqual(CONTENTS.uki);
});

const COMMANDS = 6;
/** Cut 2n comes before command n, cut 2n + 1 after it. */
const CUTS = Array.from({ length: 2 * COMMANDS }, (_, cut) => cut);
async function powerFails(cuts: readonly number[]): Promise<void> {
	class PowerCut extends Error {}
	for (const cut of cuts) {
		folder = temporaryFolder('update');
		disk = slots(folder, new VirtualClock(), '0.2.0');
		disk.place('kiosk_0.2.9+3-0.efi');
		verified();
		const { run } = disk.deps;
		let calls = 0;
		disk.deps.run = async (...words) => {
			const number = calls;
			calls += 1;
			if (cut === 2 * number) throw new PowerCut();
			const result = await run(...words);
			if (cut === 2 * number + 1) throw new PowerCut();
			return result;
		};
		await expect(installed()).rejects.toThrow(PowerCut);
		const isComplete = cut === 2 * COMMANDS - 1;
		// Until the last command has run, there is no kernel image that could start the slot.
		expect(disk.entries()).toEqual(['kiosk_0.2.0.efi', ...(isComplete ? ['kiosk_0.3.0+3-0.efi'] : [])]);
		disk.deps.run = run;
		expect(await installed()).toMatchObject({ state: 'written', version: '0.3.0' });
		expect(disk.entries()).toEqual(['kiosk_0.2.0.efi', 'kiosk_0.3.0+3-0.efi']);
	}
}
test('after a power cut at some of the commands, no incomplete version can start, and the next run finishes', () =>
	powerFails([0, 5, ...CUTS.slice(-2)]));
test('after a power cut at any command, no incomplete version can start, and the next run finishes', { tags: 'deep' }, () =>
	powerFails(CUTS),
);

test.each<[string, () => void, string, string | null]>([
	['while the running version is itself on trial', () => disk.place('kiosk_0.2.0+2-1.efi'), 'unblessed', null],
	['for a version below the floor on the journal’s partition', () => undefined, 'floor', '0.4.0'],
	['with a kernel image that is not the signed one', () => writeFileSync(join(folder, '0.3.0', 'kiosk_0.3.0.efi'), 'x'), 'checksum', null],
	[
		'with a manifest that was changed after the check',
		() => writeFileSync(join(folder, '0.3.0', 'manifest.json'), '{}'),
		'signature',
		null,
	],
])('nothing is written %s', async (_when, arrange, reason, floor) => {
	verified();
	arrange();
	expect(await installed(floor)).toMatchObject({ state: 'refused', reason });
	expect(disk.calls()).toEqual([]);
	expect(disk.entries()).toContain('kiosk_0.2.0.efi');
});

test('nothing is written for a kernel image without a root hash', async () => {
	verified({}, { ...CONTENTS, uki: kernelImage('quiet') });
	expect(await installed()).toMatchObject({ state: 'refused', reason: 'checksum', text: expect.stringContaining('no root hash') });
});

test('a kernel image too large for the boot partition is refused, and the text gives both sizes', async () => {
	verified();
	disk.deps.freeBytes = () => 1_000_000;
	expect(await installed()).toMatchObject({
		state: 'refused',
		reason: 'space',
		text: expect.stringMatching(/has 1 MB for the kernel image; 3 MB are needed/),
	});
	disk.place('kiosk_0.1.0.efi', Buffer.alloc(2_000_000));
	expect(await installed()).toMatchObject({ state: 'refused' });
	verified();
	expect(await installed()).toMatchObject({ state: 'written' });
});

test('if a waiting version is put on hold, only its kernel image is removed', async () => {
	verified();
	await installed();
	disk.deps.state.change({ state: 'refused', version: '0.3.0', reason: 'hold' });
	expect(await installed()).toMatchObject({ state: 'refused', reason: 'hold' });
	expect(disk.entries()).toEqual(['kiosk_0.2.0.efi']);
	disk.deps.state.change({ state: 'verified', version: '0.3.0' });
	expect(await installed()).toMatchObject({ state: 'written' });
	expect(disk.entries()).toEqual(['kiosk_0.2.0.efi', 'kiosk_0.3.0+3-0.efi']);
});

test('a newer version replaces the version in the other slot', async () => {
	for (const version of ['0.3.0', '0.4.0', '0.5.0']) {
		verified({ version });
		expect(await installed()).toMatchObject({ state: 'written', version });
		expect(disk.entries()).toEqual(['kiosk_0.2.0.efi', `kiosk_${version}+3-0.efi`]);
		expect(existsSync(join(folder, version, rootName(version)))).toBe(true);
	}
});

test('without a verified version, install runs no command', async () => {
	for (const state of ['idle', 'good', 'waiting', 'trial'] as const) {
		disk.deps.state.change({ state });
		expect(await installed()).toMatchObject({ state });
	}
	expect(disk.calls()).toEqual([]);
});

test('the floor rises and never falls', () => {
	const file = join(folder, 'floor');
	expect(readFloor(file)).toBeNull();
	expect(raiseFloor(file, undefined)).toBeNull();
	expect(raiseFloor(file, '0.3.0')).toBe('0.3.0');
	expect(raiseFloor(file, '0.2.0')).toBe('0.3.0');
	expect(raiseFloor(file, '0.10.0')).toBe('0.10.0');
	expect(readFloor(file)).toBe('0.10.0');
	writeFileSync(file, '\0\0');
	expect(readFloor(file)).toBeNull();
});
