/**
 * Fails if a comment line is wider than docs/developer/style.md allows. A tab counts as 2 columns.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const COLUMNS = 100;
/**
 * Matches only lines with more than one word, because one long word, e.g. an address, cannot be
 * wrapped.
 */
const COMMENT = /^\s*(?:\/\/|\/\*\*?|\*|#|--)\s+\S+\s+\S/;
const WITHOUT_COMMENTS = ['*.md', '*.html', '*.jpg', '*.png', '*.woff2'].map((type) => `:!${type}`);

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z', '--', '.', ...WITHOUT_COMMENTS], { encoding: 'utf8' });
for (const file of files.split('\0').filter((name) => name !== ''))
	for (const [at, line] of readFileSync(file, 'utf8').split('\n').entries())
		if (COMMENT.test(line) && line.replaceAll('\t', '  ').length > COLUMNS) {
			process.stderr.write(`${file}:${at + 1}: this comment is wider than ${COLUMNS} columns\n`);
			process.exitCode = 1;
		}
