import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const DOCUMENT = readFileSync(join(ROOT, 'docs', 'developer', 'specification.md'), 'utf8');

interface Row {
	section: string;
	says: string;
	file: string;
	name: string;
}

/** The rows of all tables, each with the number of its section. */
function rowsOf(document: string): Row[] {
	let section = '';
	return document.split('\n').flatMap((line) => {
		section = /^## (\d)/.exec(line)?.[1] ?? section;
		const [, says, file, name] = /^\| (?:(.+) )?\| `([^`]+)` \| (.+) \|$/.exec(line) ?? [];
		return file !== undefined && name !== undefined ? [{ section, says: says ?? '', file, name }] : [];
	});
}
const rows = rowsOf(DOCUMENT);

/** @returns whether a file holds a test of this name, or a template of it */
function holds(source: string, name: string): boolean {
	const quoted = ["'", '"', '`'].map((quote) => `${quote}${name}${quote}`);
	// A title is the first thing in the brackets of its call, on the same line or the next.
	return quoted.some((title) => source.split(title).some((before, at, parts) => at < parts.length - 1 && /\(\s*$/.test(before)));
}

test('every section of the specification has its rows, and nothing in the tables is left unread', () => {
	expect([...new Set(rows.map(({ section }) => section))]).toEqual(['2', '3', '4', '5', '6', '7', '8', '9']);
	const lines = DOCUMENT.split('\n').filter((line) => line.startsWith('|') && !/^\| (the specification|---)/.test(line));
	expect(rows).toHaveLength(lines.length);
});

test('every test that is named exists', () => {
	const missing = rows.filter(({ file, name }) => {
		const path = join(ROOT, file);
		return !existsSync(path) || !holds(readFileSync(path, 'utf8'), name);
	});
	expect(missing).toEqual([]);
});

test('every document and chapter that is named exists', () => {
	const missing = [...DOCUMENT.matchAll(/\[([\w-]+\.md)\]\(\1\)(?:, \*([^*]+)\*|, (\d+))?/g)].filter(([, file = '', chapter, number]) => {
		const path = join(ROOT, 'docs', 'developer', file);
		const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
		return text === '' || (chapter && !text.includes(`# ${chapter}\n`)) || (number && !text.includes(`**${number}. `));
	});
	expect(missing.map(([link]) => link)).toEqual([]);
});
