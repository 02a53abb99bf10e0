import { readFileSync } from 'node:fs';

/** Of the daemon and everything that comes with it. */
export const VERSION = String(
	(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version,
);
