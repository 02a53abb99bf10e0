import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDERS = 'config|daemon|docs|image|systemd|tests|ui';

const files = (...patterns: string[]): string[] => globSync(patterns, { cwd: ROOT, exclude: (path) => path.includes('node_modules') });
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const documents = files('*.md', 'docs/**/*.md', 'config/cups/*.md', 'tests/simulators/*.md');

/** @returns the link anchors of a document's headings, formed as GitHub and GitLab do */
function anchorsOf(document: string): string[] {
	const titles = [...read(document).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title);
	return titles.map((title) =>
		title
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, '')
			.replaceAll(' ', '-'),
	);
}

test('the list of documents includes each group of readers', () => {
	const folders = new Set(documents.map((document) => dirname(document)));
	for (const reader of ['owner', 'technician', 'developer', 'reference']) expect(folders).toContain(`docs/${reader}`);
});

test.each(documents)('every link in %s leads to an existing file and heading', (document) => {
	const broken = [...read(document).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].filter(([, path = '', anchor]) => {
		const target = path === '' ? document : join(dirname(document), path);
		if (!existsSync(join(ROOT, target))) return true;
		return anchor !== undefined && !anchorsOf(target).includes(anchor);
	});
	expect(broken.map(([link]) => link)).toEqual([]);
});

test.each(documents)('every file that %s names exists', (document) => {
	const named = [...read(document).matchAll(new RegExp(`\`((?:${FOLDERS})/[\\w./-]+)\``, 'g'))].map(([, path = '']) => path);
	// Builds create these files, so a fresh clone does not contain them.
	const made = /^image\/(out|\.)/;
	expect(named.filter((path) => !made.test(path) && !existsSync(join(ROOT, path)))).toEqual([]);
});

test('every document and heading that the sources name exists', () => {
	const sources = files('daemon/**/*.ts', 'tests/**/*.ts', 'config/**/*.{toml,yml,catalog}', 'Makefile').filter((file) =>
		/docs\//.test(read(file)),
	);
	const missing = sources.flatMap((file) =>
		[...read(file).matchAll(/\b(docs\/[\w/-]+\.md)(?:, "([^"]+)")?/g)]
			.filter(
				([, path = '', chapter]) => !existsSync(join(ROOT, path)) || (chapter !== undefined && !read(path).includes(`# ${chapter}\n`)),
			)
			.map(([name]) => `${file}: ${name}`),
	);
	expect(missing).toEqual([]);
});
