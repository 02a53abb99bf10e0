/**
 * The first program of the kiosk at every boot of an appliance, run as root. The screen shows its
 * problems.
 */
import { applySetup } from './apply.ts';

const credentials = process.env.CREDENTIALS_DIRECTORY;
const problems = applySetup({
	// Settings passed by a fleet or a test have priority over those on the disk.
	sources: [...(credentials ? [credentials] : []), '/media/kiosk-setup'],
	good: '/var/lib/kiosk-setup/good',
	root: '',
});
for (const problem of problems) process.stderr.write(`<4>${problem}\n`);
