import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import QRCode from 'qrcode';
import { readBody, sendJson } from '../http.ts';
import { type Listening, listen } from '../listen.ts';
import { type Log, noLog } from '../log.ts';
import { Books } from './books.ts';
import { type Account, type Answer, type Film, filmPath, findCall, LOGIN_PATH } from './calls.ts';
import { hasCsrfCookie, newCsrfCookie, whyForged } from './csrf.ts';
import { readForm } from './form.ts';
import { type Invoice, receivedFor } from './invoice.ts';
import { type Live, liveSockets } from './live.ts';
import { GOOD_NETWORK, modeFor, type NetworkState } from './network.ts';
import { qrisPayload } from './qris.ts';

export interface BackOfficeOptions {
	/** 0 takes a free port. */
	port: number;
	account?: Account;
	/** From this total on, rupiah, a virtual account is offered instead of QRIS. */
	maxToVa?: number;
	/** Keeps logins and payments across restarts. */
	file?: string;
	log?: Log;
}

export interface CallRecord {
	at: string;
	method: string;
	path: string;
	/** 0: the caller got no answer. */
	status: number;
}

export interface BackOffice {
	port: number;
	url: string;
	account: Account;
	books: Books;
	live: Live;
	network: Readonly<NetworkState>;
	/** The film named by the call `video`; null for none. */
	film: Film | null;
	/** The last calls, oldest first. */
	calls: readonly CallRecord[];
	setNetwork(change: Partial<NetworkState>): Promise<void>;
	/**
	 * Announces to every kiosk that an invoice is paid; tests may repeat it, delay it, or use
	 * another invoice.
	 */
	tellPaid(invoice: Invoice): void;
	stop(): Promise<void>;
}

export const DEFAULT_ACCOUNT: Account = { username: 'outlet', password: 'rahasia', pin: '123456' };
const DEFAULT_MAX_TO_VA = 2_000_000;
const KEPT_CALLS = 300;

/** Starts the owner's server with its seeded invoices. */
export async function startBackOffice(options: BackOfficeOptions): Promise<BackOffice> {
	const log = options.log ?? noLog;
	const network: NetworkState = { ...GOOD_NETWORK };
	const calls: CallRecord[] = [];
	const http = createServer();
	let listening: Listening | null = await listen(http, options.port);
	const { port } = listening;
	const url = `http://127.0.0.1:${port}`;
	const account = options.account ?? DEFAULT_ACCOUNT;
	const books = new Books({ now: new Date(), origin: url, file: options.file });
	const live = liveSockets({
		knowsToken: (token) => books.knowsToken(token),
		onApproval: (noInvoice, success) => {
			log(`card approval for ${noInvoice}: ${books.bookApproval(noInvoice, success, new Date().toISOString())}`);
		},
	});
	const tellPaid = (invoice: Invoice): void => live.say(paidMessage(invoice));
	books.onPaid = (invoice) => {
		log(`${invoice.noinvoice} is paid`);
		tellPaid(invoice);
	};
	const desk: Desk = { books, account, maxToVa: options.maxToVa ?? DEFAULT_MAX_TO_VA, film: null };

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
		calls,
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
	if (desk.film !== null && pathname === filmPath(desk.film)) return sendFilm(request, response, desk.film);
	const answer = await answerCall(request, body, pathname, searchParams, desk);
	if (mode === 'lost_answer') {
		request.socket.resetAndDestroy();
		return;
	}
	if (!hasCsrfCookie(request)) response.setHeader('Set-Cookie', newCsrfCookie());
	sendJson(response, answer.status, answer.body);
}

async function answerCall(request: IncomingMessage, body: Buffer, path: string, query: URLSearchParams, desk: Desk): Promise<Answer> {
	const method = request.method ?? 'GET';
	const found = findCall(method, path);
	if (found === 404) return { status: 404, body: { detail: 'Not found.' } };
	if (found === 405) return { status: 405, body: { detail: `Method "${method}" not allowed.` } };
	const refusal = path === LOGIN_PATH ? null : whyUnauthorised(request, desk.books);
	if (refusal !== null) return { status: 401, body: { detail: refusal } };
	const forged = method === 'POST' ? whyForged(request) : null;
	if (forged !== null) return { status: 403, body: { detail: forged } };
	const hasForm = method === 'POST' && body.length > 0;
	const form = hasForm ? await readForm(body, request.headers['content-type'] ?? '') : { ok: true as const, fields: {} };
	if (!form.ok) return { status: form.status, body: { message: form.message } };
	return found.call({ ...desk, now: new Date(), fields: form.fields, query, id: found.id });
}

function whyUnauthorised(request: IncomingMessage, books: Books): string | null {
	const [scheme, token] = (request.headers.authorization ?? '').split(' ');
	if (scheme !== 'Token' || token === undefined) return 'Authentication credentials were not provided.';
	return books.knowsToken(token) ? null : 'Invalid token.';
}

async function sendQrPicture(response: ServerResponse, invoice: Invoice | undefined): Promise<void> {
	if (invoice === undefined) return send(response, 404, 'text/plain', 'no such code');
	const picture = await QRCode.toString(qrisPayload(invoice.total, `KIOS-${invoice.id}`), { type: 'svg', margin: 1 });
	send(response, 200, 'image/svg+xml', picture);
}

function sendFilm(request: IncomingMessage, response: ServerResponse, film: Film): void {
	const etag = `"${createHash('sha256').update(film.bytes).digest('hex').slice(0, 16)}"`;
	const known = request.headers['if-none-match'] === etag;
	// A static file server without content types for films: their type follows from their bytes.
	response.writeHead(known ? 304 : 200, { ETag: etag, 'Content-Type': 'application/octet-stream' });
	response.end(known ? undefined : film.bytes);
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
	response.writeHead(status, { 'Content-Type': type });
	response.end(body);
}
