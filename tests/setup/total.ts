import type { Reporter, TestModule } from 'vitest/node';

/** The last line of every run: how many tests passed, failed and were skipped. */
export default class Total implements Reporter {
	onTestRunEnd(modules: readonly TestModule[]): void {
		const count = { passed: 0, failed: 0, skipped: 0 };
		for (const module of modules) {
			for (const test of module.children.allTests()) {
				const { state } = test.result();
				if (state !== 'pending') count[state] += 1;
			}
			// A file that cannot even be loaded holds no tests that could fail.
			if (module.state() === 'failed' && [...module.children.allTests()].length === 0) count.failed += 1;
		}
		const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : '';
		// After the default reporter's own summary, which ends in the same turn.
		process.once('exit', () => process.stdout.write(`${count.passed} passed, ${count.failed} failed${skipped}\n`));
	}
}
