/**
 * Writes what the image is made of as CycloneDX 1.6 JSON to standard output: Debian's packages from mkosi's manifest, the
 * daemon's and screens' packages from the lock file. Usage: node image/sbom.ts MANIFEST
 */
import { readFileSync } from 'node:fs';
import * as v from 'valibot';

const Manifest = v.object({ packages: v.array(v.object({ name: v.string(), version: v.string(), architecture: v.string() })) });
const Lock = v.object({
	version: v.string(),
	packages: v.record(
		v.string(),
		v.object({ version: v.optional(v.string()), dev: v.optional(v.boolean()), license: v.optional(v.string()) }),
	),
});

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: node image/sbom.ts MANIFEST');
const manifest = v.parse(Manifest, JSON.parse(readFileSync(file, 'utf8')));
const lock = v.parse(Lock, JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')));

const debian = manifest.packages.map(({ name, version, architecture }) => ({
	type: 'library',
	name,
	version,
	purl: `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}&distro=trixie`,
}));
const node = Object.entries(lock.packages).flatMap(([path, { version, dev, license }]) => {
	const name = /node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1];
	if (name === undefined || version === undefined || dev === true) return [];
	const licenses = license === undefined ? [] : [{ expression: license }];
	return [{ type: 'library', name, version, licenses, purl: `pkg:npm/${name.replace('@', '%40')}@${version}` }];
});

const sbom = {
	bomFormat: 'CycloneDX',
	specVersion: '1.6',
	version: 1,
	metadata: { component: { type: 'operating-system', name: 'kiosk', version: lock.version } },
	components: [...debian, ...node],
};
process.stdout.write(`${JSON.stringify(sbom, null, '\t')}\n`);
