/**
 * Data encrypted for one board: the image of `KIOSK_ENCRYPT=tpm2` with emulated TPMs. `make
 * test-encryption`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { bytesAt, partitionAt } from './disk.ts';
import { eventually } from './eventually.ts';
import { showsFaultText } from './fault-text.ts';
import { BOOT_LIMIT_MS, type Machine, type MachineOptions, newDisk, startMachine } from './machine.ts';

const IMAGE = join(import.meta.dirname, '..', '..', 'image', '.encrypted', 'kiosk.raw');
/** LUKS2: the first bytes of the partition (on-disk format specification, 2.1). */
const LUKS = Buffer.from('LUKS\xba\xbe', 'latin1');
const JOURNAL = 'blkid -s UUID -o value /dev/disk/by-partlabel/kiosk-journal';
const MARKER = '/var/lib/kiosk-setup/marker';

const directory = process.env.KIOSK_SHOTS ?? mkdtempSync(join(tmpdir(), 'kiosk-encryption-'));
let machine: Machine | null = null;
let journal: string;
/** Settles when the board's TPM has ended. */
let chip: Promise<unknown> = Promise.resolve();
const said = () => readFileSync(join(directory, 'console.log'), 'utf8');

/** Starts the machine with the board's TPM. Another name means another board. */
async function start(board: string, options: Partial<MachineOptions> = {}): Promise<Machine> {
	const state = join(directory, board);
	mkdirSync(state, { recursive: true });
	const tpm = join(directory, `${board}.sock`);
	rmSync(tpm, { force: true });
	// `terminate` ends the TPM with the machine. Without this wait, the state may still be in use.
	await chip;
	const flags = ['--flags', 'startup-clear', '--terminate'];
	chip = once(spawn('swtpm', ['socket', '--tpm2', '--tpmstate', `dir=${state}`, '--ctrl', `type=unixio,path=${tpm}`, ...flags]), 'exit');
	await until(() => expect(existsSync(tpm)).toBe(true));
	writeFileSync(join(directory, 'console.log'), '');
	machine = await startMachine({ directory, tpm, ...options });
	return machine;
}

beforeAll(async () => {
	for (const file of ['disk.raw', 'firmware.fd']) rmSync(join(directory, file), { force: true });
	await newDisk(directory, IMAGE);
});
afterAll(async () => {
	await machine?.powerCut();
	if (process.env.KIOSK_SHOTS === undefined) rmSync(directory, { recursive: true, force: true });
	else for (const file of ['disk.raw', 'firmware.fd', 'screen.ppm']) rmSync(join(directory, file), { force: true });
});

test(
	'the first start encrypts what is written, and the same board reads it at the next start',
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

test('the disk holds LUKS, and none of its contents can be read', async () => {
	expect(bytesAt(directory, await partitionAt(directory, 'kiosk-var'), LUKS.length)).toEqual(LUKS);
});

test(
	'on another board the data stays locked: a message for staff, a restart, and no shell',
	async () => {
		const stranger = await start('other-board', { endAtReset: true });
		await eventually(() => expect(said()).toContain('emergency.service'), BOOT_LIMIT_MS);
		await showsFaultText(stranger, 'other-board');
		await stranger.ended;
		machine = null;
		expect(said()).not.toMatch(/login:|maintenance|sh-5|Press Enter/);
	},
	BOOT_LIMIT_MS,
);

test(
	'a factory reset there creates new data for that board, and the money journal stays',
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
