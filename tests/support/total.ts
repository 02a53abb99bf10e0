import type { TestError } from 'vitest';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';

type Errors = readonly TestError[];

const SLOWEST = 10;

/**
 * Prints a summary as the last lines of every run, because some logs of continuous integration keep
 * only the end. The summary shows the slowest files, each failed test with its failed lines and its
 * error, and the numbers of passed, failed and skipped tests.
 */
export default class Total implements Reporter {
	#filter: string | undefined;

	onInit(vitest: Vitest): void {
		this.#filter = vitest.config.tagsFilter?.[0];
	}

	onTestRunEnd(modules: readonly TestModule[]): void {
		const count = { passed: 0, failed: 0, skipped: 0 };
		const failures: string[] = [];
		for (const module of modules) {
			for (const test of module.children.allTests()) {
				const { state, errors } = test.result();
				if (state !== 'pending' && !this.#leavesOut(test)) count[state] += 1;
				if (state === 'failed') failures.push(`${placeOf(module, errors)} > ${test.fullName}: ${firstLine(errors)}`);
			}
			// A file or group that failed itself counts as one failure: a file that cannot be loaded
			// contains no tests, and after a failed hook the tests are only skipped.
			for (const part of [module, ...module.children.allSuites()]) {
				if (part.errors().length === 0) continue;
				count.failed += 1;
				failures.push(`${placeOf(module, part.errors())}: ${firstLine(part.errors())}`);
			}
		}
		const seconds = (module: TestModule) => module.diagnostic().duration / 1_000;
		const slowest = [...modules].sort((one, other) => seconds(other) - seconds(one)).slice(0, SLOWEST);
		const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
		// Prints at the exit, so that these lines follow the default reporter's summary.
		process.once('exit', () => {
			for (const module of slowest) process.stdout.write(`${seconds(module).toFixed(1).padStart(7)} s  ${module.relativeModuleId}\n`);
			for (const failure of failures) process.stdout.write(` failed  ${failure}\n`);
			process.stdout.write(`${count.passed} passed, ${count.failed} failed${skipped}\n`);
		});
	}

	/**
	 * @returns whether this run leaves the test to the other of `make test` and `make test-deep`.
	 * Such a test does not count as skipped.
	 */
	#leavesOut(test: TestCase): boolean {
		const isDeep = test.tags.includes('deep');
		return (this.#filter === '!deep' && isDeep) || (this.#filter === 'deep' && !isDeep);
	}
}

const firstLine = (errors: Errors | undefined): string => errors?.[0]?.message.split('\n', 1)[0] ?? '';

/** @returns the file, and those of its lines that the error's stack names, the innermost first */
function placeOf(module: TestModule, errors: Errors | undefined): string {
	const lines = errors?.[0]?.stacks?.flatMap(({ file, line }) => (file === module.moduleId ? line : [])) ?? [];
	return lines.length > 0 ? `${module.relativeModuleId} (lines ${[...new Set(lines)].join(', ')})` : module.relativeModuleId;
}
