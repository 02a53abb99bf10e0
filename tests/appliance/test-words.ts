/**
 * Kernel parameters of the tests only: an addon of the kernel image on the boot loader's partition,
 * signed by the image's key (systemd-stub(7), ".addon.efi"). The shipped image has none, and its
 * own parameters forbid everything that these allow.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copyIn, fileNames, makeFolder } from './disk.ts';

const run = promisify(execFile);
const IMAGE = join(import.meta.dirname, '..', '..', 'image');
const KEYS = process.env.KIOSK_KEYS ?? join(IMAGE, '.keys');
const ADDON = 'test.addon.efi';
/** Their place on the boot loader's partition. */
export const TEST_WORDS = `loader/addons/${ADDON}`;
const WORDS = [
	// The root line and settings come as credentials of the emulated firmware.
	'systemd.import_credentials=yes',
	'systemd.wants=kiosk-test.service',
	...['console=ttyS0', 'loglevel=4', 'systemd.journald.forward_to_console=1', 'systemd.journald.max_level_console=info'],
].join(' ');

/** Signs the parameters, once for each folder, and copies them to its disk if missing. */
export async function addTestWords(directory: string): Promise<void> {
	const addon = join(directory, ADDON);
	if (!existsSync(addon)) await sign(directory);
	await makeFolder(directory, 'esp', 'loader/addons');
	if (!(await fileNames(directory, 'esp', 'loader/addons')).includes(ADDON)) await copyIn(directory, 'esp', addon, TEST_WORDS);
}

async function sign(directory: string): Promise<void> {
	if (!existsSync(join(KEYS, 'mkosi.key')))
		throw new Error(`${KEYS} has no key: these tests need the one that signed the image; KIOSK_KEYS names its folder`);
	const box = ['--ro-bind', join(IMAGE, '.builder'), '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'];
	const places = ['--ro-bind', KEYS, '/run', '--bind', directory, '/mnt'];
	const keys = ['--secureboot-private-key=/run/mkosi.key', '--secureboot-certificate=/run/mkosi.crt', '--signtool=systemd-sbsign'];
	const stub = '--stub=/usr/lib/systemd/boot/efi/addonx64.efi.stub';
	await run('bwrap', [...box, ...places, 'ukify', 'build', stub, `--cmdline=${WORDS}`, ...keys, `--output=/mnt/${ADDON}`]);
}
