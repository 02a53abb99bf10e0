import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cookieOf } from '../back-office/proxy.ts';
import type { OutletToken } from '../back-office/token.ts';
import type { Handler } from './server.ts';

const BUILT_UI = fileURLToPath(new URL('../../../ui/dist/', import.meta.url));

/** Seconds, as the specification passes them. */
const COOKIE_AGE_S = 8_640_000;
const COOKIE = 'fww_client';

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
	/** Vite puts the hash of the content into the names below /assets/. */
	immutable: boolean;
}

/**
 * Serves the built UI; every path that is no file gets index.html, because routes are the UI's. With it goes the session
 * cookie: the daemon's token decides who is logged in, so that a kiosk that lost its power comes back to the home screen.
 * The files are some hundred kilobytes and held in memory: a disk error while the daemon runs cannot reach the screen.
 */
export function staticUi(token: OutletToken): Handler {
	const files = readFiles(BUILT_UI);
	const index = files.get('/index.html');
	return (request, response, path) => {
		if (request.method !== 'GET' && request.method !== 'HEAD') return false;
		const file = files.get(path) ?? (path.startsWith('/assets/') ? undefined : index);
		if (!index) return notBuilt(response);
		if (!file) return false;
		if (file === index) {
			const cookie = sessionCookie(token, cookieOf(request, COOKIE) !== null);
			if (cookie) response.setHeader('Set-Cookie', cookie);
		}
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
	const names = existsSync(root) ? globSync('**/*', { cwd: root }).filter((name) => statSync(join(root, name)).isFile()) : [];
	return new Map(
		names.map((name) => {
			const body = readFileSync(join(root, name));
			const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
			return [`/${name}`, { body, type: TYPES[extname(name)] ?? 'application/octet-stream', etag, immutable: name.startsWith('assets/') }];
		}),
	);
}

function sessionCookie(token: OutletToken, present: boolean): string | null {
	const session = token.current();
	if (session && !session.refused) {
		const value = encodeURIComponent(JSON.stringify({ token: session.token.reveal(), development: session.account.development }));
		return `${COOKIE}=${value}; Path=/; Max-Age=${COOKIE_AGE_S}; SameSite=Strict`;
	}
	return present ? `${COOKIE}=; Path=/; Max-Age=0; SameSite=Strict` : null;
}

function notBuilt(response: ServerResponse): true {
	response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8' });
	response.end('The screen has not been built. Run: make build\n');
	return true;
}
