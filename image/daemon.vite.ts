/**
 * Bundles the daemon, kioskctl, kiosk-setup and kiosk-update, so that each program reads few files
 * at its start instead of hundreds and needs no type stripping. Packages that read files from their
 * own folder are not bundled.
 */
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const daemon = join(import.meta.dirname, '..', 'daemon');

/**
 * Importing a Node module evaluates all its exports. Some exports load more code, such as undici or
 * file streams. This plugin replaces each import of a Node module by code that reads only the used
 * exports.
 */
const leanImports: Plugin = {
	name: 'lean-imports',
	generateBundle(_options, bundle) {
		for (const part of Object.values(bundle)) {
			if (part.type !== 'chunk') continue;
			part.code = part.code.replaceAll(
				/^import \{ (.+) \} from "(node:[a-z/_]+)";$/gm,
				(_, names: string, name: string) => `const { ${names.replaceAll(' as ', ': ')} } = process.getBuiltinModule("${name}");`,
			);
			const left = /^import .*"node:.*$/m.exec(part.code);
			if (left) this.error(`${part.fileName} still imports a module of Node: ${left[0]}`);
		}
	},
};

/**
 * ws and prom-client load TLS at the start, which takes some milliseconds. The functions of this
 * plugin load TLS at the first connection that uses it. The bundled code uses no other function of
 * node:tls and node:https.
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
 * For exemplars prom-client loads the fifty files of OpenTelemetry. The daemon uses no exemplars,
 * so an empty module replaces these files.
 */
const noTelemetry: Plugin = {
	name: 'no-telemetry',
	enforce: 'pre',
	resolveId: (id) => (id === '@opentelemetry/api' ? '\0no-telemetry' : null),
	load: (id) => (id === '\0no-telemetry' ? 'export {};' : null),
};

/** The compiled part of serialport, which cannot be bundled. The kiosk's Node is for x64 only. */
const SERIAL_BINARY = '@serialport/bindings-cpp/prebuilds/linux-x64/@serialport+bindings-cpp.glibc.node';

/**
 * The daemon runs on Linux, parses bytes itself and never lists ports, so serialport's other
 * platforms, parsers and port list are left out. A fixed path replaces serialport's search for its
 * compiled part.
 */
const leanSerialport: Plugin = {
	name: 'lean-serialport',
	enforce: 'pre',
	resolveId(id, importer) {
		if (id === 'serialport') return '\0lean-serialport';
		const isOfBinding = importer?.includes('/@serialport/bindings-cpp/dist/') ?? false;
		return isOfBinding && ['./serialport-bindings', './linux-list'].includes(id) ? `\0lean-${id}` : null;
	},
	load(id) {
		if (id === '\0lean-./linux-list') return "export const linuxList = () => Promise.reject(new Error('left out'));";
		if (id === '\0lean-./serialport-bindings')
			return `import { createRequire } from 'node:module';
export const binding = createRequire(import.meta.url)('${SERIAL_BINARY}');`;
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

/** Writes the bundles in pure ASCII, which Node reads faster and V8 keeps in half the memory. */
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
	plugins: [leanImports, lateTls, noTelemetry, leanSerialport, asciiOnly],
	ssr: { noExternal: true, external: ['pdfkit'] },
	build: {
		ssr: true,
		target: 'node24',
		// The bundles lie at the same depth as the sources, because the daemon finds files by relative
		// paths.
		outDir: join(import.meta.dirname, '.stage', 'app', 'daemon', 'src', 'built'),
		rolldownOptions: {
			input: {
				kioskd: join(daemon, 'src', 'main.ts'),
				kioskctl: join(daemon, 'src', 'cli', 'kioskctl.ts'),
				'kiosk-setup': join(daemon, 'src', 'setup', 'main.ts'),
				'kiosk-update': join(daemon, 'src', 'update', 'kiosk-update.ts'),
				// The daemon starts this worker thread by its file name.
				'logo-worker': join(daemon, 'src', 'printer', 'logo-worker.ts'),
			},
			output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' },
		},
	},
});
