/**
 * `make test-encryption`: tests an image that was built with `KIOSK_ENCRYPT=tpm2`, on boards with
 * emulated TPMs. The data of a kiosk with such an image can be read only on its own board.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { bytesAt, partitionAt } from './disk.ts';
import { showsFaultText } from './fault-text.ts';
import { BOOT_LIMIT_MS, createDisk, type Guest, type GuestOptions, startGuest } from './guest.ts';
import { PRINTER_PORT } from './paper.ts';
import { HOST, kioskToml } from './setup-files.ts';
import { startUpdateSite } from './update-site.ts';
import { builtVersion, makeVariant, versionLike } from './variant.ts';

const BUILT = join(import.meta.dirname, '..', '..', 'image', '.encrypted');
/** The first bytes of a LUKS2 partition (on-disk format specification, 2.1). */
const LUKS = Buffer.from('LUKS\xba\xbe', 'latin1');
const JOURNAL = 'blkid -s UUID -o value /dev/disk/by-partlabel/kiosk-journal';
const MARKER = '/var/lib/kiosk-setup/marker';

const directory = process.env.KIOSK_SHOTS ?? mkdtempSync(join(tmpdir(), 'kiosk-encryption-'));
let guest: Guest | null = null;
let journal: string;
/** Resolves when the board's TPM has ended. */
let chip: Promise<unknown> = Promise.resolve();
const said = () => readFileSync(join(directory, 'console.log'), 'utf8');

/** Starts the guest on the board with this name. Each name stands for a board with its own TPM. */
async function start(board: string, options: Partial<GuestOptions> = {}): Promise<Guest> {
	const state = join(directory, board);
	mkdirSync(state, { recursive: true });
	const tpm = join(directory, `${board}.sock`);
	rmSync(tpm, { force: true });
	// With `--terminate` a TPM ends together with its guest. Without this wait, the next TPM could
	// start while the previous TPM still uses the state folder.
	await chip;
	const flags = ['--flags', 'startup-clear', '--terminate'];
	chip = once(spawn('swtpm', ['socket', '--tpm2', '--tpmstate', `dir=${state}`, '--ctrl', `type=unixio,path=${tpm}`, ...flags]), 'exit');
	await until(() => expect(existsSync(tpm)).toBe(true));
	writeFileSync(join(directory, 'console.log'), '');
	guest = await startGuest({ directory, tpm, ...options });
	return guest;
}

beforeAll(async () => {
	for (const file of ['disk.raw', 'firmware.fd']) rmSync(join(directory, file), { force: true });
	await createDisk(directory, join(BUILT, 'kiosk.raw'));
});
afterAll(async () => {
	await guest?.powerCut();
	if (process.env.KIOSK_SHOTS === undefined) rmSync(directory, { recursive: true, force: true });
	else for (const file of ['disk.raw', 'firmware.fd', 'screen.ppm']) rmSync(join(directory, file), { force: true });
});

test(
	'the first start encrypts the writable data, and at the next start the same board can read the data',
	async () => {
		const first = await start('own-board');
		expect(await first.root('findmnt -no SOURCE /var')).toBe('/dev/mapper/kiosk-var');
		expect(await first.root('findmnt -no SOURCE /var/lib/kiosk-journal')).toMatch(/^\/dev\/vda\d+$/);
		journal = await first.root(JOURNAL);
		await first.root(`echo kept > ${MARKER}; sync`);
		await first.powerCut();
		const second = await start('own-board');
		expect(await second.root(`cat ${MARKER}`)).toBe('kept');
		await second.powerCut();
	},
	3 * BOOT_LIMIT_MS,
);

test('the partition of the writable data begins with a LUKS header', async () => {
	expect(bytesAt(directory, await partitionAt(directory, 'kiosk-var'), LUKS.length)).toEqual(LUKS);
});

/** Time limit of a command whose answer may be lost in a restart, ms. */
const ANSWER_MS = 30_000;
/** Prints the version that runs, and the state of the last update. */
const UPDATE = `. /etc/os-release; echo $IMAGE_VERSION $(grep -o '"state": *"[a-z_]*"' /var/lib/kiosk-update/state.json | head -1 | cut -d'"' -f4)`;

test(
	'after an update the same board still reads its encrypted data',
	async () => {
		const site = await startUpdateSite();
		try {
			const version = versionLike(builtVersion(BUILT), 1);
			const folder = join(directory, 'update');
			await site.publish(folder, version, await makeVariant(version, { folder }, BUILT));
			const settings = kioskToml({ backOfficePort: 9, printerPort: PRINTER_PORT });
			const update = `[update]\nurl = "http://${HOST}:${site.port}/"\nwindow = "00:00-00:00"\n`;
			const kiosk = await start('own-board', { setup: { 'kiosk.toml': `${settings}\n${update}` } });
			// The first version of a new kiosk is on trial, and an update must wait until this trial has
			// ended.
			await until(() => kiosk.root('test ! -e /run/kiosk/trial'), BOOT_LIMIT_MS);
			await kiosk.root('systemctl start --no-block kiosk-update');
			await until(async () => expect(await kiosk.root(UPDATE, ANSWER_MS)).toBe(`${version} good`), 3 * BOOT_LIMIT_MS);
			expect(await kiosk.root(`cat ${MARKER}`)).toBe('kept');
			expect(await kiosk.root('findmnt -no SOURCE /var')).toBe('/dev/mapper/kiosk-var');
			await kiosk.powerCut();
		} finally {
			await site.stop();
			rmSync(join(directory, 'update'), { recursive: true, force: true });
		}
	},
	6 * BOOT_LIMIT_MS,
);

test(
	'on another board the data stays locked: the kiosk shows a message for staff, restarts and opens no shell',
	async () => {
		const stranger = await start('other-board', { endAtReset: true });
		await until(() => expect(said()).toContain('emergency.service'), BOOT_LIMIT_MS);
		await showsFaultText(stranger, 'other-board');
		await stranger.ended;
		guest = null;
		expect(said()).not.toMatch(/login:|maintenance|sh-5|Press Enter/);
	},
	BOOT_LIMIT_MS,
);

test(
	'a factory reset on the other board creates new data for that board and keeps the money journal',
	async () => {
		await (await start('other-board', { endAtReset: true, setup: { 'factory-reset.txt': '' } })).ended;
		const reset = await start('other-board', { endAtReset: true });
		expect(await reset.root('findmnt -no SOURCE /var')).toBe('/dev/mapper/kiosk-var');
		expect(await reset.root(`ls $(dirname ${MARKER})`)).not.toContain('marker');
		expect(await reset.root(JOURNAL)).toBe(journal);
		expect(bytesAt(directory, await partitionAt(directory, 'kiosk-var'), LUKS.length)).toEqual(LUKS);
	},
	2 * BOOT_LIMIT_MS,
);
