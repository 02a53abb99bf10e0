import { readFileSync, statfsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const MEMORY = '/dev/shm';
const ROOM_BYTES = 2 * 1024 ** 3;

/**
 * @returns whether the memory disk has room and may run programs. Tests use it because a journal's
 * sync takes no time in memory. Some tests start programs in their folder.
 */
function hasRoom(): boolean {
	if (!new RegExp(` ${MEMORY} tmpfs (?!\\S*noexec)`).test(readFileSync('/proc/mounts', 'utf8'))) return false;
	const { bavail, bsize } = statfsSync(MEMORY);
	return bavail * bsize > ROOM_BYTES;
}

export default defineConfig({
	test: {
		include: ['{daemon,ui,tests}/**/*.test.{ts,tsx}'],
		exclude: ['**/node_modules/**', 'ui/dist/**'],
		// `make test` omits tests with this tag, `make test-deep` runs only these. A comment
		// `@module-tag deep` tags a whole file.
		tags: [{ name: 'deep', description: 'The same kinds of tests in greater number or depth; continuous integration runs them.' }],
		reporters: ['default', './tests/support/total.ts'],
		setupFiles: ['./tests/support/strict-match.ts', './tests/support/fresh-page.ts'],
		// Whole kiosks start and stop inside one test, also on busy computers. This limit only ends
		// tests that hang.
		testTimeout: 180_000,
		hookTimeout: 180_000,
		// A separate process and fresh modules for each file would cost a third of the unit tests'
		// processor time.
		isolate: false,
		env: hasRoom() ? { TMPDIR: MEMORY } : {},
		// Most tests wait for timers and processes, so three files at a time left a core idle.
		maxWorkers: 4,
	},
});
