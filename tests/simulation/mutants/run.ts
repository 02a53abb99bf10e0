import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MUTANTS, type Mutant } from './mutants.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** Files that a copy needs to run the daemon's tests and the simulation. */
const COPIED = ['daemon', 'tests', 'config', 'package.json', 'tsconfig.json', 'vitest.config.ts'];
/** The parts that move money; the others cannot detect these bugs. */
const UNITS = ['acceptor', 'cash', 'card', 'journal', 'back-office', 'edc', 'printer/print-desk'].map((unit) => `daemon/src/${unit}`);

interface Caught {
	/** The first unit test that failed, or null. */
	unit: string | null;
	/** Number of seeds that broke an invariant. */
	seeds: number;
	violation: string;
}

function copyOfTree(): string {
	const copy = mkdtempSync(join(tmpdir(), 'kiosk-mutants-'));
	for (const name of COPIED)
		cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter: (path) => !path.includes('node_modules') });
	symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
	return copy;
}

function node(copy: string, program: string, ...words: string[]): string {
	const ran = spawnSync(process.execPath, [program, ...words], { cwd: copy, encoding: 'utf8', timeout: 600_000 });
	return `${ran.stdout}${ran.stderr}`;
}

function firstFailure(copy: string): string | null {
	const report = join(copy, 'report.json');
	rmSync(report, { force: true });
	node(copy, 'node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--reporter=json', `--outputFile=${report}`, ...UNITS);
	const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
		testResults: { name: string; status: string; assertionResults: { status: string; fullName: string }[] }[];
	};
	for (const file of testResults)
		for (const test of file.assertionResults)
			if (test.status === 'failed') return `${file.name.split('/').at(-1)}: ${test.fullName.trim()}`;
	return testResults.some((file) => file.status === 'failed') ? 'a test file does not load' : null;
}

function mutate(copy: string, { file, find, replace }: Mutant, seeds: number): Caught {
	const path = join(copy, 'daemon/src', file);
	const sound = readFileSync(path, 'utf8');
	if (sound.split(find).length !== 2) throw new Error(`${file} does not hold this exactly once: ${find}`);
	writeFileSync(
		path,
		sound.replace(find, () => replace),
	);
	try {
		const said = seeds === 0 ? '' : node(copy, 'tests/simulation/run.ts', '--from', '1', '--seeds', String(seeds));
		const count = Number(/^(\d+) seeds broke/m.exec(said)?.[1] ?? (seeds === 0 ? 0 : Number.NaN));
		const violation = /^seed \d+, \d+ ms: (.*)$/m.exec(said)?.[1] ?? '';
		// Without a last line the process itself crashed, which counts as detected.
		return {
			unit: firstFailure(copy),
			seeds: Number.isNaN(count) ? 1 : count,
			violation: violation || (Number.isNaN(count) ? 'the process crashed' : ''),
		};
	} finally {
		writeFileSync(path, sound);
	}
}

const cell = (text: string): string => text.replaceAll('|', '/').slice(0, 140);

const { values } = parseArgs({
	options: {
		/** Seeds of the simulation for each mutant. */
		seeds: { type: 'string', default: '150' },
		/** Only mutants whose name contains this. */
		only: { type: 'string', default: '' },
	},
});
const copy = copyOfTree();
let survivors = 0;
try {
	process.stdout.write(`| Bug | Unit test that fails first | Seeds of ${values.seeds} that break an invariant |\n|---|---|---|\n`);
	for (const mutant of MUTANTS.filter(({ name }) => name.includes(values.only))) {
		const { unit, seeds, violation } = mutate(copy, mutant, Number(values.seeds));
		if (unit === null && seeds === 0) survivors += 1;
		const found = seeds === 0 ? '0' : `${seeds}: ${violation.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')}`;
		process.stdout.write(`| ${mutant.name} (${mutant.file}) | ${cell(unit ?? '**none**')} | ${cell(found)} |\n`);
	}
} finally {
	rmSync(copy, { recursive: true, force: true });
}
process.stdout.write(`\n${survivors} survived\n`);
process.exit(survivors === 0 ? 0 : 1);
