import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** These slow tests run last, because the first failing test ends the run for a mutant. */
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
		// With one worker for all files, a mutant needs much less time.
		isolate: false,
		testTimeout: 20_000,
		hookTimeout: 20_000,
	},
});
