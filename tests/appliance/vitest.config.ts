import { defineConfig } from 'vitest/config';

/** Test files by `make` target; booting a guest is too slow for the ordinary run. */
const FILES: Readonly<Record<string, string>> = {
	'test-appliance': '{kiosk,damage,limits}.appliance.ts',
	// Together with the others it takes longer than continuous integration allows.
	'test-installed': 'installed.appliance.ts',
	// Makes further versions of the image and starts them.
	'test-updates': 'updates.appliance.ts',
	// Needs an image of its own.
	'test-encryption': 'encryption.appliance.ts',
};

export default defineConfig({
	test: {
		root: import.meta.dirname,
		include: [FILES[process.env.KIOSK_APPLIANCE ?? 'test-appliance'] ?? ''],
		tags: [{ name: 'deep', description: 'More faults of updates: make test-updates runs them, QUICK=1 leaves them out.' }],
		reporters: ['verbose', '../support/total.ts'],
		testTimeout: 1_800_000,
		hookTimeout: 1_800_000,
		fileParallelism: false,
		// Every step depends on the one before it, and a failed step has waited long.
		bail: 1,
	},
});
