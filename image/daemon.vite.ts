/**
 * The daemon, kioskctl and kiosk-setup in one piece each: a machine that starts reads a few files instead of some hundred, and needs
 * no type stripping. Packages that look for files beside themselves stay packages.
 */
import { join } from 'node:path';
import { defineConfig } from 'vite';

const daemon = join(import.meta.dirname, '..', 'daemon');

export default defineConfig({
	root: daemon,
	ssr: { noExternal: true, external: ['@serialport/bindings-cpp', 'pdfkit'] },
	build: {
		ssr: true,
		target: 'node24',
		// As deep as the files that find theirs by a relative address.
		outDir: join(import.meta.dirname, '.stage', 'app', 'daemon', 'src', 'built'),
		rolldownOptions: {
			input: {
				kioskd: join(daemon, 'src', 'main.ts'),
				kioskctl: join(daemon, 'src', 'cli', 'kioskctl.ts'),
				'kiosk-setup': join(daemon, 'src', 'setup', 'main.ts'),
			},
			output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
		},
	},
});
