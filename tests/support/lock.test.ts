import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface Locked {
	version?: string;
	resolved?: string;
	optionalDependencies?: Record<string, string>;
}
const lock = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'package-lock.json'), 'utf8')) as {
	packages: Record<string, Locked>;
};

test('the lock file names the packages of every platform, so that npm ci works on any computer and with any mirror', () => {
	const missing = Object.entries(lock.packages).flatMap(([parent, { optionalDependencies = {} }]) =>
		Object.keys(optionalDependencies).filter(
			(name) => !lock.packages[`node_modules/${name}`] && !lock.packages[`${parent}/node_modules/${name}`],
		),
	);
	expect(missing).toEqual([]);
});

test('the lock file names no archive address, so each computer uses its configured registry', () => {
	const addresses = Object.values(lock.packages).flatMap((entry) => (entry.resolved?.includes('://') ? [entry.resolved] : []));
	expect(addresses).toEqual([]);
});

test('the lock file pins ipp to the version of the two functions that the daemon uses', () => {
	expect(lock.packages['node_modules/ipp']?.version).toBe('2.0.1');
});
