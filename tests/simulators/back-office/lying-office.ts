import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { readBody } from '../http.ts';
import { listen } from '../listen.ts';
import { readForm } from './form.ts';

/** An invoice as this server reports it. Tests may change its fields. */
export interface ToldInvoice {
	id: unknown;
	odoo_id: unknown;
	noinvoice: string;
	total: unknown;
	is_paid: unknown;
	list_pembayaran: unknown;
	[more: string]: unknown;
}

export interface SentNote {
	note_id: string;
	id: unknown;
	noinvoice: string;
	nominal: number;
	/** Authorization header of the upload. */
	authorization: string;
}

/** Answer to a call: a status with a body, a cut connection, or no answer. */
export type Told = { status: number; body?: unknown } | 'cut' | 'silence';

/** A back office whose answers the test chooses. It books nothing itself. */
export interface LyingOffice {
	/** e.g. http://127.0.0.1:40123 */
	url: string;
	/** e.g. ws://127.0.0.1:40123/ws/{token}/ */
	socketUrl: string;
	/** Invoices by look-up number. */
	invoices: Map<string, ToldInvoice>;
	/** Every uploaded note, including repeats. */
	notes: SentNote[];
	/** Card approvals received on the live socket. */
	approvals: Record<string, unknown>[];
	/** Every call: its path and its Authorization header. */
	asked: { path: string; authorization: string }[];
	/** Path of every live socket that was opened; the path contains the token. */
	sockets: string[];
	/** Answers to notes and to look-ups; 200 by default. */
	onNote: (note: SentNote) => Told | Promise<Told>;
	onLookUp: (invoice: ToldInvoice) => Told | Promise<Told>;
	onLogin: (username: string) => unknown;
	/**
	 * Whether the server answers pings on the live socket. The answer to a ping confirms all
	 * approvals that were sent before this ping.
	 */
	answersPings: boolean;
	/** Sends `{text}` on every live socket. */
	say(text: object): void;
	/** Cuts every live socket, without a close frame. */
	cutSockets(): void;
	stop(): Promise<void>;
}

/** @returns a new unpaid invoice without payments */
export const toldInvoice = (id: number, total: number, more: object = {}): ToldInvoice => ({
	id,
	odoo_id: `SO${id}`,
	noinvoice: `INV/A/${id}`,
	konsumen_name: 'Budi',
	nopol: 'B 1',
	total,
	is_paid: false,
	json_data: null,
	list_pembayaran: [],
	list_invoice: [],
	...more,
});

export async function startLyingOffice(): Promise<LyingOffice> {
	const server = createServer((request, response) => void answer(request, response));
	const live = new WebSocketServer({ server, autoPong: false });
	const open = new Set<WebSocket>();
	const { port, close } = await listen(server, 0);
	const office: LyingOffice = {
		url: `http://127.0.0.1:${port}`,
		socketUrl: `ws://127.0.0.1:${port}/ws/{token}/`,
		invoices: new Map(),
		notes: [],
		approvals: [],
		asked: [],
		sockets: [],
		onNote: () => ({ status: 200 }),
		onLookUp: (invoice) => ({ status: 200, body: { results: invoice, ahass_name: 'AHASS', logo: '' } }),
		onLogin: (username) => ({ token: `token-of-${username}`, development: false }),
		answersPings: true,
		say(text) {
			for (const socket of open) socket.send(JSON.stringify({ text }));
		},
		cutSockets() {
			for (const socket of open) socket.terminate();
		},
		stop: close,
	};

	live.on('connection', (socket, request) => {
		open.add(socket);
		office.sockets.push(request.url ?? '');
		socket.on('close', () => open.delete(socket));
		socket.on('error', () => undefined);
		socket.on('ping', (data) => {
			if (office.answersPings) socket.pong(data);
		});
		socket.on('message', (data) => {
			const { message } = JSON.parse(String(data)) as { message: { event?: string; data?: Record<string, unknown> } };
			if (message.event === 'transaction_approve') office.approvals.push(message.data ?? {});
		});
	});

	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const path = request.url ?? '';
		const authorization = request.headers.authorization ?? '';
		const sent = await readForm(await readBody(request), request.headers['content-type'] ?? '');
		const form = sent.ok ? sent.fields : {};
		office.asked.push({ path, authorization });
		const told = await told_(path, form, authorization);
		if (told === 'cut') return void request.socket.destroy();
		if (told === 'silence') return;
		response.writeHead(told.status, { 'Content-Type': 'application/json' });
		response.end(typeof told.body === 'string' ? told.body : JSON.stringify(told.body ?? {}));
	}

	async function told_(path: string, form: Record<string, unknown>, authorization: string): Promise<Told> {
		if (path.endsWith('/login-outlet/')) return { status: 200, body: office.onLogin(String(form.username)) };
		if (path.endsWith('/login-pin-screen/')) return { status: 200, body: { success: true } };
		if (path.endsWith('/get-invoice-info/')) {
			const invoice = office.invoices.get(String(form.noinvoice)) ?? byNumber(String(form.noinvoice));
			return invoice ? office.onLookUp(invoice) : { status: 404 };
		}
		if (!path.endsWith('/payment-cash/')) return { status: 200 };
		const note = { ...form, authorization } as unknown as SentNote;
		office.notes.push(note);
		return office.onNote(note);
	}

	const byNumber = (number: string) => [...office.invoices.values()].find(({ noinvoice }) => noinvoice === number);
	return office;
}
