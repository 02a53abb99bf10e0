import { defineConfig } from 'vitest/config';

export default defineConfig({
	test: {
		include: ['{daemon,ui,tests}/**/*.test.{ts,tsx}'],
		exclude: ['**/node_modules/**', 'ui/dist/**'],
		// `make test` leaves these out, `make test-deep` runs nothing else. A whole file: `@module-tag deep` in a comment of it.
		tags: [{ name: 'deep', description: 'The same kinds of tests in greater number or depth; continuous integration runs them.' }],
		reporters: ['default', './tests/support/total.ts'],
		// Whole kiosks start and stop inside one test; a limit only ends what hangs.
		testTimeout: 60_000,
		hookTimeout: 60_000,
		// Most of these tests wait for timers and processes: three files at a time keep two cores busy.
		maxWorkers: 3,
	},
});
