/**
 * Bundles the daemon, kioskctl, kiosk-setup and kiosk-update into one file each: a start then reads
 * a few files instead of hundreds and needs no type stripping. Packages that read files from their
 * own folder are not bundled.
 */
import * as crypto from 'node:crypto';
import * as http from 'node:http';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const daemon = join(import.meta.dirname, '..', 'daemon');

/**
 * Importing one of these modules evaluates all of its exports, also those that load further code for
 * features that the daemon does not use: the browser's WebSocket with undici and its WebAssembly,
 * and the browser's cryptography. The bundle gets the other exports only.
 */
const UNUSED: Readonly<Record<string, { module: object; names: readonly string[] }>> = {
	'node:http': { module: http, names: ['WebSocket', 'CloseEvent', 'MessageEvent'] },
	'node:crypto': { module: crypto, names: ['webcrypto', 'subtle', 'getRandomValues'] },
};
const leanModules: Plugin = {
	name: 'lean-modules',
	enforce: 'pre',
	resolveId: (id) => (id in UNUSED ? `\0lean-${id}` : null),
	load(id) {
		const name = id.replace('\0lean-', '');
		const lean = id === name ? undefined : UNUSED[name];
		if (!lean) return null;
		const used = Object.keys(lean.module).filter((one) => one !== 'default' && !lean.names.includes(one));
		return `const whole = process.getBuiltinModule('${name}'); export default whole; export const { ${used.join(', ')} } = whole;`;
	},
};

/**
 * ws and prom-client load TLS at the start, which takes some milliseconds. These functions load it at
 * the first connection that needs it. The bundled code uses no other part of the two modules.
 */
const lateTls: Plugin = {
	name: 'late-tls',
	enforce: 'pre',
	resolveId: (id) => (/^(node:)?(https|tls)$/.test(id) ? `\0late-${id.replace('node:', '')}` : null),
	load(id) {
		if (id === '\0late-tls') return "export const connect = (...given) => process.getBuiltinModule('node:tls').connect(...given);";
		if (id !== '\0late-https') return null;
		return `const https = () => process.getBuiltinModule('node:https');
export const request = (...given) => https().request(...given);
export function Agent(...given) { return new (https().Agent)(...given); }`;
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
	plugins: [leanModules, lateTls, noTelemetry, leanSerialport, asciiOnly],
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
