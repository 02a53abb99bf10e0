import { readFileSync, statfsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const MEMORY = '/dev/shm';
const ROOM_BYTES = 2 * 1024 ** 3;

/**
 * @returns whether the memory disk has room and may run programs, which some tests start there;
 * journals sync at each commit, which takes no time in memory
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
		// `make test` leaves these out, `make test-deep` runs nothing else. For a whole file: a comment
		// with `@module-tag deep`.
		tags: [{ name: 'deep', description: 'The same kinds of tests in greater number or depth; continuous integration runs them.' }],
		reporters: ['default', './tests/support/total.ts'],
		// Whole kiosks start and stop inside one test, on busy computers, too; the limit only ends a
		// test that hangs.
		testTimeout: 180_000,
		hookTimeout: 180_000,
		// A process and a fresh set of modules for each file cost a third of the unit tests' processor
		// time.
		isolate: false,
		env: hasRoom() ? { TMPDIR: MEMORY } : {},
		// Most of these tests wait for timers and processes: with three files at a time a core was
		// idle.
		maxWorkers: 4,
	},
});
