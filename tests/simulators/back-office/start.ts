import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import QRCode from 'qrcode';
import { type Fields, isFields, readBody, sendJson } from '../http.ts';
import { type Listening, listen } from '../listen.ts';
import { type Log, noLog } from '../log.ts';
import { Books } from './books.ts';
import { type Account, type Answer, type Call, type Film, filmPath, findCall, referenceOf } from './calls.ts';
import { type Change, sendChanged } from './change.ts';
import { complaintsAbout, complaintsAboutNote } from './contract.ts';
import { hasCsrfCookie, newCsrfCookie, whyForged } from './csrf.ts';
import type { Dialect, WrittenAnswer } from './dialect.ts';
import { type Form, readForm } from './form.ts';
import { type Invoice, receivedFor } from './invoice.ts';
import { type Live, liveSockets } from './live.ts';
import { GOOD_NETWORK, modeFor, type NetworkState } from './network.ts';
import { qrisPayload } from './qris.ts';

export interface BackOfficeOptions {
	/** 0 chooses a free port. */
	port: number;
	account?: Account;
	/** Total from which a virtual account is offered instead of QRIS, rupiah. */
	maxToVa?: number;
	/** File that keeps logins and payments across restarts. */
	file?: string;
	log?: Log;
	/** Makes this server another dealer's server with the same contract. */
	dialect?: Dialect;
}

/**
 * A fault of one call: the call is lost, the call takes effect but its answer is lost, or no answer
 * comes.
 */
export type Mishap = 'call lost' | 'answer lost' | 'silence';

/** A call as the kiosk sent it. */
export interface AskedCall {
	call: Call;
	fields: Fields;
	query: URLSearchParams;
	id: string;
}

export interface CallRecord {
	at: string;
	method: string;
	path: string;
	/** HTTP status; 0 if the caller got no answer. */
	status: number;
}

export interface BackOffice {
	port: number;
	url: string;
	account: Account;
	books: Books;
	live: Live;
	network: Readonly<NetworkState>;
	/** The film in the answer to `video`, or null. */
	film: Film | null;
	/** Answers every request below `/pictures/`; null if the server has no pictures there. */
	pictures: RequestListener | null;
	/** The last calls, oldest first. */
	calls: readonly CallRecord[];
	/** The last calls with their contents, oldest first. */
	asked: AskedCall[];
	/** Violations of the contract by the kiosk, as sentences. */
	complaints: string[];
	/** The flag `development` in the answer to a login. */
	development: boolean;
	/** Replaces the answers to the next calls of this kind. */
	next(call: Call, ...answers: (WrittenAnswer | Mishap)[]): void;
	/**
	 * Replaces the answer to every look-up of this number. The kiosk also makes look-ups on its own,
	 * and such a look-up could use up an answer planned with `next`.
	 */
	answerLookUps(number: string, answer: WrittenAnswer | Mishap): void;
	/**
	 * Runs `act` once: after the server has handled the next call of this kind, and before it sends
	 * the answer.
	 */
	during(call: Call, act: () => void): void;
	/** Changes the answers to calls whose path contains this text; null removes the change. */
	change(path: string, change: Change | null): void;
	setNetwork(change: Partial<NetworkState>): Promise<void>;
	/**
	 * Announces to every kiosk that an invoice is paid. With it, tests repeat or delay this message,
	 * or name another invoice.
	 */
	tellPaid(invoice: Invoice): void;
	stop(): Promise<void>;
}

export const DEFAULT_ACCOUNT: Account = { username: 'outlet', password: 'rahasia', pin: '123456' };
const DEFAULT_MAX_TO_VA = 2_000_000;
const KEPT_CALLS = 300;
/**
 * With a dialect, the delay of an answer that a test has prepared, ms; other answers vary in delay.
 */
const ORDERED_MS = 50;

/** Starts the owner's server with its seeded invoices. */
export async function startBackOffice(options: BackOfficeOptions): Promise<BackOffice> {
	const log = options.log ?? noLog;
	const network: NetworkState = { ...GOOD_NETWORK };
	const calls: CallRecord[] = [];
	const http = createServer();
	let listening: Listening | null = await listen(http, options.port);
	const { port } = listening;
	const url = `http://127.0.0.1:${port}`;
	const account = { ...(options.account ?? DEFAULT_ACCOUNT) };
	const books = new Books({
		now: new Date(),
		origin: url,
		file: options.file,
		invoices: options.dialect?.invoices,
		newToken: options.dialect?.newToken,
	});
	const live = liveSockets({
		dialect: options.dialect,
		knowsToken: (token) => books.knowsToken(token),
		onApproval: (noInvoice, success) => {
			log(`card approval for ${noInvoice}: ${books.bookApproval(noInvoice, success, new Date().toISOString())}`);
		},
	});
	const tellPaid = (invoice: Invoice): void => live.say(paidMessage(invoice));
	books.onPaid = (invoice) => {
		log(`${invoice.noinvoice} is paid`);
		for (let times = options.dialect?.announcements() ?? 1; times > 0; times -= 1) tellPaid(invoice);
	};
	const desk: Desk = {
		books,
		account,
		maxToVa: options.maxToVa ?? DEFAULT_MAX_TO_VA,
		film: null,
		pictures: null,
		development: options.dialect === undefined,
		dialect: options.dialect,
		asked: [],
		complaints: [],
		planned: new Map(),
		lookUps: new Map(),
		acts: new Map(),
		changes: new Map(),
	};

	http.on('request', (request, response) => {
		const { pathname } = new URL(request.url ?? '/', url);
		const record: CallRecord = { at: new Date().toISOString(), method: request.method ?? '', path: pathname, status: 0 };
		calls.push(record);
		if (calls.length > KEPT_CALLS) calls.shift();
		response.once('finish', () => {
			record.status = response.statusCode;
		});
		serve(request, response, desk, network).catch(() => response.destroy());
	});
	http.on('upgrade', async (request, socket, head) => {
		const mode = modeFor(network, request.url ?? '');
		if (mode === 'silent') return;
		if (mode === 'error') {
			socket.end('HTTP/1.1 500 Internal Server Error\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
			return;
		}
		if (mode === 'slow') await delay(network.slowMs);
		live.upgrade(request, socket, head);
	});

	const setNetwork = async (change: Partial<NetworkState>): Promise<void> => {
		Object.assign(network, change);
		live.setSilent(network.mode === 'silent' && network.path === '');
		if (network.up === (listening !== null)) return;
		const before = listening;
		listening = null;
		log(network.up ? 'network up' : 'network down');
		if (before === null) listening = await listen(http, port);
		else await before.close();
	};
	return {
		port,
		url,
		account,
		books,
		live,
		network,
		get film() {
			return desk.film;
		},
		set film(film) {
			desk.film = film;
		},
		get pictures() {
			return desk.pictures;
		},
		set pictures(pictures) {
			desk.pictures = pictures;
		},
		get development() {
			return desk.development;
		},
		set development(development) {
			desk.development = development;
		},
		calls,
		asked: desk.asked,
		complaints: desk.complaints,
		next: (call, ...answers) => void desk.planned.set(call, [...(desk.planned.get(call) ?? []), ...answers]),
		answerLookUps: (number, answer) => void desk.lookUps.set(number, answer),
		during: (call, act) => void desk.acts.set(call, act),
		change: (path, change) => void (change ? desk.changes.set(path, change) : desk.changes.delete(path)),
		setNetwork,
		tellPaid,
		stop: () => setNetwork({ up: false }),
	};
}

interface Desk {
	books: Books;
	account: Account;
	maxToVa: number;
	film: Film | null;
	pictures: RequestListener | null;
	development: boolean;
	dialect: Dialect | undefined;
	asked: AskedCall[];
	complaints: string[];
	planned: Map<Call, (WrittenAnswer | Mishap)[]>;
	/** Answers to look-ups; the key is the number that is looked up. */
	lookUps: Map<string, WrittenAnswer | Mishap>;
	acts: Map<Call, () => void>;
	/** Changes of answers; the key is a part of the call's path. */
	changes: Map<string, Change>;
}

const paidMessage = (invoice: Invoice) => ({
	type: 'payment_notification',
	id: invoice.id,
	odoo_id: invoice.odoo_id,
	is_paid: true,
	state: 'paid',
	nominal: Math.max(invoice.total, receivedFor(invoice)),
	time: new Date().toISOString(),
});

async function serve(request: IncomingMessage, response: ServerResponse, desk: Desk, network: NetworkState): Promise<void> {
	const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
	const mode = modeFor(network, pathname);
	if (mode === 'silent') return;
	if (mode === 'slow') await delay(network.slowMs);
	const body = await readBody(request);
	if (mode === 'error') return send(response, network.status, 'text/html', `<h1>Server Error (${network.status})</h1>`);
	if (mode === 'echo') return send(response, 500, 'text/html', `<pre>${JSON.stringify(request.headers)}</pre>`);
	if (mode === 'garbage') return send(response, 200, 'application/json', '{"results": [{"id": 1, "tot');
	const picture = /^\/static\/qris\/(\d+)\.svg$/.exec(pathname);
	if (picture !== null) return sendQrPicture(response, desk.books.byId(picture[1]));
	if (desk.pictures !== null && pathname.startsWith('/pictures/')) return desk.pictures(request, response);
	if (desk.film !== null && pathname === filmPath(desk.film)) return sendFilm(request, response, desk.film);
	const method = request.method ?? 'GET';
	const found = findCall(method, pathname, desk.dialect?.paths);
	if (found === 404 || found === 405) {
		if (desk.dialect) desk.complaints.push(`${method} ${pathname}: no such call`);
		const detail = found === 404 ? 'Not found.' : `Method "${method}" not allowed.`;
		return sendJson(response, found, { detail });
	}
	const form = await formOf(request, body);
	const read = form.ok ? form.fields : {};
	const asked = { call: found.name, fields: read, query: searchParams, id: found.id };
	desk.asked.push(asked);
	if (desk.asked.length > KEPT_CALLS) desk.asked.shift();
	desk.complaints.push(...complaintsAbout(request, form, found.name));
	if (desk.complaints.length > KEPT_CALLS) desk.complaints.shift();
	const lookedUp = found.name === 'invoice_info' ? desk.lookUps.get(String(read.noinvoice)) : undefined;
	const plan = lookedUp ?? desk.planned.get(found.name)?.shift();
	if (plan === 'silence') return;
	const fields = desk.dialect?.reads(read) ?? read;
	const about = [fields.id, fields.payment_id, isFields(fields.results) ? fields.results.id : undefined].find((id) => id !== undefined);
	const invoice = found.name === 'invoice_info' ? desk.books.find(String(fields.noinvoice ?? '')) : desk.books.byId(about);
	const answer =
		plan === undefined || plan === 'answer lost'
			? (refusalOf(request, form, found.name, desk) ?? found.call({ ...desk, now: new Date(), fields, query: searchParams, id: found.id }))
			: null;
	if (found.name === 'cash_notification' && answer !== null && desk.dialect) desk.complaints.push(...complaintsAboutNote(fields, invoice));
	desk.acts.get(found.name)?.();
	desk.acts.delete(found.name);
	if (desk.dialect) await delay(plan === undefined ? desk.dialect.delayMs() : ORDERED_MS);
	if (mode === 'lost_answer' || plan === 'answer lost' || plan === 'call lost') {
		request.socket.resetAndDestroy();
		return;
	}
	if (typeof plan === 'object') return sendWritten(request, response, plan);
	if (answer === null) return;
	if (desk.dialect) return sendWritten(request, response, desk.dialect.writes(found.name, answer, invoice));
	if (!hasCsrfCookie(request)) response.setHeader('Set-Cookie', newCsrfCookie());
	const changes = [...desk.changes].filter(([part]) => pathname.includes(part)).map(([, change]) => change);
	await sendChanged(response, answer.status, answer.body, changes);
}

async function formOf(request: IncomingMessage, body: Buffer): Promise<Form> {
	if (request.method === 'POST' && body.length > 0) return readForm(body, request.headers['content-type'] ?? '');
	return { ok: true, multipart: false, names: [], fields: {} };
}

/**
 * @returns the refusal of a call that lacks a valid login, CSRF pair or form; null if the call
 * lacks none of them
 */
function refusalOf(request: IncomingMessage, form: Form, call: Call, desk: Desk): Answer | null {
	const refusal = call === 'login' ? null : whyUnauthorised(request, desk.books);
	if (refusal !== null) return { status: 401, body: { detail: refusal } };
	const forged = request.method === 'POST' && !desk.dialect ? whyForged(request) : null;
	if (forged !== null) return { status: 403, body: { detail: forged } };
	return form.ok ? null : { status: form.status, body: { message: form.message } };
}

/** Sends the answer, compressed with gzip if the client accepts this, as a proxy does. */
function sendWritten(request: IncomingMessage, response: ServerResponse, answer: WrittenAnswer): void {
	const zipped = request.headers['accept-encoding']?.includes('gzip') === true;
	response.writeHead(answer.status, {
		'Content-Type': answer.type,
		'X-Cabang': 'Denpasar',
		...(answer.location && { Location: answer.location }),
		...(zipped && { 'Content-Encoding': 'gzip' }),
	});
	response.end(zipped ? gzipSync(answer.body) : answer.body);
}

function whyUnauthorised(request: IncomingMessage, books: Books): string | null {
	const [scheme, token] = (request.headers.authorization ?? '').split(' ');
	if (scheme !== 'Token' || token === undefined) return 'Authentication credentials were not provided.';
	return books.knowsToken(token) ? null : 'Invalid token.';
}

async function sendQrPicture(response: ServerResponse, invoice: Invoice | undefined): Promise<void> {
	if (invoice === undefined) return send(response, 404, 'text/plain', 'no such code');
	const picture = await QRCode.toString(qrisPayload(invoice.total, referenceOf(invoice)), { type: 'svg', margin: 1 });
	send(response, 200, 'image/svg+xml', picture);
}

function sendFilm(request: IncomingMessage, response: ServerResponse, film: Film): void {
	const etag = `"${createHash('sha256').update(film.bytes).digest('hex').slice(0, 16)}"`;
	const known = request.headers['if-none-match'] === etag;
	// Like a simple static server, does not send the type of the film, so that the kiosk must check
	// the bytes.
	response.writeHead(known ? 304 : 200, { ETag: etag, 'Content-Type': 'application/octet-stream' });
	response.end(known ? undefined : film.bytes);
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
	response.writeHead(status, { 'Content-Type': type });
	response.end(body);
}
