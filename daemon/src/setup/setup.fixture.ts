/** Folders for the credentials, the setup partition and the root file system. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach } from 'vitest';
import { temporaryFolder } from '../../../tests/support/folder.ts';
import { parseSettings } from '../settings/settings.ts';
import { applySetup } from './apply.ts';

export let home: string;

/** Creates these folders anew before each test. */
export function homeOfEachTest(): void {
	beforeEach(() => {
		home = temporaryFolder('setup');
		for (const folder of ['given', 'card', 'root']) mkdirSync(join(home, folder));
	});
}

export const onCard = (name: string, text: string) => writeFileSync(join(home, 'card', name), text);
/** Applies the setup files as at a boot. @returns the problems */
export const boot = (version = '0.2.0') =>
	applySetup({ sources: [join(home, 'given'), join(home, 'card')], good: join(home, 'good'), version, root: join(home, 'root') });
export const written = (path: string) => readFileSync(join(home, 'root', path), 'utf8');
/** @returns the site name in the daemon's settings, or the problems of the settings */
export const siteName = () => {
	const settings = parseSettings(written('/run/kiosk/kiosk.toml'), undefined);
	return settings.ok ? settings.value.site.name : settings.error.problems;
};
