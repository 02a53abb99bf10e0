import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { contentPolicy, type Handler } from '../http/handler.ts';
import type { ScreenSessions } from './sessions.ts';

const BUILT_UI = fileURLToPath(new URL('../../../ui/dist/', import.meta.url));

const TYPES: Record<string, string> = {
	'.html': 'text/html; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.woff2': 'font/woff2',
	'.svg': 'image/svg+xml',
	'.png': 'image/png',
	'.webp': 'image/webp',
};

interface File {
	/** Compressed with brotli if the build has compressed the file. */
	body: Buffer;
	compressed: boolean;
	type: string;
	/** Hash of the body. */
	hash: string;
	/**
	 * Whether browsers may cache the file for ever: only below /assets/, where names contain a hash.
	 */
	immutable: boolean;
}

/**
 * Serves the built UI. A path without a file gets index.html, because the UI handles routes. The
 * response with index.html also sets the session cookies. They tell the page whether an outlet is
 * logged in, so that the kiosk returns to the home screen after a power cut. The files (a few
 * hundred kilobytes) are kept in memory, so that a later disk error cannot affect the screen.
 */
export function staticUi(sessions: ScreenSessions): Handler {
	const files = readFiles(BUILT_UI);
	const index = files.get('/index.html');
	const policy = index && policyFor(String(plain(index)));
	return (request, response, path) => {
		if (request.method !== 'GET' && request.method !== 'HEAD') return false;
		const file = files.get(path) ?? (path.startsWith('/assets/') ? undefined : index);
		if (!index || !policy) return notBuilt(response);
		if (!file) return false;
		if (file === index) {
			sessions.setCookies(request, response, sessions.of(request));
			response.setHeader('Content-Security-Policy', policy);
		}
		send(request, response, file);
		return true;
	};
}

/**
 * Decompresses the file for clients that do not accept brotli. The kiosk's browser accepts brotli.
 */
function send(request: IncomingMessage, response: ServerResponse, file: File): void {
	const asBrotli = file.compressed && acceptsBrotli(String(request.headers['accept-encoding'] ?? ''));
	const etag = file.compressed && !asBrotli ? `"${file.hash}-plain"` : `"${file.hash}"`;
	response.setHeader('Cache-Control', file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
	response.setHeader('ETag', etag);
	if (file.compressed) response.setHeader('Vary', 'Accept-Encoding');
	if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
	const body = asBrotli ? file.body : plain(file);
	if (asBrotli) response.setHeader('Content-Encoding', 'br');
	response.writeHead(200, { 'Content-Type': file.type, 'Content-Length': body.length });
	response.end(request.method === 'GET' ? body : undefined);
}

/** @param accepted the header Accept-Encoding */
const acceptsBrotli = (accepted: string): boolean =>
	accepted.split(',').some((coding) => /^\s*br\s*(;\s*q=(1|0\.\d*[1-9]).*)?$/.test(coding));

const plain = ({ body, compressed }: File): Buffer => (compressed ? brotliDecompressSync(body) : body);

/**
 * @returns the Content Security Policy of a page. It allows the page's inline styles and script by
 * their hashes.
 */
function policyFor(html: string): string {
	const hashes = (element: RegExp): string[] =>
		[...html.matchAll(element)].map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
	return contentPolicy({
		scripts: hashes(/<script type="module">(.*?)<\/script>/gs),
		styles: hashes(/<style>(.*?)<\/style>/gs),
	});
}

const COMPRESSED = '.br';

function readFiles(root: string): Map<string, File> {
	const names = new Set(existsSync(root) ? readdirSync(root, { recursive: true, encoding: 'utf8' }) : []);
	// The list also contains folders, which have no extension.
	const served = [...names].filter((name) => ![COMPRESSED, ''].includes(extname(name)));
	return new Map(
		served.map((name) => {
			const compressed = names.has(name + COMPRESSED);
			const body = readFileSync(join(root, compressed ? name + COMPRESSED : name));
			const hash = createHash('sha256').update(body).digest('base64url');
			const type = TYPES[extname(name)] ?? 'application/octet-stream';
			return [`/${name}`, { body, compressed, type, hash, immutable: name.startsWith('assets/') }];
		}),
	);
}

function notBuilt(response: ServerResponse): true {
	response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8' });
	response.end('The screen has not been built. Run: make build\n');
	return true;
}
