/**
 * Tests damaged and manipulated disks. With such a disk the kiosk opens no shell: it restarts,
 * shows a message for staff, or does not start.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { bytesAt, copyIn, copyOut, emptyPartition, flipByte, kernelImages, partitionAt } from './disk.ts';
import { showsFaultText } from './fault-text.ts';
import { BOOT_LIMIT_MS, createDisk, type Guest, startGuest } from './guest.ts';

const run = promisify(execFile);
const BUILDER = join(import.meta.dirname, '..', '..', 'image', '.builder');
/** Offset of the superblock of erofs and ext4, which every mount reads first. */
const SUPERBLOCK = 1_024;

const directory = process.env.KIOSK_SHOTS ?? mkdtempSync(join(tmpdir(), 'kiosk-damage-'));
let guest: Guest | null = null;

const start = () => startGuest({ directory, endAtReset: true });
const said = () => readFileSync(join(directory, 'console.log'), 'utf8');
const SHELL = /login:|maintenance|# $|sh-5|Press Enter/;

async function endsInReset(): Promise<void> {
	guest = await start();
	await guest.ended;
	guest = null;
	expect(said()).not.toMatch(SHELL);
}

beforeAll(async () => {
	for (const file of ['disk.raw', 'firmware.fd']) rmSync(join(directory, file), { force: true });
	await createDisk(directory);
	// The firmware enrols the image's keys and resets. From then on it starts only kernel images that
	// are signed by these keys.
	await endsInReset();
	expect(said()).toContain('successfully enrolled');
}, BOOT_LIMIT_MS);
afterAll(async () => {
	await guest?.powerCut();
	if (process.env.KIOSK_SHOTS === undefined) rmSync(directory, { recursive: true, force: true });
	else for (const file of ['disk.raw', 'firmware.fd', 'screen.ppm']) rmSync(join(directory, file), { force: true });
});

test('if one bit of the system is flipped, the kiosk detects the damage and restarts', async () => {
	const at = (await partitionAt(directory, /^kiosk_[^v]*$/)) + SUPERBLOCK;
	flipByte(directory, at);
	await endsInReset();
	expect(said()).toMatch(/device-mapper: verity: .*data block .* is corrupted/);
	flipByte(directory, at);
});

test('if the system cannot be mounted, the initrd restarts the kiosk', async () => {
	const at = await partitionAt(directory, /^kiosk_.*_v$/);
	flipByte(directory, at);
	await endsInReset();
	expect(said()).not.toContain('Switching root');
	flipByte(directory, at);
});

test('if the partition of the money journal is empty, the kiosk shows a message for staff, restarts and creates no new journal', async () => {
	const healthy = await start();
	guest = healthy;
	await healthy.root('findmnt /var/lib/kiosk-journal && sync');
	await healthy.powerCut();
	await emptyPartition(directory, 'kiosk-journal');
	const broken = await start();
	guest = broken;
	await until(() => expect(said()).toContain('emergency.service'), BOOT_LIMIT_MS);
	await showsFaultText(broken, 'lost-journal');
	await broken.ended;
	guest = null;
	expect(said()).not.toMatch(SHELL);
	expect(bytesAt(directory, (await partitionAt(directory, 'kiosk-journal')) + SUPERBLOCK, SUPERBLOCK)).toEqual(Buffer.alloc(SUPERBLOCK));
});

test('a kernel image signed by another key does not start', async () => {
	const [name = ''] = await kernelImages(directory);
	const own = join(directory, 'own.efi');
	await copyOut(directory, 'esp', `EFI/Linux/${name}`, own);
	await run(
		'openssl',
		[
			'req',
			'-new',
			'-x509',
			'-newkey',
			'rsa:2048',
			'-nodes',
			'-days',
			'2',
			'-subj',
			'/CN=Stranger',
			'-keyout',
			'strange.key',
			'-out',
			'strange.crt',
		],
		{ cwd: directory },
	);
	const sign = [
		'sbattach --remove /mnt/own.efi',
		'sbsign --key /mnt/strange.key --cert /mnt/strange.crt --output /mnt/strange.efi /mnt/own.efi',
	];
	const box = ['--ro-bind', BUILDER, '/', '--dev', '/dev', '--proc', '/proc', '--bind', directory, '/mnt'];
	await run('bwrap', [...box, 'sh', '-ec', sign.join('\n')]);
	await copyIn(directory, 'esp', join(directory, 'strange.efi'), `EFI/Linux/${name}`);
	writeFileSync(join(directory, 'console.log'), '');
	guest = await start();
	const running = guest;
	await until(() => expect(said()).toMatch(/Access [Dd]enied|Security [Vv]iolation/), BOOT_LIMIT_MS);
	expect((await running.picture('strange-kernel')).colours).toBeGreaterThan(1);
	await until(() => expect(said()).toMatch(/BdsDxe|Boot|reset/), BOOT_LIMIT_MS);
	expect(said()).not.toMatch(/Linux version|systemd\[1\]/);
	expect(said()).not.toMatch(SHELL);
});
