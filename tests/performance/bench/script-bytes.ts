import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import type { Figure } from './figures.ts';

const UI = join(import.meta.dirname, '..', '..', '..', 'ui');
const GOAL_BYTES = 125_000;
const LISTED = 12;

const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

/**
 * Measures the script that a first load fetches: gzip bytes of the entry and its static imports, by
 * package.
 */
export async function scriptBytes(): Promise<{ figure: Figure; list: string }> {
	const built = (await build({ root: UI, logLevel: 'silent', build: { write: false } })) as Rolldown.RolldownOutput;
	const chunks = built.output.filter((part) => part.type === 'chunk');
	const first = chunks.filter((chunk) => chunk.isEntry);
	for (const chunk of first) {
		const imported = chunks.filter((other) => chunk.imports.includes(other.fileName) && !first.includes(other));
		first.push(...imported);
	}
	const owners = new Map<string, number>();
	let total = 0;
	for (const chunk of first) {
		const gzip = gzipSync(chunk.code).length;
		total += gzip;
		const modules = Object.entries(chunk.modules);
		const rendered = modules.reduce((sum, [, module]) => sum + module.renderedLength, 0);
		for (const [path, module] of modules)
			owners.set(ownerOf(path), (owners.get(ownerOf(path)) ?? 0) + (gzip * module.renderedLength) / rendered);
	}
	const sorted = [...owners].sort(([, a], [, b]) => b - a).slice(0, LISTED);
	return {
		figure: {
			name: 'script bytes of the first load, gzip',
			measured: kB(total),
			floor: kB(GOAL_BYTES),
			ratio: total / GOAL_BYTES,
			key: 'script_bytes',
			goal: '<= 1x',
			met: total <= GOAL_BYTES,
		},
		list: sorted.map(([owner, bytes]) => `  ${kB(bytes).padStart(9)}  ${owner}`).join('\n'),
	};
}

/** @returns the package of a module, or the kiosk's own folder */
function ownerOf(path: string): string {
	const inPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path);
	if (inPackage?.[1]) return inPackage[1];
	return /(ui\/src\/[a-z]+|daemon\/contract)/.exec(path)?.[1] ?? 'bundler';
}
