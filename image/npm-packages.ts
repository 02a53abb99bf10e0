/**
 * Lists the npm packages that daemon and screens use, directly or through other packages. Packages
 * that are used only for development are not listed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const Entry = v.object({
	version: v.optional(v.string()),
	license: v.optional(v.string()),
	/** sha512-BASE64 of the package archive. */
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
 * @param project folder of the lock file, with installed packages
 * @param workspaces folders whose dependencies are shipped
 * @returns sorted by name
 */
export function npmPackages(project: string, workspaces: readonly string[]): NpmPackage[] {
	const { packages } = v.parse(Lock, JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')));
	const found = new Map<string, NpmPackage>();

	/**
	 * @returns the folder of an imported package by Node's rule: search begins at the importing
	 * package and continues in the folders above
	 */
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
			// Packages for other platforms are in the lock file but not installed.
			if (path === undefined || entry?.version === undefined || found.has(path) || !existsSync(join(project, path))) continue;
			found.set(path, { path, name, version: entry.version, license: entry.license, integrity: entry.integrity });
			follow(path);
		}
	}
	for (const workspace of workspaces) follow(workspace);
	return [...found.values()].sort((a, b) => (a.name === b.name ? (a.version < b.version ? -1 : 1) : a.name < b.name ? -1 : 1));
}

/** The shipped workspaces. */
export const WORKSPACES = ['daemon', 'ui'];
