import { readFileSync, statfsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const MEMORY = '/dev/shm';
const ROOM_BYTES = 2 * 1024 ** 3;

/**
 * @returns whether tests can use the memory disk: it has room and may run programs, which some
 * tests start from their folder. Tests use it, because there a journal's sync takes no time.
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
		// `make test` omits the tests with this tag, and `make test-deep` runs only them. A comment
		// `@module-tag deep` tags all tests of a file.
		tags: [{ name: 'deep', description: 'The same kinds of tests in greater number or depth; continuous integration runs them.' }],
		reporters: ['default', './tests/support/total.ts'],
		setupFiles: ['./tests/support/strict-match.ts', './tests/support/fresh-page.ts'],
		// The limit only ends tests that hang: a test may start and stop whole kiosks, even on a busy
		// computer.
		testTimeout: 180_000,
		hookTimeout: 180_000,
		// Files share processes and modules. Without this, starting processes and loading modules would
		// take a third of the unit tests' processor time.
		isolate: false,
		env: hasRoom() ? { TMPDIR: MEMORY } : {},
		// Four files run at a time. With three, a core was idle, because most tests wait for timers and
		// processes.
		maxWorkers: 4,
	},
});
