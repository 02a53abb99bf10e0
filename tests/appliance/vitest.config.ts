import { defineConfig } from 'vitest/config';

/** Test files by what `make` target asks for them; a booted machine is too slow a guest for the ordinary run. */
const FILES: Readonly<Record<string, string>> = {
	'test-appliance': '{kiosk,damage,limits}.appliance.ts',
	// Beside the others it would be more than continuous integration has time for.
	'test-installed': 'installed.appliance.ts',
	// Wants an image of its own.
	'test-encryption': 'encryption.appliance.ts',
};

export default defineConfig({
	test: {
		root: import.meta.dirname,
		include: [FILES[process.env.KIOSK_APPLIANCE ?? 'test-appliance'] ?? ''],
		reporters: ['verbose', '../setup/total.ts'],
		testTimeout: 1_800_000,
		hookTimeout: 1_800_000,
		fileParallelism: false,
		// Every step stands on the one before it, and a step that fails has waited long.
		bail: 1,
	},
});
