import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { readJsonObject, sendJson } from '../http.ts';
import { listen } from '../listen.ts';
import { ACTIONS } from './actions.ts';
import { BadInput } from './input.ts';
import type { Simulators } from './simulators.ts';

const FONT = '../../../node_modules/@fontsource-variable/plus-jakarta-sans/files/plus-jakarta-sans-latin-wght-normal.woff2';
const PAGE: Record<string, { file: string; type: string }> = {
	'/': { file: 'page.html', type: 'text/html; charset=utf-8' },
	'/page.css': { file: 'page.css', type: 'text/css; charset=utf-8' },
	'/devices.css': { file: 'devices.css', type: 'text/css; charset=utf-8' },
	'/books.css': { file: 'books.css', type: 'text/css; charset=utf-8' },
	'/page.js': { file: 'page.js', type: 'text/javascript; charset=utf-8' },
	'/font.woff2': { file: FONT, type: 'font/woff2' },
};

export interface Panel {
	port: number;
	url: string;
	stop(): Promise<void>;
}

/** Starts the control panel. One address serves its page and the calls of the page's buttons. */
export async function startPanel(port: number, simulators: Simulators): Promise<Panel> {
	const server = createServer((request, response) => {
		serve(request, response, simulators).catch((error: unknown) => {
			sendJson(response, error instanceof BadInput ? 400 : 500, { message: error instanceof Error ? error.message : String(error) });
		});
	});
	const listening = await listen(server, port);
	return { port: listening.port, url: `http://127.0.0.1:${listening.port}`, stop: () => listening.close() };
}

async function serve(request: IncomingMessage, response: ServerResponse, simulators: Simulators): Promise<void> {
	const { pathname } = new URL(request.url ?? '/', 'http://localhost');
	const page = request.method === 'GET' ? PAGE[pathname] : undefined;
	if (page !== undefined) {
		const content = await readFile(new URL(page.file, import.meta.url));
		response.writeHead(200, { 'Content-Type': page.type, 'Cache-Control': 'no-store' });
		response.end(content);
		return;
	}
	if (request.method === 'GET' && pathname === '/screen' && simulators.startScreen) {
		response.writeHead(303, { Location: simulators.startScreen(), 'Cache-Control': 'no-store' }).end();
		return;
	}
	if (isForeign(request)) return sendJson(response, 403, { message: 'only this page may use the panel' });
	const action = ACTIONS[`${request.method} ${pathname}`];
	if (action === undefined) return sendJson(response, 404, { message: `the panel knows: ${Object.keys(ACTIONS).join(' · ')}` });
	const fields = await readJsonObject(request);
	if (fields === null) throw new BadInput('the body must be a JSON object');
	sendJson(response, 200, (await action(simulators, fields)) ?? {});
}

/** @returns whether another website sends the request; it must not insert notes */
const isForeign = ({ headers }: IncomingMessage): boolean => headers.origin !== undefined && headers.origin !== `http://${headers.host}`;
