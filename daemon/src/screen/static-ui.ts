import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Handler } from '../http/handler.ts';
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
	body: Buffer;
	type: string;
	etag: string;
	/** Vite puts a hash of the contents into names below /assets/. */
	immutable: boolean;
}

/**
 * Serves the built UI; every path without a file gets index.html, because the UI handles routes.
 * With it, a page with a session gets its cookies again: the daemon decides whether an outlet is
 * logged in, so that a kiosk returns to the home screen after a power cut. The files (some hundred
 * kilobytes) are kept in memory: a disk error while the daemon runs cannot affect the screen.
 */
export function staticUi(sessions: ScreenSessions): Handler {
	const files = readFiles(BUILT_UI);
	const index = files.get('/index.html');
	return (request, response, path) => {
		if (request.method !== 'GET' && request.method !== 'HEAD') return false;
		const file = files.get(path) ?? (path.startsWith('/assets/') ? undefined : index);
		if (!index) return notBuilt(response);
		if (!file) return false;
		if (file === index) sessions.setCookies(request, response, sessions.of(request));
		response.setHeader('Cache-Control', file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
		response.setHeader('ETag', file.etag);
		if (request.headers['if-none-match'] === file.etag) response.writeHead(304).end();
		else
			response
				.writeHead(200, { 'Content-Type': file.type, 'Content-Length': file.body.length })
				.end(request.method === 'GET' ? file.body : undefined);
		return true;
	};
}

function readFiles(root: string): Map<string, File> {
	const entries = existsSync(root) ? readdirSync(root, { recursive: true, withFileTypes: true }) : [];
	const names = entries.filter((entry) => entry.isFile()).map((entry) => relative(root, join(entry.parentPath, entry.name)));
	return new Map(
		names.map((name) => {
			const body = readFileSync(join(root, name));
			const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
			return [`/${name}`, { body, type: TYPES[extname(name)] ?? 'application/octet-stream', etag, immutable: name.startsWith('assets/') }];
		}),
	);
}

function notBuilt(response: ServerResponse): true {
	response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8' });
	response.end('The screen has not been built. Run: make build\n');
	return true;
}
