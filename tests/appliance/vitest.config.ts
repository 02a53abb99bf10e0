import { defineConfig } from 'vitest/config';

/** A booted machine is too slow a guest for the ordinary run: `make test-appliance`. */
export default defineConfig({
	test: {
		root: import.meta.dirname,
		include: ['*.appliance.ts'],
		reporters: ['verbose', '../setup/total.ts'],
		testTimeout: 900_000,
		hookTimeout: 900_000,
		fileParallelism: false,
		bail: 1,
	},
});
