import { readFileSync } from 'node:fs';

/** Version of the daemon and everything shipped with it. */
export const VERSION = String(
	(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version,
);
