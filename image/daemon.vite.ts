/**
 * Bundles the daemon, kioskctl, kiosk-setup and kiosk-update into one file each: a start then reads a few files
 * instead of hundreds and needs no type stripping. Packages that read files from their own folder
 * are not bundled.
 */
import * as http from 'node:http';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const daemon = join(import.meta.dirname, '..', 'daemon');

/**
 * Importing node:http evaluates all of its exports, including the browser's WebSocket, which loads
 * undici with its WebAssembly: a quarter of the daemon's start for an unused feature. This module
 * provides the other exports only.
 */
const leanHttp: Plugin = {
	name: 'lean-http',
	enforce: 'pre',
	resolveId: (id) => (id === 'node:http' ? '\0lean-http' : null),
	load(id) {
		if (id !== '\0lean-http') return null;
		const names = Object.keys(http).filter((name) => !['default', 'WebSocket', 'CloseEvent', 'MessageEvent'].includes(name));
		return `const http = process.getBuiltinModule('node:http'); export default http; export const { ${names.join(', ')} } = http;`;
	},
};

export default defineConfig({
	root: daemon,
	plugins: [leanHttp],
	ssr: { noExternal: true, external: ['@serialport/bindings-cpp', 'pdfkit'] },
	build: {
		ssr: true,
		target: 'node24',
		// At the same depth as in the sources, for files that are found by relative paths.
		outDir: join(import.meta.dirname, '.stage', 'app', 'daemon', 'src', 'built'),
		rolldownOptions: {
			input: {
				kioskd: join(daemon, 'src', 'main.ts'),
				kioskctl: join(daemon, 'src', 'cli', 'kioskctl.ts'),
				'kiosk-setup': join(daemon, 'src', 'setup', 'main.ts'),
				'kiosk-update': join(daemon, 'src', 'update', 'kiosk-update.ts'),
				// A worker thread of the daemon, started by its file name.
				'logo-worker': join(daemon, 'src', 'printer', 'logo-worker.ts'),
			},
			output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
		},
	},
});
