/** Applies the setup files as root at every boot of an appliance. The screen shows the problems. */
import { readFileSync } from 'node:fs';
import { VERSION } from '../base/version.ts';
import { applySetup } from './apply.ts';

/** @returns the running image's version, which is more specific than the version of the daemon */
function imageVersion(): string {
	const [, version = VERSION] = /^IMAGE_VERSION="?([^"\n]*)"?$/m.exec(readFileSync('/etc/os-release', 'utf8')) ?? [];
	return version;
}

const credentials = process.env.CREDENTIALS_DIRECTORY;
const problems = applySetup({
	// Settings passed as credentials, by a fleet or a test, have priority over those on the disk.
	sources: [...(credentials ? [credentials] : []), '/media/kiosk-setup'],
	good: '/var/lib/kiosk-setup/good',
	version: imageVersion(),
	root: '',
});
for (const problem of problems) process.stderr.write(`<4>${problem}\n`);
