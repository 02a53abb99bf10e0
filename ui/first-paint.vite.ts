/**
 * Prepares the built page for a quick first paint. The styles of the first load are put into
 * index.html, and the script is fetched only after the first frame. Each text file gets a
 * compressed copy beside it, if the copy is smaller.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

const STYLESHEET = /<link (rel="stylesheet"[^>]* href="\/([^"]+)")>/g;
const PRELOAD = /[ \t]*<link rel="modulepreload"[^>]*>\n?/g;
const SCRIPT = /<script type="module"[^>]* src="([^"]+)"><\/script>/;
const TEXT = new Set(['.html', '.js', '.css', '.svg']);

/** A hidden page draws no frame, so its script starts after this time. */
const HIDDEN_MS = 300;

/**
 * Imports the script after the first frame and again after the timeout; the second import does
 * nothing. The content security policy allows this inline script by its hash.
 */
const startScript = (address: string): string =>
	`const start = () => import("${address}"); requestAnimationFrame(() => setTimeout(start)); setTimeout(start, ${HIDDEN_MS});`;

/**
 * Starts the page's script later, because fetching and compiling it would delay the first frame.
 */
const delayScript = (html: string): string =>
	html.replaceAll(PRELOAD, '').replace(SCRIPT, (_, address: string) => `<script type="module">${startScript(address)}</script>`);

/** Inlines the styles of the first load, so that the first paint does not wait for their files. */
function inlineStyles(html: string, bundle: Rolldown.OutputBundle): string {
	return html.replaceAll(STYLESHEET, (link, attributes: string, file: string) => {
		const part = bundle[file];
		if (part?.type !== 'asset') return link;
		// Vite loads later screens with their styles. The disabled link tells it that these styles are
		// already loaded.
		return `<link disabled ${attributes}><style>${String(part.source).trim()}</style>`;
	});
}

function compress(directory: string): void {
	for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile() || !TEXT.has(extname(entry.name))) continue;
		const file = join(entry.parentPath, entry.name);
		const text = readFileSync(file);
		const compressed = brotliCompressSync(text);
		if (compressed.length < text.length) writeFileSync(`${file}.br`, compressed);
	}
}

export function firstPaint(): Plugin {
	return {
		name: 'first-paint',
		apply: 'build',
		enforce: 'post',
		transformIndexHtml: {
			order: 'post',
			handler: (html, { bundle }) => (bundle === undefined ? html : delayScript(inlineStyles(html, bundle))),
		},
		writeBundle: (options) => compress(options.dir ?? ''),
	};
}
