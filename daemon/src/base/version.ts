import { readFileSync } from 'node:fs';

/**
 * Version of the whole project, set by a release. The package `daemon` has a version of its own.
 */
export const VERSION = String(
	(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }).version,
);
