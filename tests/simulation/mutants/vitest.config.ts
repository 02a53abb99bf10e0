import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Slow tests run last, and only for mutants that no other test has killed. */
const SLOW = ['card/card-model', 'edc/bca/decoder', 'journal/cash-book', 'journal/store'];
const slowness = ({ moduleId }: TestSpecification): number => SLOW.findIndex((name) => moduleId.endsWith(`${name}.test.ts`));

class QuickFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		return files.toSorted((a, b) => slowness(a) - slowness(b) || a.moduleId.localeCompare(b.moduleId));
	}
}

/** The unit tests of the money core for `make mutation`: no process, no browser, no port. */
export default defineConfig({
	test: {
		include: ['daemon/src/{acceptor,cash,edc,card,journal}/**/*.test.ts', 'daemon/src/back-office/outbox*.test.ts'],
		sequence: { sequencer: QuickFirst },
		// If all files share one worker, most of the time for a mutant is saved.
		isolate: false,
		testTimeout: 20_000,
		hookTimeout: 20_000,
	},
});
