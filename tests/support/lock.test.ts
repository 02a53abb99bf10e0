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

test('the lock file names the optional packages of every platform', () => {
	const missing = Object.entries(lock.packages).flatMap(([parent, { optionalDependencies = {} }]) =>
		Object.keys(optionalDependencies).filter(
			(name) => !lock.packages[`node_modules/${name}`] && !lock.packages[`${parent}/node_modules/${name}`],
		),
	);
	expect(missing).toEqual([]);
});

test('the lock file contains no address of a registry', () => {
	const addresses = Object.values(lock.packages).flatMap((entry) => (entry.resolved?.includes('://') ? [entry.resolved] : []));
	expect(addresses).toEqual([]);
});

test('the lock file pins ipp to version 2.0.1', () => {
	expect(lock.packages['node_modules/ipp']?.version).toBe('2.0.1');
});
