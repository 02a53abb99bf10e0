import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { readBody } from '../../simulators/http.ts';
import { type Listening, listen } from '../../simulators/listen.ts';
import { type Bill, makeBill } from './bills.ts';
import { type Answer, type BookedNote, CALLS, type Call, json, type Mishap, PATHS } from './calls.ts';
import { Habits } from './habits.ts';
import { complaintsAbout, formFields, readForm } from './inspect-request.ts';
import { OtherSocket } from './socket.ts';

const TRANSACTIONS = 127;
const ORDERED_MS = 50;

/** The second server: its data, the calls it received, and ways to make it fail. */
export interface OtherServer {
	url: string;
	/** `socket_url` of the kiosk's settings. */
	socketUrl: string;
	/** `[back_office.paths]` as TOML lines. */
	paths: string;
	socket: OtherSocket;
	habits: Habits;
	/** Booked notes, each once. */
	notes: Map<string, BookedNote>;
	/** Contract violations by the kiosk. */
	complaints: string[];
	/** Received calls, in order. */
	asked: { call: Call; fields: Record<string, unknown>; query: URLSearchParams; tail: string }[];
	/** Valid logins. */
	tokens: Set<string>;
	transactions: Bill[];
	development: boolean;
	/** Adds a bill. @param total rupiah */
	bill(total: number, wanted?: Partial<Bill>): Bill;
	billBy(match: (bill: Bill) => boolean): Bill | undefined;
	/** A payment elsewhere: booked, and announced to the kiosk `times` times. */
	pay(bill: Bill, times?: number): void;
	/** The next answers of a call, instead of the real ones. */
	next(call: Call, ...answers: (Answer | Mishap)[]): void;
	/** Runs once after the next call of a kind was handled and before its answer is sent. */
	during(call: Call, act: () => void): void;
	/** false: connections are refused. */
	setUp(up: boolean): Promise<void>;
	/** A picture's address on another origin. */
	picture: string;
	stop(): Promise<void>;
}

/** The smallest PNG: one grey dot. */
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==', 'base64');

/** @param seed decides habits and delays */
export async function startOtherServer(seed: number): Promise<OtherServer> {
	const habits = new Habits(seed);
	const bills: Bill[] = [];
	const planned = new Map<Call, (Answer | Mishap)[]>();
	const acts = new Map<Call, () => void>();
	const http = createServer((request, response) => {
		serve(request, response).catch(() => response.destroy());
	});
	const pictures = await listen(
		createServer((request, response) => {
			const found = request.url?.endsWith('.png') === true;
			response.writeHead(found ? 200 : 404, { 'Content-Type': 'image/png' });
			response.end(found ? PNG : '');
		}),
		0,
	);
	const tokens = new Set<string>();
	const socket = new OtherSocket(http, tokens, habits);
	let listening: Listening | null = await listen(http, 0);
	const { port } = listening;

	const server: OtherServer = {
		url: `http://127.0.0.1:${port}`,
		socketUrl: `ws://127.0.0.1:${port}/siaran?kunci={token}`,
		paths: Object.entries(PATHS)
			.map(([call, path]) => `${call} = "${path}"`)
			.join('\n'),
		socket,
		habits,
		notes: new Map(),
		complaints: [],
		asked: [],
		tokens,
		transactions: [],
		development: false,
		picture: `http://127.0.0.1:${pictures.port}/kode.png`,
		bill(total, wanted) {
			const bill = makeBill(bills.length + 1, total, wanted);
			bills.push(bill);
			return bill;
		},
		billBy: (match) => bills.find(match),
		pay(bill, times = 3) {
			bill.paid = true;
			for (let time = 0; time < times; time += 1) socket.tellPaid(bill);
		},
		next: (call, ...answers) => void planned.set(call, [...(planned.get(call) ?? []), ...answers]),
		during: (call, act) => void acts.set(call, act),
		async setUp(up) {
			if (up === (listening !== null)) return;
			const before = listening;
			listening = null;
			if (before === null) listening = await listen(http, port);
			else {
				socket.cut();
				await before.close();
			}
		},
		async stop() {
			await server.setUp(false);
			await pictures.close();
		},
	};
	server.transactions = Array.from({ length: TRANSACTIONS }, (_, index) =>
		makeBill(5_000 + index, 40_000 + 500 * index, { paid: index % 3 !== 0, plate: index % 4 === 0 ? null : `DK ${5_000 + index} AB` }),
	);

	async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const body = await readBody(request);
		const url = new URL(request.url ?? '/', server.url);
		const found = callAt(url.pathname);
		if (found === null) {
			server.complaints.push(`${request.method} ${url.pathname}: no such call`);
			return send(request, response, { status: 404, body: '<h1>Not Found</h1>', type: 'text/html' });
		}
		const { call, tail } = found;
		const form = await readForm(request, body);
		server.complaints.push(...complaintsAbout(request, form, call));
		const fields = formFields(form);
		server.asked.push({ call, fields, query: url.searchParams, tail });
		const plan = planned.get(call)?.shift();
		if (plan === 'silence') return;
		const answer = typeof plan === 'object' ? plan : plan === 'call lost' ? null : truth(request, call, fields, url.searchParams, tail);
		acts.get(call)?.();
		acts.delete(call);
		// Answers ordered by a test are not delayed as well.
		await delay(plan === undefined ? habits.delayMs() : ORDERED_MS);
		if (answer === null || plan === 'answer lost') response.destroy();
		else send(request, response, answer);
	}

	function truth(request: IncomingMessage, call: Call, fields: Record<string, unknown>, query: URLSearchParams, tail: string): Answer {
		const token = request.headers.authorization?.slice('Token '.length) ?? '';
		if (call !== 'login' && !tokens.has(token)) return json(401, { detail: 'Token tidak berlaku lagi.' });
		return CALLS[call](server, fields, query, tail);
	}

	return server;
}

function callAt(path: string): { call: Call; tail: string } | null {
	for (const [call, pattern] of Object.entries(PATHS) as [Call, string][]) {
		const [start = ''] = pattern.split('{id}');
		if (pattern === path) return { call, tail: '' };
		if (pattern !== start && path.startsWith(start)) return { call, tail: path.slice(start.length) };
	}
	return null;
}

/** Compressed for clients that support it; JSON under one of the content types of real servers. */
function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
	const zipped = request.headers['accept-encoding']?.includes('gzip') === true;
	response.writeHead(answer.status, {
		'Content-Type': answer.type,
		'X-Cabang': 'Denpasar',
		...(answer.location && { Location: answer.location }),
		...(zipped && { 'Content-Encoding': 'gzip' }),
	});
	response.end(zipped ? gzipSync(answer.body) : answer.body);
}
