/**
 * Gives the kernel parameters that only tests use, in an add-on of the kernel image
 * (systemd-stub(7), ".addon.efi"). The add-on lies on the boot loader's partition and is signed
 * with the image's key. The shipped image has no such add-on.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copyIn, fileNames, makeFolder } from './disk.ts';

const run = promisify(execFile);
const IMAGE = join(import.meta.dirname, '..', '..', 'image');
export const KEYS = process.env.KIOSK_KEYS ?? join(IMAGE, '.keys');
const ADDON = 'test.addon.efi';
/** The add-on's path on the boot loader's partition. */
export const KERNEL_ADDON = `loader/addons/${ADDON}`;
const PARAMETERS = [
	// The emulated firmware passes root line and settings as credentials. Without this parameter, the
	// image ignores them.
	'systemd.import_credentials=yes',
	'systemd.wants=kiosk-test.service',
	...['console=ttyS0', 'loglevel=4', 'systemd.journald.forward_to_console=1', 'systemd.journald.max_level_console=info'],
].join(' ');

/**
 * Signs the add-on once for each folder, and copies it to the folder's disk unless it is there.
 */
export async function addKernelAddon(directory: string): Promise<void> {
	const addon = join(directory, ADDON);
	if (!existsSync(addon)) await sign(directory);
	await makeFolder(directory, 'esp', 'loader/addons');
	if (!(await fileNames(directory, 'esp', 'loader/addons')).includes(ADDON)) await copyIn(directory, 'esp', addon, KERNEL_ADDON);
}

async function sign(directory: string): Promise<void> {
	if (!existsSync(join(KEYS, 'mkosi.key')))
		throw new Error(`${KEYS} has no key: these tests need the key that signed the image; set KIOSK_KEYS to its folder`);
	const box = ['--ro-bind', join(IMAGE, '.builder'), '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'];
	const places = ['--ro-bind', KEYS, '/run', '--bind', directory, '/mnt'];
	const keys = ['--secureboot-private-key=/run/mkosi.key', '--secureboot-certificate=/run/mkosi.crt', '--signtool=systemd-sbsign'];
	const stub = '--stub=/usr/lib/systemd/boot/efi/addonx64.efi.stub';
	await run('bwrap', [...box, ...places, 'ukify', 'build', stub, `--cmdline=${PARAMETERS}`, ...keys, `--output=/mnt/${ADDON}`]);
}
