import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { systemClock } from '../../../daemon/src/base/clock.ts';
import { readBody } from '../http.ts';
import { type Listening, listen } from '../listen.ts';
import { type Log, noLog } from '../log.ts';
import { answerIpp } from './operations.ts';
import { PrintQueue } from './queue.ts';

const PATH = '/printers/receipt';
/** A longer request is refused, bytes. A receipt with a logo is far shorter. */
const LARGEST_JOB = 8_000_000;

/** How the print server behaves; the faults of the printer behind it are in `queue.ts`. */
export const SERVER_MODES = ['normal', 'silent', 'garbage', 'error'] as const;
export type ServerMode = (typeof SERVER_MODES)[number];

export interface PrinterOptions {
	/** 0 chooses a free port. */
	port: number;
	/** Duration of a print, ms. */
	printMs?: number;
	reportsWhenIdle?: boolean;
	log?: Log;
}

export interface Printer {
	port: number;
	uri: string;
	queue: PrintQueue;
	setServerMode(mode: ServerMode): void;
	/** false: connections are refused, as when CUPS is stopped. */
	setUp(up: boolean): Promise<void>;
	state(): { up: boolean; mode: ServerMode };
	stop(): Promise<void>;
}

/** Starts an IPP printer at `/printers/receipt`. */
export async function startPrinter(options: PrinterOptions): Promise<Printer> {
	const queue = new PrintQueue({
		clock: systemClock,
		log: options.log ?? noLog,
		printMs: options.printMs ?? 800,
		reportsWhenIdle: options.reportsWhenIdle ?? true,
	});
	let mode: ServerMode = 'normal';
	let uri = '';
	const open = (port: number): Promise<Listening> =>
		listen(
			createServer((request, response) => {
				serve(request, response, queue, uri, mode).catch(() => response.destroy());
			}),
			port,
		);
	let listening: Listening | null = await open(options.port);
	const { port } = listening;
	uri = `ipp://127.0.0.1:${port}${PATH}`;

	const setUp = async (up: boolean): Promise<void> => {
		if (up === (listening !== null)) return;
		const before = listening;
		listening = null;
		if (before === null) listening = await open(port);
		else await before.close();
	};
	return {
		port,
		uri,
		queue,
		setUp,
		setServerMode(next) {
			mode = next;
		},
		state: () => ({ up: listening !== null, mode }),
		async stop() {
			queue.stop();
			await setUp(false);
		},
	};
}

async function serve(request: IncomingMessage, response: ServerResponse, queue: PrintQueue, uri: string, mode: ServerMode): Promise<void> {
	const body = await readBody(request, LARGEST_JOB);
	if (mode === 'silent') return;
	if (mode === 'error') return answer(response, 500, 'text/html', '<h1>Internal Server Error</h1>');
	if (mode === 'garbage') return answer(response, 200, 'application/ipp', Buffer.from('<html>this is not IPP</html>'));
	if (request.method !== 'POST') return answer(response, 405, 'text/plain', 'POST application/ipp');
	if (request.url !== PATH) return answer(response, 404, 'text/plain', `the only queue is ${PATH}`);
	if (request.headers['content-type'] !== 'application/ipp') return answer(response, 415, 'text/plain', 'application/ipp only');
	try {
		answer(response, 200, 'application/ipp', answerIpp(queue, uri, body));
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
		answer(response, 400, 'text/plain', 'the IPP message is cut short');
	}
}

function answer(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
	response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) });
	response.end(body);
}
