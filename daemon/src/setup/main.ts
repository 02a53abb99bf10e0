/** The first program of the kiosk at every start of an appliance; root runs it. Trouble is for the screen to show. */
import { applySetup } from './apply.ts';

const credentials = process.env.CREDENTIALS_DIRECTORY;
const problems = applySetup({
	// What a fleet or a test gives the machine goes before what lies on its disk.
	sources: [...(credentials ? [credentials] : []), '/media/kiosk-setup'],
	good: '/var/lib/kiosk-setup/good',
	root: '',
});
for (const problem of problems) process.stderr.write(`<4>${problem}\n`);
