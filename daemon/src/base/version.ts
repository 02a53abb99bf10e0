import { readFileSync } from 'node:fs';

/** Version of the whole project, which a release sets; the package `daemon` has its own. */
export const VERSION = String(
	(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }).version,
);
