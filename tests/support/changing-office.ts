import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { readBody } from '../simulators/http.ts';

/** An answer of the back office in transit to the kiosk. */
export interface PassingAnswer {
	status: number;
	headers: Record<string, string | string[]>;
	body: string;
}

/** Changes one answer; `asked` holds the headers of the call. */
export type Change = (answer: PassingAnswer, asked: IncomingHttpHeaders) => PassingAnswer | Promise<PassingAnswer>;

/** A proxy before the simulated back office that changes its answers. */
export interface ChangingOffice {
	url: string;
	/** The back office behind it; set before the first call. */
	target: string;
	/** Changes answers to calls whose path contains this text; null stops changing them. */
	change(path: string, change: Change | null): void;
	stop(): void;
}

export async function startChangingOffice(): Promise<ChangingOffice> {
	const changes = new Map<string, Change>();
	const server = createServer(async (request, response) => {
		const body = await readBody(request);
		const headers = Object.fromEntries(
			Object.entries(request.headers).flatMap(([name, value]) => (typeof value === 'string' && !HOP.has(name) ? [[name, value]] : [])),
		);
		const asked = await fetch(office.target + request.url, {
			method: request.method ?? 'GET',
			headers,
			...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
		});
		let answer: PassingAnswer = {
			status: asked.status,
			headers: { 'content-type': asked.headers.get('content-type') ?? '' },
			body: await asked.text(),
		};
		for (const [path, change] of changes) if (request.url?.includes(path)) answer = await change(answer, request.headers);
		response.writeHead(answer.status, answer.headers).end(answer.body);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const office: ChangingOffice = {
		url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
		target: '',
		change(path, change) {
			if (change) changes.set(path, change);
			else changes.delete(path);
		},
		stop() {
			server.closeAllConnections();
			server.close();
		},
	};
	return office;
}

/** Hop-by-hop headers, which the next connection sets itself. */
const HOP = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);
