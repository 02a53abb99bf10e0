import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SECTIONS, type Section } from './sentences.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const DOCUMENT = join(ROOT, 'docs', 'developer', 'specification.md');

/** A test whose title begins with the ids of the specification's sentences that it covers. */
export interface Proof {
	ids: readonly string[];
	file: string;
	title: string;
}

/** @returns the tests of one file whose titles begin with `[spec …]` */
export function proofsIn(file: string, source: string): Proof[] {
	// A title is the first argument of `test`, on the same line as the call or on the next one.
	const titles = source.matchAll(/\(\s*(['"`])\[spec ([^\]]*)\] (.+?)\1,/g);
	return [...titles].map(([, , ids = '', title = '']) => ({ ids: ids.split(', '), file, title }));
}

/** @returns a message for each id without a test, unknown id in a title, and duplicate id */
export function problemsOf(sections: readonly Section[], proofs: readonly Proof[]): string[] {
	const ids = sections.flatMap(({ sentences }) => sentences.map(({ id }) => id));
	const proven = new Set(proofs.flatMap((proof) => proof.ids));
	const known = new Set(ids);
	return [
		...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `two sentences have the id ${id}`),
		...ids.filter((id) => !proven.has(id)).map((id) => `no test title carries [spec ${id}]`),
		...proofs.flatMap(({ ids, file, title }) =>
			ids.filter((id) => !known.has(id)).map((id) => `${file}: [spec ${id}] of "${title}" is not a sentence of the specification`),
		),
	];
}

const INTRODUCTION = `# The specification, sentence by sentence

This file lists in short what the product specification says, and the tests that check it. Wording of screen and paper is given letter for
letter; \`ui/src/text/wording.test.ts\` checks it. *Open* marks a place that the specification leaves open or where the kiosk differs from
it; the decision follows.

\`make docs\` writes this file from \`tests/support/specification/sentences.ts\` and the titles of the tests: a title that begins with
\`[spec 2.3.1]\` checks that sentence. \`make check\` fails when a sentence has no test or this file is out of date.
`;

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

/** @returns docs/developer/specification.md: a table for each section of the specification */
export function matrix(sections: readonly Section[], proofs: readonly Proof[]): string {
	const tables = sections.map(({ title, sentences }) => {
		const rows = sentences.flatMap(({ id, says, open }) => {
			const sentence = open === undefined ? says : `${says}. *Open:* ${open}`;
			const tests = proofs.filter(({ ids }) => ids.includes(id));
			return tests.map((proof, at) => {
				const head = at === 0 ? `| ${id} | ${cell(sentence)} |` : '| | |';
				return `${head} \`${proof.file}\` | ${cell(proof.title)} |`;
			});
		});
		return [`## ${title}\n`, '| id | the specification | file | test |', '| --- | --- | --- | --- |', ...rows].join('\n');
	});
	return `${[INTRODUCTION, ...tables].join('\n').replaceAll('|\n## ', '|\n\n## ')}\n`;
}

/**
 * @returns the links that lead to no existing document, heading or decision of `docs/developer/`
 */
export function brokenLinks(document: string): string[] {
	const links = [...document.matchAll(/\[([\w-]+\.md)\]\(\1\)(?:, \*([^*]+)\*|, (\d+))?/g)];
	const broken = links.filter(([, file = '', chapter, number]) => {
		const [path] = globSync(file, { cwd: join(ROOT, 'docs', 'developer') });
		const text = path === undefined ? '' : readFileSync(join(ROOT, 'docs', 'developer', path), 'utf8');
		return text === '' || (chapter && !text.includes(`# ${chapter}\n`)) || (number && !text.includes(`**${number}. `));
	});
	return broken.map(([link]) => `docs/developer/specification.md: ${link} does not exist`);
}

function proofsOfProject(): Proof[] {
	const files = globSync(['daemon/**/*.test.ts', 'ui/src/**/*.test.{ts,tsx}', 'tests/**/*.{test,appliance}.ts'], {
		cwd: ROOT,
		exclude: ['**/node_modules/**', 'tests/support/specification/**'],
	});
	return files.sort().flatMap((file) => proofsIn(file, readFileSync(join(ROOT, file), 'utf8')));
}

/** Prints the document. With `--check`, instead compares it with the file and reports problems. */
function main(): void {
	const proofs = proofsOfProject();
	const document = matrix(SECTIONS, proofs);
	if (process.argv[2] !== '--check') {
		process.stdout.write(document);
		return;
	}
	const problems = [...problemsOf(SECTIONS, proofs), ...brokenLinks(document)];
	if (readFileSync(DOCUMENT, 'utf8') !== document) problems.push('docs/developer/specification.md is out of date: run make docs');
	for (const problem of problems) process.stderr.write(`${problem}\n`);
	if (problems.length > 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
