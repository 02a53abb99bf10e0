import { defineConfig } from 'vitest/config';

/** Test files of each `make` target; booting a guest is too slow for the ordinary run. */
const FILES: Readonly<Record<string, string>> = {
	'test-appliance': '{kiosk,damage,limits}.appliance.ts',
	// Together with the files above, this file would exceed the time limit of continuous integration.
	'test-installed': 'installed.appliance.ts',
	// This file makes more versions of the image and starts them.
	'test-updates': 'updates.appliance.ts',
	// This file needs an image of its own.
	'test-encryption': 'encryption.appliance.ts',
};

export default defineConfig({
	test: {
		root: import.meta.dirname,
		include: [FILES[process.env.KIOSK_APPLIANCE ?? 'test-appliance'] ?? ''],
		tags: [
			{ name: 'deep', description: 'More update faults: make test-updates runs them, QUICK=1 skips them.' },
			{ name: 'good', description: 'A good update: QUICK=1 runs it, QUICK=broken skips it.' },
			{ name: 'broken', description: 'The main update faults: QUICK=1 runs them, QUICK=good skips them.' },
		],
		reporters: ['verbose', '../support/total.ts'],
		setupFiles: ['../support/strict-match.ts'],
		testTimeout: 1_800_000,
		hookTimeout: 1_800_000,
		fileParallelism: false,
		// Each step needs the previous step, so the steps after a failure would only wait for timeouts.
		bail: 1,
	},
});
