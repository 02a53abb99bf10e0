/**
 * The first program of the kiosk at every boot of an appliance, run as root. The screen shows its
 * problems.
 */
import { readFileSync } from 'node:fs';
import { VERSION } from '../base/version.ts';
import { applySetup } from './apply.ts';

/** @returns the running image's version, which also differs between builds of one release */
function imageVersion(): string {
	const [, version = VERSION] = /^IMAGE_VERSION="?([^"\n]*)"?$/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? [];
	return version;
}

const credentials = process.env.CREDENTIALS_DIRECTORY;
const problems = applySetup({
	// Settings passed by a fleet or a test have priority over those on the disk.
	sources: [...(credentials ? [credentials] : []), '/media/kiosk-setup'],
	good: '/var/lib/kiosk-setup/good',
	version: imageVersion(),
	root: '',
});
for (const problem of problems) process.stderr.write(`<4>${problem}\n`);
