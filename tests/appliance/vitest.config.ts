import { defineConfig } from 'vitest/config';

/** A booted machine is too slow a guest for the ordinary run: `make test-appliance`. */
export default defineConfig({
	test: {
		root: import.meta.dirname,
		// Encryption wants an image of its own: `make test-encryption`.
		include: process.env.KIOSK_ENCRYPT === 'tpm2' ? ['encryption.appliance.ts'] : ['{kiosk,installed,damage,limits}.appliance.ts'],
		reporters: ['verbose', '../setup/total.ts'],
		testTimeout: 1_800_000,
		hookTimeout: 1_800_000,
		fileParallelism: false,
		// Every step stands on the one before it, and a step that fails has waited long.
		bail: 1,
	},
});
