/**
 * Bundles the daemon, kioskctl, kiosk-setup and kiosk-update into one file each: a start then reads
 * a few files instead of hundreds and needs no type stripping. Packages that read files from their
 * own folder are not bundled.
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

/**
 * prom-client loads the fifty files of OpenTelemetry for exemplars. The daemon uses no exemplars,
 * so an empty module replaces them.
 */
const noTelemetry: Plugin = {
	name: 'no-telemetry',
	enforce: 'pre',
	resolveId: (id) => (id === '@opentelemetry/api' ? '\0no-telemetry' : null),
	load: (id) => (id === '\0no-telemetry' ? 'export {};' : null),
};

/**
 * The daemon runs on Linux and parses bytes itself, so the package's other platforms and parsers
 * are left out.
 */
const leanSerialport: Plugin = {
	name: 'lean-serialport',
	enforce: 'pre',
	resolveId: (id) => (id === 'serialport' ? '\0lean-serialport' : null),
	load(id) {
		if (id !== '\0lean-serialport') return null;
		return `import { SerialPortStream } from '@serialport/stream';
import { LinuxBinding } from '@serialport/bindings-cpp/dist/linux.js';
export class SerialPort extends SerialPortStream {
	constructor(options, opened) {
		super({ binding: LinuxBinding, ...options }, opened);
	}
}`;
	},
};

/** If the file is pure ASCII, Node reads it faster and V8 keeps it in half the memory. */
const asciiOnly: Plugin = {
	name: 'ascii-only',
	generateBundle(_options, bundle) {
		for (const part of Object.values(bundle))
			if (part.type === 'chunk')
				part.code = part.code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
	},
};

export default defineConfig({
	root: daemon,
	plugins: [leanHttp, noTelemetry, leanSerialport, asciiOnly],
	ssr: { noExternal: true, external: ['@serialport/bindings-cpp', '@serialport/bindings-cpp/dist/linux.js', 'pdfkit'] },
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
