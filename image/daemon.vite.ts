/**
 * The daemon, kioskctl and kiosk-setup in one piece each: a machine that starts reads a few files instead of some hundred, and needs
 * no type stripping. Packages that look for files beside themselves stay packages.
 */
import * as http from 'node:http';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const daemon = join(import.meta.dirname, '..', 'daemon');

/**
 * An import of node:http reads everything that it exports, also the browser's WebSocket, and that loads undici with its WebAssembly:
 * a quarter of the daemon's start, for something that nobody uses. This gives the rest of it without.
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
		// As deep as the files that find theirs by a relative address.
		outDir: join(import.meta.dirname, '.stage', 'app', 'daemon', 'src', 'built'),
		rolldownOptions: {
			input: {
				kioskd: join(daemon, 'src', 'main.ts'),
				kioskctl: join(daemon, 'src', 'cli', 'kioskctl.ts'),
				'kiosk-setup': join(daemon, 'src', 'setup', 'main.ts'),
				// A thread of the daemon, started by its file.
				'logo-worker': join(daemon, 'src', 'printer', 'logo-worker.ts'),
			},
			output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
		},
	},
});
