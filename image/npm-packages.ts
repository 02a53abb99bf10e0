/** The npm packages that daemon and screens are made of: what they depend on, and what that depends on; nothing that only developers use. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const Entry = v.object({
	version: v.optional(v.string()),
	license: v.optional(v.string()),
	/** sha512-BASE64 of the package's archive. */
	integrity: v.optional(v.string()),
	dependencies: v.optional(v.record(v.string(), v.string()), {}),
	optionalDependencies: v.optional(v.record(v.string(), v.string()), {}),
});
const Lock = v.object({ packages: v.record(v.string(), Entry) });

export interface NpmPackage {
	/** Its folder below the project, e.g. "node_modules/ws". */
	path: string;
	name: string;
	version: string;
	license: string | undefined;
	integrity: string | undefined;
}

/**
 * @param project the folder of the lock file, with the packages installed
 * @param workspaces folders whose dependencies are shipped
 * @returns sorted by name
 */
export function npmPackages(project: string, workspaces: readonly string[]): NpmPackage[] {
	const { packages } = v.parse(Lock, JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')));
	const found = new Map<string, NpmPackage>();

	/** Node's own rule: the folder of the one that asks first, then those around it. */
	function folderOf(name: string, from: string): string | undefined {
		for (let around = from; ; around = around.slice(0, Math.max(around.lastIndexOf('/node_modules/'), 0))) {
			const path = join(around, 'node_modules', name);
			if (packages[path]) return path;
			if (around === '') return undefined;
		}
	}

	function follow(from: string): void {
		const { dependencies = {}, optionalDependencies = {} } = packages[from] ?? {};
		for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
			const path = folderOf(name, from);
			const entry = path === undefined ? undefined : packages[path];
			// Those for other machines are in the lock file alone.
			if (path === undefined || entry?.version === undefined || found.has(path) || !existsSync(join(project, path))) continue;
			found.set(path, { path, name, version: entry.version, license: entry.license, integrity: entry.integrity });
			follow(path);
		}
	}
	for (const workspace of workspaces) follow(workspace);
	return [...found.values()].sort((a, b) => (a.name === b.name ? (a.version < b.version ? -1 : 1) : a.name < b.name ? -1 : 1));
}

/** What is shipped. */
export const WORKSPACES = ['daemon', 'ui'];
